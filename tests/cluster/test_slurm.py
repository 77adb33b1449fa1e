"""The study on a real SLURM, through its profile: the same bits as on this machine, whatever happens to its jobs."""

import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

from plugins import environment, plugins_of
from sandbox import make_sandbox, result_bits
from slurm_server import Slurm, missing

pytestmark = [pytest.mark.workflow, pytest.mark.xdist_group("slurm")]


@pytest.fixture
def slurm():
    """Start a cluster; its folder has a short name, because a socket's may not be long."""
    folder = Path(tempfile.mkdtemp(prefix="slurm-"))
    started = []

    def start(accounting=False, **options):
        if reason := missing(accounting):
            pytest.skip(reason)
        started.append(Slurm(folder / "cluster", accounting, **options))
        return started[-1].__enter__()

    yield start
    for cluster in started:
        cluster.__exit__()
    shutil.rmtree(folder)


@pytest.fixture
def submit(tmp_path_factory):
    """Start Snakemake with the profile on a cluster, in a folder; the executor looks often, because jobs are short."""
    plugins = plugins_of("slurm", tmp_path_factory.getbasetemp())

    def start(cluster, folder, *arguments, config="config/ring.json"):
        words = [".venv/bin/snakemake", *arguments, "--profile", "workflow/profiles/slurm", "--configfile", config]
        words += ["--slurm-init-seconds-before-status-checks", "2", "--slurm-keep-successful-logs"]
        return subprocess.Popen(
            cluster.command(*words, folder=folder),
            env=environment(plugins),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    return start


def ended(run, seconds=600):
    """What a run said, once it has ended well."""
    try:
        said, _ = run.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        run.send_signal(signal.SIGINT)
        said, _ = run.communicate(timeout=60)
        pytest.fail(f"still running after {seconds} s: {said}")
    assert run.returncode == 0, said
    return said


def submissions(said):
    return re.findall(r"has been submitted with SLURM jobid (\d+)", said)


@pytest.mark.parametrize("accounting", [False, pytest.param(True, marks=pytest.mark.long)])
def test_the_same_bits(slurm, submit, finished, tmp_path, accounting):
    cluster = slurm(accounting)
    folder = make_sandbox(tmp_path / "on slurm")
    said = ended(submit(cluster, folder))
    assert result_bits(folder) == result_bits(finished)
    print(said)
    print(len(submissions(said)))
