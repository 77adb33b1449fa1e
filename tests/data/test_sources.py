"""Downloads: verified and complete."""

import dataclasses
import zipfile

import pytest

from study.data.sources import Wheel, download, read_sources
from study.report.page import LIBRARY, read_library
from study.errors import StudyError
from study.io import check_sha256, replacing


def test_wrong_checksum_names_the_file_and_both_hashes(tmp_path):
    file = tmp_path / "a.whl"
    file.write_bytes(b"not a wheel")
    with pytest.raises(StudyError, match=r"a\.whl: expected sha256 0{64}, found [0-9a-f]{64} \(11 bytes\)"):
        check_sha256(file, "0" * 64)


def test_truncated_wheel_is_refused_before_it_is_opened(tmp_path, wheels, sources):
    truncated = tmp_path / sources["scnet"].file
    truncated.write_bytes(wheels["scnet"].path.read_bytes()[:-1000])
    with (
        pytest.raises(StudyError, match=r"scnet.*expected sha256 f738.* delete it and run again"),
        Wheel(truncated, sources["scnet"]).open("scNET/Data/H_sapiens.net"),
    ):
        pass


def test_the_pages_library_is_refused_before_it_is_opened(tmp_path, repository, monkeypatch):
    """Not even its list of files is looked at."""
    (source,) = read_sources(repository / "data/page_sources.csv").values()
    forged = tmp_path / source.file
    with zipfile.ZipFile(forged, "w") as archive:
        archive.writestr(f"{LIBRARY}x.js", "alert(1)")
    monkeypatch.setattr(zipfile, "ZipFile", None)
    with pytest.raises(StudyError, match=r"ipycytoscape.*expected sha256 4bc2.* delete it and run again"):
        read_library(Wheel(forged, source))


def test_missing_wheel_is_named(tmp_path, sources):
    with pytest.raises(StudyError, match=r"nowhere\.whl: expected a file with sha256 .*, found none"):
        check_sha256(tmp_path / "nowhere.whl", sources["scnet"].sha256)


def test_missing_member_is_named(wheels):
    with (
        pytest.raises(StudyError, match=r"expected a wheel that holds no/such/file"),
        wheels["cptac"].open("no/such/file"),
    ):
        pass


def test_download_that_fails_leaves_nothing(tmp_path, sources, monkeypatch):
    """pip refuses the wrong hash of a real package, and the folder is as it was."""
    monkeypatch.setenv("PIP_RETRIES", "0")
    wrong = dataclasses.replace(sources["cptac"], sha256="0" * 64)
    target = tmp_path / "downloads" / wrong.file
    with pytest.raises(StudyError, match=r"expected to download cptac==1\.5\.1 .* pip said"):
        download(wrong, target)
    assert list(target.parent.iterdir()) == []


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
