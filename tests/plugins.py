"""Snakemake's plugins for clusters and storage, in folders of their own, because the project does not require them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import REPOSITORY
from sandbox import once

PROFILES = REPOSITORY / "workflow/profiles"


def installed(requirements: Path, base: Path) -> Path:
    """A folder with pinned packages; the test is skipped where they cannot be had."""

    def install(folder):
        pip = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--no-deps", "--python", sys.executable]
        done = subprocess.run(
            [*pip, "--target", str(folder), "-r", str(requirements)], capture_output=True, text=True, check=False
        )
        folder.mkdir(exist_ok=True)
        (folder / "error").write_text(done.stderr if done.returncode else "")

    folder = once(base, f"packages of {requirements.parent.name}", install)
    if error := (folder / "error").read_text():
        pytest.skip(f"{requirements.relative_to(REPOSITORY)}: not installable: {error.strip().splitlines()[-1]}")
    return folder


def plugins_of(profile: str, base: Path) -> Path:
    """The folder with the packages that a profile needs beside ours."""
    return installed(PROFILES / profile / "requirements.txt", base)


def environment(*folders: Path, **more: str) -> dict[str, str]:
    """The environment of a Snakemake that finds plugins in some folders."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("SNAKEMAKE", "SLURM"))}
    return kept | {"PYTHONPATH": os.pathsep.join(map(str, folders))} | more
