"""A study that is killed again and again ends as if nobody had touched it."""

import os
import random
import signal

import pytest

from sandbox import copy_of, read_until, result_bits, snakemake, started

pytestmark = pytest.mark.workflow

KINDS = {
    "SIGKILL to snakemake": lambda process: process.kill(),
    "SIGKILL to all": lambda process: os.killpg(process.pid, signal.SIGKILL),
    "SIGTERM": lambda process: process.terminate(),
    "SIGINT to all": lambda process: os.killpg(process.pid, signal.SIGINT),
}


def kill_and_finish(blank, folder, rng, kills):
    """Kill a study at random steps, each time after some jobs have ended, then let it end on one core."""
    study, targets = copy_of(blank, folder), ("results/ring/own/SHA256SUMS",)
    for _ in range(kills):
        kind = rng.choice(list(KINDS))
        with started(study, *targets) as run:
            said = read_until(run, rng.choice(["own: ", " steps ("]), rng.randint(1, 4))
            KINDS[kind](run)
            # A killed run says no more, and its jobs may still hold its output: do not read on.
            if "SIGKILL" not in kind:
                said += run.stdout.read()
                ended = "(100%) done" in said or "Nothing to be done" in said
                assert ended or "To continue: .venv/bin/snakemake results/ring/own/SHA256SUMS --cores 2" in said, (
                    kind,
                    said,
                )
                assert "Traceback" not in said, (kind, said)
    snakemake(study, *targets, "--cores", "1")
    return study


def test_a_killed_study_ends_with_the_same_bytes(blank, finished, tmp_path):
    study = kill_and_finish(blank, tmp_path / "study", random.Random(1), kills=3)
    assert result_bits(study) == result_bits(finished)
    assert "Nothing to be done" in snakemake(study, "results/ring/own/SHA256SUMS", "-n")


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 120))
def test_killed_studies_end_with_the_same_bytes_100_kills(blank, finished, tmp_path, seed):
    study = kill_and_finish(blank, tmp_path / "study", random.Random(seed), kills=5)
    assert result_bits(study) == result_bits(finished)
