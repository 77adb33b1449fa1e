"""What a run does before its first job. tests/workflow/test_two_runs.py has the lock."""

import json
import signal
import subprocess
import sys

import pytest

from study.config import complete, load_schema, runs
from study.errors import StudyError
from study.run import begin as module
from study.run.begin import check_finished, fit_identity, lock


@pytest.fixture(autouse=True)
def released():
    yield
    while module._held:
        module._held.pop().close()


def test_a_file_system_without_locks_is_named(tmp_path, monkeypatch, capsys):
    def no_locks(*_):
        raise OSError(95, "Operation not supported")

    monkeypatch.setattr(module.fcntl, "flock", no_locks)
    lock(tmp_path, "")
    assert "Start no second run in this folder" in capsys.readouterr().err


def test_a_run_begins_with_its_settings_and_without_leftovers(repository, tmp_path):
    (run,) = runs(complete({"results": str(tmp_path)}, load_schema(repository)))
    left = tmp_path / "nki/scnet/fits/.fold-1.json.part"
    left.parent.mkdir(parents=True)
    left.touch()
    module.begin(run, "")
    assert not left.exists()
    assert json.loads((tmp_path / "nki/scnet/settings.json").read_text())["seed"] == 20240727


def test_finished_fits_are_neither_replaced_nor_left_out(repository, tmp_path):
    asked = {"results": str(tmp_path), "trials": 1, "methods": ["iht"]}
    config = complete(asked, load_schema(repository))
    (run,) = runs(config)
    fold = tmp_path / "nki/scnet/fits/iht/trial-01/fold-1.json"
    fold.parent.mkdir(parents=True)
    (tmp_path / "nki/scnet/settings.json").write_text(json.dumps(fit_identity(run.config)))
    check_finished(runs(config | {"seed": 1})[0])  # nothing is finished yet
    fold.write_text("{}")
    check_finished(run)
    check_finished(runs(config | {"trials": 2, "methods": ["iht", "ridge"], "jobs": "fold"})[0])
    with pytest.raises(StudyError, match=r"holds fits of other settings.*seed 20240727 \(now 1\)"):
        check_finished(runs(config | {"seed": 1})[0])
    with pytest.raises(StudyError, match="holds results of iht, which the configuration leaves out"):
        check_finished(runs(config | {"methods": ["ridge"]})[0])
    before = fit_identity(run.config) | {"near_tie": 0.01}
    (tmp_path / "nki/scnet/settings.json").write_text(json.dumps(before))
    with pytest.raises(StudyError, match=r"fits of other settings.*near_tie 0\.01 \(now removed\)"):
        check_finished(run)


JOB = """
import sys, time
from study.command import command
from study.io import replacing

def main(out: str) -> None:
    with replacing(out) as partial:
        partial.write_text("half")
        print("ready", flush=True)
        try:
            time.sleep(60)
        except BaseException:
            raise TypeError("what an import of compiled code makes of KeyboardInterrupt")

command(main)
"""


def test_an_interrupted_job_leaves_one_sentence_and_no_half_written_file(tmp_path):
    call = [sys.executable, "-c", JOB, "--out", str(tmp_path / "out/table.csv")]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(call, **pipes, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)) as job:
        job.stdout.readline()
        assert list((tmp_path / "out").iterdir())
        job.send_signal(signal.SIGINT)
        assert job.communicate()[1] == "interrupted: no half-written file is kept\n"
    assert job.returncode == 130
    assert not list((tmp_path / "out").iterdir())
