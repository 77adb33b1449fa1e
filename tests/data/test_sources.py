"""Downloads and pickles: verified, complete, and harmless."""

import dataclasses
import io
import os
import pickle

import pandas as pd
import pytest

from study.data.sources import Wheel, download, read_frame
from study.run.errors import StudyError
from study.run.files import check_sha256, replacing


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


class Malicious:
    def __reduce__(self):
        return os.system, ("echo harm",)


def test_pickle_may_not_run_code():
    with pytest.raises(StudyError, match=r"table\.pickle: expected a pickled pandas table.*system"):
        read_frame(io.BytesIO(pickle.dumps(Malicious())), "table.pickle")


def test_pickle_of_something_else_is_refused():
    with pytest.raises(StudyError, match="found a list"):
        read_frame(io.BytesIO(pickle.dumps([1, 2])), "table.pickle")


def test_allowed_pickle_comes_back_equal(wheels):
    """The limited unpickler returns what pandas' own returns."""
    with wheels["survset"].open("SurvSet/resources/pickles/nki70.pickle") as stream:
        content = stream.read()
    pd.testing.assert_frame_equal(read_frame(io.BytesIO(content), "nki70"), pd.read_pickle(io.BytesIO(content)))


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
