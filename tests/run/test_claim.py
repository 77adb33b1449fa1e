"""Two runs never make one folder, and a run that is gone holds none."""

import os
import signal
import subprocess
import sys

import pytest

from study.run import claim
from study.errors import StudyError

CLAIM = """
import sys, time
from study.run.claim import claim
claim(sys.argv[1:], "")
print("mine", flush=True)
time.sleep(60)
"""


@pytest.fixture
def other(tmp_path):
    """A process that has claimed a folder."""
    with subprocess.Popen(
        [sys.executable, "-c", CLAIM, str(tmp_path / "taken")], stdout=subprocess.PIPE, env=_environment()
    ) as process:
        assert process.stdout.readline() == b"mine\n"
        yield process
        process.kill()


def _environment():
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


@pytest.fixture(autouse=True)
def released():
    yield
    while claim._held:
        claim._held.pop().close()


def test_a_claimed_folder_is_refused_in_one_sentence(tmp_path, other):
    claim.claim([str(tmp_path / "free")], "make study")
    with pytest.raises(StudyError, match=rf"taken: .* under way \(process {other.pid} on .*end it, then: make study"):
        claim.claim([str(tmp_path / "taken")], "make study")


def test_a_killed_run_leaves_nothing_to_unlock(tmp_path, other):
    other.send_signal(signal.SIGKILL)
    other.wait()
    claim.claim([str(tmp_path / "taken")], "make study")


def test_jobs_that_outlive_their_run_do_not_hold_its_claim(tmp_path):
    claim.claim([str(tmp_path)], "")
    with subprocess.Popen(["sleep", "60"]) as job:
        while claim._held:
            claim._held.pop().close()
        done = subprocess.run(
            [sys.executable, "-c", CLAIM.replace("60", "0"), str(tmp_path)], capture_output=True, env=_environment()
        )
        job.kill()
    assert done.stdout == b"mine\n", done.stderr


def test_a_file_system_without_locks_is_told(tmp_path, monkeypatch, capsys):
    def no_locks(*_):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(claim.fcntl, "flock", no_locks)
    claim.claim([str(tmp_path)], "")
    assert "start no other run" in capsys.readouterr().err


def test_a_file_belongs_to_the_nearest_folder():
    places = ["results/nki", "results/nki/scnet", "reports", "reports/other"]
    files = ["results/nki/scnet/fits/a.json", "results/nki/cohort.npz", "data/downloads/x.whl"]
    assert claim.claimed(files, places) == ["results/nki", "results/nki/scnet"]
