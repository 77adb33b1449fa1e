"""A second run in the same folder is refused in one sentence; a run that is gone holds no lock."""

import subprocess
import sys

import pytest

from sandbox import RUN, copy_of, result_bits, snakemake

pytestmark = pytest.mark.workflow

HOLD = "import sys; from study.run.begin import lock; lock(sys.argv[1], ''); print(flush=True); sys.stdin.read()"


def test_a_second_run_is_refused_until_the_first_is_gone(finished, tmp_path):
    study = copy_of(finished, tmp_path / "study")
    (study / RUN / "metrics.csv").unlink()
    before = result_bits(study)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", HOLD, str(study / RUN)], **pipes) as first:
        first.stdout.readline()
        said = snakemake(study, f"{RUN}/metrics.csv", "--cores", "1", ok=False)
        sentence = said.strip().splitlines()[-1]
        assert sentence.startswith(f"error: Another run (process {first.pid} on ")
        assert f") is already writing to {RUN}. Wait for its end" in sentence
        assert sentence.endswith(f"then: .venv/bin/snakemake {RUN}/metrics.csv --cores 1 --configfile config/ring.json")
        for noise in ("Traceback", "WorkflowError", "__onstart", "stopped before its end"):
            assert noise not in said
        assert result_bits(study) == before
        # A dry run needs no lock.
        snakemake(study, "-n")
        # Killed, the first run leaves nothing to unlock.
        first.kill()
        first.wait()
    snakemake(study, f"{RUN}/metrics.csv", "--cores", "1")
    assert result_bits(study) == result_bits(finished)
