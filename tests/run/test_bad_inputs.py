"""Bad files and configurations: one short sentence before any fit, or a check without problems."""

import gzip
import os

import pytest

from conftest import REPOSITORY, write_own_cohort
from corpus import ACCEPTED, REFUSED, configurations, tables
from graphiht.cli import main
from graphiht.io import TableError, read_follow_up

NOBODY = 65534
LONGEST_SENTENCE = 1200
CASES = tables.CASES | {f"configuration: {name}": case for name, case in configurations.CASES.items()}


@pytest.fixture
def folder(wheels, tmp_path, monkeypatch):
    """The three files as they should be, and their configuration; a check changes to the repository."""
    monkeypatch.chdir(REPOSITORY)
    write_own_cohort(tmp_path / "mine")
    (tmp_path / "mine/mine.yaml").write_text(configurations.BASE)
    return tmp_path / "mine"


@pytest.mark.parametrize("name", CASES)
def test_bad_input_is_refused_in_one_sentence(folder, capsys, name):
    case = CASES[name]
    case.spoil(folder / case.file)
    status = main(["check", str(folder / "mine.yaml"), "--cores", "2"])
    captured = capsys.readouterr()
    said = captured.out + captured.err
    assert case.end in (None, REFUSED if status else ACCEPTED), said
    assert case.says in said
    assert not list(folder.rglob("canary*")), "the check ran a command"
    assert "Traceback" not in said
    if status:
        (sentence,) = said.rstrip("\n").split("\n")
        assert sentence.isprintable()
        assert len(sentence) <= LONGEST_SENTENCE


def test_a_small_file_that_unpacks_to_a_large_one_is_not_unpacked(folder, monkeypatch):
    monkeypatch.setattr("graphiht.tables.MOST_BYTES", 100_000)
    (folder / "outcome.csv").write_bytes(gzip.compress(b"patient,event\n" + b"0" * 10_000_000))
    with pytest.raises(TableError, match=r"more than 0\.0001 GB of text, unpacked"):
        read_follow_up(folder / "outcome.csv")


def test_a_file_that_may_not_be_read_is_named(folder):
    """Root reads everything, so root becomes nobody for as long as it takes."""
    file = folder / "outcome.csv"
    file.chmod(0)
    is_root = os.geteuid() == 0
    if is_root:
        os.seteuid(NOBODY)
    try:
        with pytest.raises(TableError, match=r"outcome\.csv: cannot be read \(Permission denied\)\.$"):
            read_follow_up(file)
    finally:
        if is_root:
            os.seteuid(0)
