"""A study as small as can be, run by the real workflow, to be killed, starved and damaged."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sandbox import CONFIG, RUN, copy_of, heed_interrupts, make_sandbox, result_bits
from study.run.files import damage

METHODS = ["graph-iht", "ridge"]
TINY = CONFIG | {"methods": METHODS, "sparsities": [2, 5], "lambdas": [0.1], "epochs": [3], "permutations": 3}
LIMIT = 600
# The folds and their tables: most of what is written, in a fifth of the time of the whole study.
QUICK = (f"{RUN}/metrics.csv",)


def command(*arguments: str, cores: int = 2) -> list[str]:
    """The command of the study; targets come first."""
    return [".venv/bin/snakemake", *arguments, "--cores", str(cores), "--configfile", "config/ring.json"]


def environment() -> dict[str, str]:
    """The variables of a run: those of this process, but for what another Snakemake has set."""
    return {key: value for key, value in os.environ.items() if not key.startswith(("SNAKEMAKE", "PYTEST"))}


def run(folder: Path, *arguments: str, cores: int = 2) -> tuple[int, str]:
    """Return the exit status and what was said."""
    done = subprocess.run(
        command(*arguments, cores=cores),
        cwd=folder,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=LIMIT,
        check=False,
    )
    return done.returncode, done.stdout


def shared(place: Path, targets: tuple[str, ...] | None = None) -> Path:
    """The study after a run left alone, or before its first one; made once for all families, to be copied."""
    folder = place.parent / ("blank" if targets is None else "quick" if targets else "whole")
    if not folder.exists():
        if targets is None:
            make_sandbox(folder, TINY, n_patients=80, n_genes=150)
        else:
            status, said = run(copy_of(shared(place), folder), *targets)
            assert status == 0, said
    return folder


@contextmanager
def started(folder: Path, *arguments: str, cores: int = 2) -> Iterator[subprocess.Popen]:
    """A run in a session of its own, whose output is in the file said.txt; killed at the end if it still runs."""
    with open(folder / "said.txt", "w") as output:
        process = subprocess.Popen(
            command(*arguments, cores=cores),
            cwd=folder,
            env=environment(),
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=heed_interrupts,
        )
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def members(session: int) -> dict[int, str]:
    """The living processes of a session, by number, with their command."""
    found = {}
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = status.read_text().rpartition(")")
            if rest.split()[0] != "Z" and int(rest.split()[3]) == session:
                found[int(status.parent.name)] = name.partition("(")[2]
        except (OSError, IndexError):
            continue
    return found


def taken_for_results(folder: Path) -> dict[str, str]:
    """A hash per file that the next run would take for a result: it has its name, and the checksum written with it."""
    found = {name: digest for name, digest in result_bits(folder).items() if not name.endswith(".part")}
    return {name: digest for name, digest in found.items() if _is_as_written(folder / RUN / name)}


def _is_as_written(path: Path) -> bool:
    """Whether a file is there as it was written; jobs that are about to end may still take some away."""
    try:
        return damage(path) is None
    except FileNotFoundError:
        return False


def differing(folder: Path, reference: dict[str, str]) -> list[str]:
    """The results that are missing, too many or other than those of an undisturbed run, and what is half-written."""
    found = result_bits(folder)
    names = {name for name in found.keys() | reference.keys() if found.get(name) != reference.get(name)}
    return sorted(names | {str(path.relative_to(folder)) for path in folder.rglob(".*.part")})
