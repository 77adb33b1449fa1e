"""Bad files and configurations: one short sentence before any fit, or a study that reaches its report."""

import gzip
import os

import pytest

from conftest import REPOSITORY
from corpus import configurations, tables
from graphiht.io import TableError, read_follow_up
from torture.bad_inputs import good, judge
from torture.frame import WRONG

NOBODY = 65534


@pytest.fixture
def folder(wheels, tmp_path, monkeypatch):
    """The three files as they should be, and their configuration; a check goes to the repository."""
    monkeypatch.chdir(REPOSITORY)
    return good(tmp_path / "mine")


@pytest.mark.parametrize("name", tables.CASES)
def test_files(folder, name):
    verdict = judge(folder, tables.CASES[name])
    assert verdict.outcome != WRONG, verdict.why


@pytest.mark.parametrize("name", configurations.CASES)
def test_configurations(folder, name):
    verdict = judge(folder, configurations.CASES[name])
    assert verdict.outcome != WRONG, verdict.why


def test_a_small_file_that_unpacks_to_a_large_one_is_not_unpacked(folder, monkeypatch):
    monkeypatch.setattr("graphiht.tables.MOST_BYTES", 100_000)
    (folder / "outcome.csv").write_bytes(gzip.compress(b"patient,event\n" + b"0" * 10_000_000))
    with pytest.raises(TableError, match=r"expected at most 0\.0001 GB of text, unpacked, found more"):
        read_follow_up(folder / "outcome.csv")


def test_a_file_that_may_not_be_read_is_named(folder):
    """Root reads everything, so root becomes nobody for as long as it takes."""
    file = folder / "outcome.csv"
    file.chmod(0)
    is_root = os.geteuid() == 0
    if is_root:
        os.seteuid(NOBODY)
    try:
        with pytest.raises(TableError, match=r"outcome\.csv: expected a readable file; Permission denied\.$"):
            read_follow_up(file)
    finally:
        if is_root:
            os.seteuid(0)
