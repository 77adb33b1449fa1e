"""What every job on a node repeats before it works: reading the workflow costs less than a second beside Snakemake."""

import resource
import subprocess

import pytest

from conftest import REPOSITORY
from plugins import environment

pytestmark = pytest.mark.workflow

# As Snakemake calls itself on a node.
NODE = ["--cores", "1", "--mode", "remote", "--no-hooks", "--nolock", "--ignore-incomplete", "-n"]


def processor_seconds(folder, *arguments):
    """Of the least of three calls, so that a busy machine does no harm."""
    least = float("inf")
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [str(REPOSITORY / ".venv/bin/snakemake"), *arguments, *NODE]
        subprocess.run(command, cwd=folder, env=environment(), capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        least = min(least, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
    return least


@pytest.mark.parametrize("config", ["config", "networks"])
def test_reading_the_workflow_takes_less_than_a_second(tmp_path, config, wheels):
    (tmp_path / "Snakefile").write_text('rule nothing:\n    output: "x"\n    shell: "touch {output}"\n')
    alone = processor_seconds(tmp_path)
    study = processor_seconds(REPOSITORY, "downloads", "--configfile", f"config/{config}.yaml")
    print(f"{config}: {study:.2f} s of processor time, an empty workflow {alone:.2f}")
    assert study - alone < 1.0
