"""The judge of killed runs: what a kill leaves half-written is no result, and what is wrong is counted once."""

from pathlib import Path

import pytest

from study.run.files import record_of, write_text
from torture import tiny
from torture.frame import wrong
from torture.kills import Chain


@pytest.fixture
def chain(tmp_path):
    """One whose study is a folder with a file that was written as it should be."""
    made = object.__new__(Chain)
    made.study, made.reference, made.sessions = tmp_path, {}, []
    write_text(tmp_path / tiny.RUN / "metrics.csv", "1\n")
    made.reference = tiny.taken_for_results(tmp_path)
    (tmp_path / "said.txt").write_text("")
    return made


def test_what_a_killed_job_has_half_written_is_not_taken_for_a_result(chain):
    (chain.study / tiny.RUN / ".genes.csv.host.7-7.part").write_text("half")
    assert chain._after("SIGKILL to the group", -9).outcome == "survived"


def test_another_file_and_one_without_checksum_would_be(chain):
    path = chain.study / tiny.RUN / "metrics.csv"
    write_text(path, "2\n")
    assert "metrics.csv would be taken" in chain._after("SIGKILL to the group", -9).why
    path.write_text("1\n")
    record_of(path).unlink()
    assert "metrics.csv has no checksum" in chain._after("SIGKILL to the group", -9).why


def test_files_may_go_while_one_looks(chain, monkeypatch):
    """A job that outlives its run by a second takes away what it has half-written."""
    (chain.study / tiny.RUN / ".genes.csv.host.7-7.part").write_text("half")
    read = Path.read_bytes
    monkeypatch.setattr(
        Path, "read_bytes", lambda path: (path.unlink() if path.suffix == ".part" else None, read(path))[1]
    )
    assert chain._after("SIGKILL to the scheduler", -9).outcome == "survived"


@pytest.mark.parametrize(
    ("said", "outcome"),
    [
        ("Execute 1 jobs...\n1 of 1 steps (100%) done\n", "survived"),
        ("Execute 1 jobs...\n1 of 2 steps (50%) done\n", "wrong"),
        ("Execute 1 jobs...\nto go on: make study\n", "survived"),
    ],
)
def test_a_run_says_how_to_go_on_unless_all_is_done(chain, said, outcome):
    (chain.study / "said.txt").write_text(said)
    assert chain._after("SIGTERM", -15).outcome == outcome


def test_what_went_wrong_is_counted_once(chain, monkeypatch):
    """The next trial has a study of its own."""
    begun = []
    monkeypatch.setattr(chain, "_kill", lambda *_: wrong("lost"), raising=False)
    monkeypatch.setattr(chain, "_anew", lambda: begun.append(1), raising=False)
    assert chain.kill("SIGTERM", False, 1.0).outcome == "wrong"
    assert begun == [1]
