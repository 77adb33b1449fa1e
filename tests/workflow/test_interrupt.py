"""Ctrl-C: jobs end, nothing half-written or locked is left, and it is said how to go on."""

import os
import signal
import subprocess
import sys
import time

import pytest

from sandbox import heed_interrupts, make_sandbox

pytestmark = pytest.mark.workflow


def test_a_study_that_is_interrupted_says_how_to_go_on(tmp_path):
    """`graphiht study`, as from a terminal, where every process of the group gets the signal."""
    clone = make_sandbox(tmp_path / "clone")
    call = [str(clone / ".venv/bin/graphiht"), "study", "--expression", "own/expression.csv", "--outcome"]
    call += ["own/outcome.csv", "--network", "own/edges.tsv", "--out", "mine", "--trials", "1", "--cores", "1"]
    environment = {**os.environ, "PYTHONPATH": str(clone / "src")}
    with open(tmp_path / "said.txt", "w") as output:
        run = subprocess.Popen(
            call,
            cwd=clone,
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=heed_interrupts,
        )
    try:
        while "Execute " not in (tmp_path / "said.txt").read_text():
            assert run.poll() is None, (tmp_path / "said.txt").read_text()
            time.sleep(0.05)
        time.sleep(1)
        os.killpg(run.pid, signal.SIGINT)
        assert run.wait(timeout=120) != 0
    finally:
        if run.poll() is None:
            os.killpg(run.pid, signal.SIGKILL)
            run.wait()
    said = (tmp_path / "said.txt").read_text()
    assert "to go on: make study CONFIG=mine/study.yaml" in said
    assert "Traceback" not in said
    assert not list((clone / ".snakemake/locks").glob("*"))
    assert not list(clone.rglob(".*.part"))
    # The command that was named works.
    check = [sys.executable, "-m", "study.run.verify", "mine/study.yaml"]
    subprocess.run(check, cwd=clone, env=environment, check=True)
