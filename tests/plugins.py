"""Snakemake's plugins for clusters, in folders outside the environment, because the project does not require them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import REPOSITORY
from sandbox import once

PROFILES = REPOSITORY / "workflow/profiles"


def plugins_of(profile: str, base: Path) -> Path:
    """A folder with the packages that a profile needs; the test is skipped where they cannot be installed."""
    requirements = PROFILES / profile / "requirements.txt"

    def install(folder):
        pip = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--no-deps", "--python", sys.executable]
        done = subprocess.run(
            [*pip, "--target", str(folder), "-r", str(requirements)], capture_output=True, text=True, check=False
        )
        folder.mkdir(exist_ok=True)
        (folder / "error").write_text(done.stderr if done.returncode else "")

    folder = once(base, f"packages of {profile}", install)
    if error := (folder / "error").read_text():
        pytest.skip(f"{requirements.relative_to(REPOSITORY)}: not installable: {error.strip().splitlines()[-1]}")
    return folder


def environment(*folders: Path) -> dict[str, str]:
    """The environment of a Snakemake that finds plugins in some folders."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("SNAKEMAKE", "SLURM"))}
    return kept | {"PYTHONPATH": os.pathsep.join(map(str, folders))}
