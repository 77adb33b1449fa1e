"""The study on a real SLURM, through its profile: the same bits as on this machine, whatever happens to its jobs."""

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
    """Start a cluster; its folder has a short name, because that of a socket may not be long."""
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
    often = {
        "slurm": ["--slurm-init-seconds-before-status-checks", "2"],
        "generic": ["--seconds-between-status-checks", "2"],
    }

    def start(cluster, folder, profile="slurm", config="config/ring.json"):
        plugins = plugins_of(profile, tmp_path_factory.getbasetemp())
        words = [".venv/bin/snakemake", "--workflow-profile", f"workflow/profiles/{profile}", *often[profile]]
        words += ["--configfile", config]
        return subprocess.Popen(
            cluster.command(*words, folder=folder),
            env=environment(plugins),
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


def wait_for(cluster, run, group, but=(), seconds=120):
    """The number of a running job of a group."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and run.poll() is None:
        found = [row["job"] for row in jobs_of(cluster, "running") if group in row["what"] and row["job"] not in but]
        if found:
            return found[0]
        time.sleep(0.2)
    pytest.fail(f"no job of {group} was started")


@pytest.mark.parametrize("accounting", [False, pytest.param(True, marks=pytest.mark.long)])
def test_the_same_bits_in_few_submissions(slurm, submit, finished, tmp_path, accounting):
    cluster = slurm(accounting)
    folder = make_sandbox(tmp_path / "on slurm")
    said = ended(submit(cluster, folder))
    assert result_bits(folder) == result_bits(finished)
    # A trial each, and what follows.
    assert len(re.findall(r"has been submitted with SLURM jobid", said)) == 3, said
    assert {row["state"] for row in jobs_of(cluster)} == {"COMPLETED"}


def test_a_cluster_that_forgets_its_jobs_is_refused_in_a_sentence(slurm, submit, tmp_path):
    said = ended(submit(slurm(min_job_age=60), make_sandbox(tmp_path / "forgotten")), seconds=60, ok=False)
    assert "found neither (MinJobAge = 60 s)" in said
    assert "--workflow-profile workflow/profiles/generic" in said
    assert "submitted" not in said
    assert "Traceback" not in said


def ask_for_too_little_memory(folder):
    """Say that the rules of fits were measured to take next to nothing, and what runs beside them nothing."""
    common = folder / "workflow/rules/common.smk"
    text = common.read_text()
    assert "SNAKEMAKE_MB, LEAST_MINUTES, ROOM = 300, 10, 3" in text
    common.write_text(text.replace("ROOM = 300, 10, 3", "ROOM = 10, 10, 3"))
    table = folder / "data/costs.csv"
    rows = [line.split(",") for line in table.read_text().splitlines()]
    assert rows[0][-1] == "mem_mb"
    table.write_text("".join(",".join([*row[:-1], "40" if row[0] != "rule" else row[-1]]) + "\n" for row in rows))


@pytest.mark.long
def test_jobs_that_run_out_of_memory_are_tried_again_with_more(slurm, submit, finished, tmp_path):
    cluster = slurm()
    folder = make_sandbox(tmp_path / "memory")
    ask_for_too_little_memory(folder)
    ended(submit(cluster, folder))
    rows = jobs_of(cluster)
    edited = {"workflow/rules/common.smk", "workflow/rules/.common.smk.sha256"}
    here, there = ({k: v for k, v in result_bits(place).items() if k not in edited} for place in (folder, finished))
    assert here == there
    killed = [row for row in rows if row["state"] != "COMPLETED"]
    assert len(killed) >= 3, rows
    assert {row["memory"] for row in killed if row["what"] == rows[0]["what"]} >= {"90M"}, rows
    assert "Exceeded job memory limit" in "".join(
        path.read_text() for path in folder.glob(".snakemake/slurm_logs/**/*.log")
    )


@pytest.mark.long
def test_jobs_that_are_killed_or_run_out_of_time_are_tried_again_with_more(slurm, submit, finished, tmp_path):
    cluster = slurm()
    folder = make_sandbox(tmp_path / "faults")
    run = submit(cluster, folder)
    killed = wait_for(cluster, run, "fit")
    cluster.call("scancel", killed)
    # A job that does not go on, and may take a minute: SLURM looks twice a minute.
    stopped = wait_for(cluster, run, "fit", but=[killed])
    cluster.call("scancel", "--signal=STOP", "--full", stopped)
    cluster.call("scontrol", "update", f"JobId={stopped}", "TimeLimit=1")
    ended(run)
    rows = {row["job"]: row for row in jobs_of(cluster)}
    print(rows)
    assert rows[killed]["state"] == "CANCELLED"
    assert rows[stopped]["state"] == "TIMEOUT"
    assert sum(row["state"] == "COMPLETED" for row in rows.values()) == 3
    assert result_bits(folder) == result_bits(finished)


@pytest.mark.long
def test_the_generic_profile_needs_no_memory_of_the_cluster(slurm, submit, finished, tmp_path):
    """Where SLURM forgets a job two seconds after its end; a job that is cancelled is noticed all the same."""
    cluster = slurm(min_job_age=2)
    folder = make_sandbox(tmp_path / "generic")
    run = submit(cluster, folder, "generic")
    end = time.monotonic() + 120
    while not (found := jobs_of(cluster, "running")) and time.monotonic() < end:
        time.sleep(0.2)
    cluster.call("scancel", found[0]["job"])
    said = ended(run)
    assert result_bits(folder) == result_bits(finished)
    # A trial each, what follows, and the one that was cancelled again.
    assert len(re.findall(r"Submitted (?:group )?job .* with external jobid", said)) == 4, said
