"""Ctrl-C and SIGTERM: the run ends by itself and says how to continue; that it can is tested by test_kills."""

import os
import signal
import subprocess

import pytest

from sandbox import copy_of, read_until, started

pytestmark = pytest.mark.workflow


@pytest.mark.parametrize("kind", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_ends_and_names_a_command_that_continues(blank, tmp_path, kind):
    study = copy_of(blank, tmp_path / "study")
    with started(study) as run:
        said = read_until(run, " steps (", 3)
        # Ctrl-C reaches every process of the terminal, kill one.
        os.killpg(run.pid, kind) if kind == signal.SIGINT else run.send_signal(kind)
        said += run.stdout.read()
        assert run.wait() != 0
    assert "The run stopped before its end. Finished files are kept." in said, said
    assert "To continue: .venv/bin/snakemake --cores 2 --configfile config/ring.json" in said, said
    for noise in ("Traceback", "execution failed", "died with", "did not complete", "Command '"):
        assert noise not in said, "an interrupt is no failure"
    assert not list(study.rglob(".*.part"))


def test_an_interrupted_graphiht_study_names_a_command_that_continues(blank, tmp_path):
    clone = copy_of(blank, tmp_path / "clone")
    call = [".venv/bin/graphiht", "study", "--expression", "own/expression.csv", "--outcome", "own/outcome.csv"]
    call += ["--network", "own/edges.tsv", "--out", "mine", "--trials", "1", "--cores", "1", "--methods", "iht"]
    with subprocess.Popen(
        call,
        cwd=clone,
        env={**os.environ, "PYTHONPATH": str(clone / "src")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as run:
        said = read_until(run, " steps (")
        os.killpg(run.pid, signal.SIGINT)
        said += run.stdout.read()
    assert run.returncode != 0
    # The last line, and the only one that says so.
    assert said.count("To continue: ") == 1
    assert said.strip().splitlines()[-1].endswith(f"To continue: {' '.join(call)}")
    assert "Traceback" not in said
