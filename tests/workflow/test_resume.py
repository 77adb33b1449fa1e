"""A run killed at any moment resumes, and ends with the same bits."""

import contextlib
import os
import random
import signal
import subprocess
import time

import pytest

from sandbox import make_sandbox, result_bits, snakemake

pytestmark = pytest.mark.workflow


def kill_after(folder, seconds):
    """Start the study and kill snakemake, not its jobs, with a signal it cannot catch.

    Returns its process group and whether it was still running.
    """
    run = subprocess.Popen(
        [".venv/bin/snakemake", "--cores", "2", "--configfile", "config/ring.json"],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        run.wait(timeout=seconds)
        return run.pid, False
    except subprocess.TimeoutExpired:
        os.kill(run.pid, signal.SIGKILL)
        run.wait()
        return run.pid, True


@pytest.mark.parametrize("kills", [pytest.param(1, id="short"), pytest.param(10, id="long", marks=pytest.mark.long)])
def test_killed_run_ends_with_the_same_bits(finished, tmp_path, kills):
    """Killed on two cores, ended on one, in jobs of single folds: as if it had never been interrupted."""
    seed = int(time.time())
    print(f"seed {seed}")
    rng = random.Random(seed)
    broken = make_sandbox(tmp_path / "broken")
    killed, groups = 0, []
    try:
        for _ in range(kills):
            group, was_running = kill_after(broken, rng.uniform(4.0, 25.0))
            groups.append(group)
            killed += was_running
            unlock = ["make", "unlock", "CONFIG=config/ring.json", "READY="]
            subprocess.run(unlock, cwd=broken, check=True, capture_output=True)
        snakemake(broken, "--cores", "1", "--config", "jobs=fold")
    finally:
        for group in groups:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(group, signal.SIGKILL)
    assert killed >= 1, "every run ended before it could be killed"
    assert result_bits(broken) == result_bits(finished)
    assert not list(broken.rglob("*.part")), "a half-written file was left behind"
