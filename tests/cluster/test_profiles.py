"""Snakemake takes the profiles as they are, with the plugins that their requirements name."""

import re
import subprocess

import pytest

from plugins import PROFILES, environment, plugins_of
from sandbox import make_sandbox

pytestmark = pytest.mark.workflow


def test_plugins_are_pinned():
    assert sorted(path.name for path in PROFILES.iterdir()) == ["default", "slurm"]
    pins = (PROFILES / "slurm/requirements.txt").read_text().splitlines()
    assert all(re.fullmatch(r"snakemake-executor-plugin-[a-z-]+==[\d.]+", pin) for pin in pins)


def test_slurm_profile_submits_a_group_per_trial(tmp_path, tmp_path_factory):
    folder = make_sandbox(tmp_path / "a study")
    words = [".venv/bin/snakemake", "-n", "--quiet", "progress", "--workflow-profile", "workflow/profiles/slurm"]
    done = subprocess.run(
        [*words, "--configfile", "config/ring.json"],
        cwd=folder,
        env=environment(plugins_of("slurm", tmp_path_factory.getbasetemp())),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.findall(r"Group job (\w+) ", done.stdout + done.stderr) == ["fits", "fits"]
