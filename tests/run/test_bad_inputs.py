"""Bad files and configurations: one short sentence before any fit, or a study that reaches its report."""

import os
import shutil

import pytest

from conftest import REPOSITORY, write_own_cohort
from corpus import configurations, tables
from graphiht.cli import main
from graphiht.io import TableError, read_follow_up

NOBODY = 65534


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    """The three files as they should be, and their configuration."""
    folder = tmp_path_factory.mktemp("good")
    write_own_cohort(folder)
    (folder / "mine.yaml").write_text(configurations.BASE)
    return folder


@pytest.fixture
def folder(good, tmp_path):
    return shutil.copytree(good, tmp_path / "mine")


@pytest.fixture
def check(wheels, capsys, monkeypatch):
    """Check a configuration; return `accepted` or `refused`, and what is said."""
    monkeypatch.chdir(REPOSITORY)

    def run(file):
        status = main(["check", str(file), "--cores", "2"])
        said = capsys.readouterr()
        if status == 0:
            return "accepted", said.out
        assert said.err.startswith("graphiht: error: ")
        assert said.err.rstrip("\n").isprintable(), "more than a line, or what a terminal obeys"
        assert len(said.err) < 1200
        return "refused", said.err

    return run


@pytest.mark.parametrize("name", tables.CASES)
def test_files(check, folder, name):
    case = tables.CASES[name]
    case.spoil(folder / tables.NAMES[case.file])
    end, said = check(folder / "mine.yaml")
    assert end in case.ends, said
    assert case.says in said
    if end == "refused":
        assert "expected" in said


@pytest.mark.parametrize("name", configurations.CASES)
def test_configurations(check, folder, name):
    case = configurations.CASES[name]
    (folder / "mine.yaml").write_bytes(case.content)
    end, said = check(folder / "mine.yaml")
    assert end in case.ends, said
    assert case.says in said
    assert not list(folder.rglob("canary*"))


def test_more_text_than_a_table_has_is_not_unpacked(check, folder, monkeypatch):
    """A small file that unpacks to a large one."""
    monkeypatch.setattr("graphiht.tables.MOST_BYTES", 10_000)
    end, said = check(folder / "mine.yaml")
    assert (end, "expected at most 1e-05 GB of text" in said) == ("refused", True)


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
