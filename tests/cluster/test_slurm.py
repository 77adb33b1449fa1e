"""The study on a real SLURM, through its profile: the same bits as on this machine, whatever happens to its jobs."""

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

pytestmark = [pytest.mark.workflow, pytest.mark.long]


@pytest.fixture
def slurm():
    """Start a cluster; its folder has a short name, because that of a socket may not be long."""
    folder = Path(tempfile.mkdtemp(prefix="slurm-"))
    started = []

    def start(accounting=False):
        if reason := missing(accounting):
            pytest.skip(reason)
        started.append(Slurm(folder / "cluster", accounting))
        return started[-1].__enter__()

    yield start
    for cluster in started:
        cluster.__exit__()
    shutil.rmtree(folder)


@pytest.fixture
def submit(tmp_path_factory):
    """Start Snakemake with the profile on a cluster; the executor looks often, because jobs are short."""

    def start(cluster, folder, *options):
        # As the profile says: without accounting `squeue` must tell how jobs are.
        status = [] if cluster.accounting else ["--slurm-status-command", "squeue"]
        words = [".venv/bin/snakemake", "--workflow-profile", "workflow/profiles/slurm", *status, *options]
        words += ["--slurm-init-seconds-before-status-checks", "2", "--configfile", "config/ring.json"]
        return subprocess.Popen(
            cluster.command(*words, folder=folder),
            env=environment(plugins_of("slurm", tmp_path_factory.getbasetemp())),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    return start


def ended(run, seconds=600, ok=True):
    """What a run said, once it has ended."""
    try:
        said, _ = run.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        run.send_signal(signal.SIGINT)
        said, _ = run.communicate(timeout=60)
        pytest.fail(f"still running after {seconds} s: {said}")
    assert (run.returncode == 0) == ok, said
    return said


def jobs_of(cluster, states="all"):
    """A row for each job in some states."""
    said = cluster.call("squeue", "--noheader", f"--states={states}", "--sort=i", "--format=%i|%T|%m|%l|%k")
    names = ("job", "state", "memory", "limit", "what")
    return [dict(zip(names, row.split("|"), strict=True)) for row in said.splitlines()]


def trials_of(rows):
    """The submissions that hold the fits of a trial: the profile calls their group `fits`."""
    return [row for row in rows if row["what"].startswith("rule_fits")]


def wait_for_trial(cluster, run, but=(), seconds=120):
    """The number of a running submission that holds a trial."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and run.poll() is None:
        found = [row["job"] for row in trials_of(jobs_of(cluster, "running")) if row["job"] not in but]
        if found:
            return found[0]
        time.sleep(0.2)
    pytest.fail("no trial was started")


@pytest.mark.parametrize("accounting", [False, True])
def test_the_same_bits_with_a_submission_per_trial(slurm, submit, finished, tmp_path, accounting):
    cluster = slurm(accounting)
    folder = make_sandbox(tmp_path / "on slurm")
    ended(submit(cluster, folder))
    assert result_bits(folder) == result_bits(finished)
    rows = jobs_of(cluster)
    assert len(trials_of(rows)) == 2, rows
    assert {row["state"] for row in rows} == {"COMPLETED"}


def test_jobs_that_run_out_of_memory_are_tried_again_with_more(slurm, submit, finished, tmp_path):
    cluster = slurm()
    folder = make_sandbox(tmp_path / "memory")
    ended(submit(cluster, folder, "--default-resources", "mem_mb=30 * 6 ** (attempt - 1)", "runtime=10"))
    rows = jobs_of(cluster)
    assert result_bits(folder) == result_bits(finished)
    killed = [row for row in rows if row["state"] != "COMPLETED"]
    assert len(killed) >= 3, rows
    assert {row["memory"] for row in rows if row["what"] == trials_of(rows)[0]["what"]} >= {"30M", "180M"}, rows
    logs = folder.glob(".snakemake/slurm_logs/**/*.log")
    assert "Exceeded job memory limit" in "".join(path.read_text() for path in logs)


def test_jobs_that_are_killed_or_run_out_of_time_are_tried_again(slurm, submit, finished, tmp_path):
    cluster = slurm()
    folder = make_sandbox(tmp_path / "faults")
    run = submit(cluster, folder)
    killed = wait_for_trial(cluster, run)
    cluster.call("scancel", killed)
    # A job that does not go on, and may take a minute: SLURM looks twice a minute.
    stopped = wait_for_trial(cluster, run, but=[killed])
    cluster.call("scancel", "--signal=STOP", "--full", stopped)
    cluster.call("scontrol", "update", f"JobId={stopped}", "TimeLimit=1")
    ended(run)
    rows = {row["job"]: row for row in jobs_of(cluster)}
    assert rows[killed]["state"] == "CANCELLED"
    assert rows[stopped]["state"] == "TIMEOUT"
    assert sum(row["state"] == "COMPLETED" for row in trials_of(rows.values())) == 2
    assert result_bits(folder) == result_bits(finished)
