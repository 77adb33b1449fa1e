"""Every profile: Snakemake takes it as it is, with the plugins that its own list of packages names."""

import re
import subprocess

import pytest
import yaml

from plugins import PROFILES, environment, plugins_of
from s3_server import KEYS
from sandbox import make_sandbox

pytestmark = pytest.mark.workflow

OTHERS = sorted(path.parent.name for path in PROFILES.glob("*/requirements.txt"))
# What only the owner of a cluster knows.
OWN = {
    "kubernetes": ["--container-image", "example.org/study:1"],
    "aws-batch": [
        *("--container-image", "example.org/study:1", "--aws-batch-region", "eu-central-1"),
        *("--aws-batch-job-queue", "arn:queue", "--aws-batch-job-role", "arn:role"),
    ],
}


def read(profile):
    return yaml.safe_load((PROFILES / profile / "config.yaml").read_text())


def test_every_executor_and_storage_is_pinned():
    assert OTHERS == ["aws-batch", "generic", "htcondor", "kubernetes", "s3", "slurm"]
    for profile in OTHERS:
        pins = (PROFILES / profile / "requirements.txt").read_text().splitlines()
        assert all(re.fullmatch(r"[a-z0-9-]+==[\w.]+", pin) for pin in pins)
        names = {pin.partition("==")[0] for pin in pins}
        config = read(profile)
        if "executor" in config:
            assert f"snakemake-executor-plugin-{config['executor']}" in names
        if "default-storage-provider" in config:
            assert "snakemake-storage-plugin-s3" in names


def test_cluster_profiles_submit_alike():
    shared = ("jobs", "cores", "retries", "config", "rerun-incomplete", "keep-going", "latency-wait")
    clusters = [read(profile) for profile in OTHERS if "executor" in read(profile)]
    assert len(clusters) == 5
    assert len({str([config[key] for key in shared]) for config in clusters}) == 1


def dry_run(profile, folder, base, *options):
    words = [
        ".venv/bin/snakemake",
        "-n",
        "--quiet",
        "progress",
        "--workflow-profile",
        f"workflow/profiles/{profile}",
        *options,
    ]
    done = subprocess.run(
        [*words, *OWN.get(profile, []), "--configfile", "config/ring.json"],
        cwd=folder,
        env=environment(plugins_of(profile, base), **KEYS),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def groups(said):
    return sorted(re.findall(r"Group job (\w+) ", said))


@pytest.mark.parametrize("profile", ["generic", "htcondor", "slurm"])
def test_dry_run_on_a_shared_file_system(profile, tmp_path, tmp_path_factory):
    said = dry_run(profile, make_sandbox(tmp_path / "a study"), tmp_path_factory.getbasetemp())
    assert groups(said) == ["fit", "fit", "results"]


@pytest.mark.long
@pytest.mark.parametrize("profile", ["kubernetes", "aws-batch"])
def test_dry_run_on_a_storage(profile, bucket, tmp_path, tmp_path_factory):
    folder = make_sandbox(tmp_path / "study")
    files = [*folder.glob("own/*"), *folder.glob("data/downloads/*.whl")]
    bucket.put(folder, [str(path.relative_to(folder)) for path in files])
    said = dry_run(profile, folder, tmp_path_factory.getbasetemp(), *bucket.options)
    assert groups(said) == ["fit", "fit", "results"]
