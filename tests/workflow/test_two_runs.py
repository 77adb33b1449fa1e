"""A run whose folder another one is making is refused in one sentence, whatever became of Snakemake's own locks."""

import subprocess
import sys

import pytest

from sandbox import RUN, copy_of, result_bits, snakemake
from study.run import claim

pytestmark = pytest.mark.workflow

HOLD = "import sys; from study.run.claim import claim; claim(sys.argv[1:], ''); print(flush=True); sys.stdin.read()"


def test_a_second_run_is_refused_and_hurts_nothing(finished, tmp_path):
    study = copy_of(finished, tmp_path / "study")
    (study / RUN / "metrics.csv").unlink()
    before = result_bits(study)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", HOLD, str(study / RUN)], **pipes) as first:
        first.stdout.readline()
        said = snakemake(study, "--cores", "1", f"{RUN}/metrics.csv", ok=False)
        (sentence,) = [line for line in said.splitlines() if "expected to be the only run" in line]
        assert sentence.startswith(f"{RUN}: ")
        assert f"(process {first.pid} on " in sentence
        assert sentence.endswith("then: make study CONFIG=config/ring.json")
        assert "Traceback" not in said
        assert result_bits(study) == before
        # A look at what would be done is no run.
        snakemake(study, "--cores", "1", "-n")
    snakemake(study, "--cores", "1", f"{RUN}/metrics.csv")
    assert result_bits(study) == result_bits(finished)
    assert (study / RUN / claim.FILE).read_text() == ""
