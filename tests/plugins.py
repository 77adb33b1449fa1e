"""Snakemake's plugins for clusters and storage: in a folder of their own, because the project does not require them."""

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from conftest import REPOSITORY
from sandbox import once

PROFILES = REPOSITORY / "workflow/profiles"


def plugins_of(profile: str, base: Path) -> Path:
    """The folder with the packages that a profile needs beside ours; the test is skipped where they cannot be had."""

    def install(folder):
        pip = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--no-deps", "--python", sys.executable]
        words = [*pip, "--target", str(folder), "-r", str(PROFILES / profile / "requirements.txt")]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        folder.mkdir(exist_ok=True)
        (folder / "error").write_text(done.stderr if done.returncode else "")

    folder = once(base, f"plugins of {profile}", install)
    if error := (folder / "error").read_text():
        pytest.skip(f"the packages of profile {profile} could not be installed: {error.strip().splitlines()[-1]}")
    return folder


def environment(*folders: Path) -> dict[str, str]:
    """The environment of a Snakemake that finds plugins in some folders."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("SNAKEMAKE", "SLURM"))}
    return kept | {"PYTHONPATH": os.pathsep.join(map(str, folders))}
