"""A study as small as can be, run by the real workflow, to be killed, starved and damaged."""

from __future__ import annotations

import hashlib
import os
import subprocess
from pathlib import Path

from sandbox import CONFIG, RUN, copy_of, make_sandbox, result_bits

METHODS = ["graph-iht", "graph-svrg-iht", "ridge"]
TINY = CONFIG | {"methods": METHODS, "sparsities": [2, 5], "lambdas": [0.1], "epochs": [3], "permutations": 3}
LIMIT = 300


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


def finished(folder: Path) -> Path:
    """The study run to its end, to compare with and to copy."""
    make_sandbox(folder, TINY, n_patients=80, n_genes=150)
    status, said = run(folder)
    assert status == 0, said
    return folder


def bits(folder: Path) -> dict[str, str]:
    """A hash per result, without what may differ between equal runs."""
    return result_bits(folder)


def differing(folder: Path, reference: dict[str, str]) -> list[str]:
    """The results that are missing, too many or other than those of an undisturbed run."""
    found = bits(folder)
    return sorted(name for name in found.keys() | reference.keys() if found.get(name) != reference.get(name))


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


__all__ = ["RUN", "bits", "command", "copy_of", "differing", "environment", "finished", "run", "sha256"]
