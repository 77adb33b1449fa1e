"""Inputs and results in S3-compatible storage: the same bits as in folders, and nothing of the study left in these."""

import subprocess

import pytest

from plugins import environment
from s3_server import KEYS
from sandbox import RUN, make_sandbox, result_bits

pytestmark = [pytest.mark.workflow, pytest.mark.long]


def test_the_same_bits(bucket, finished, tmp_path):
    folder = make_sandbox(tmp_path / "study")
    files = [*folder.glob("own/*"), *folder.glob("data/downloads/*.whl")]
    bucket.put(folder, [str(path.relative_to(folder)) for path in files])
    for path in files:
        path.unlink()
    done = subprocess.run(
        [
            ".venv/bin/snakemake",
            "--workflow-profile",
            "workflow/profiles/s3",
            *bucket.options,
            "--configfile",
            "config/ring.json",
        ],
        cwd=folder,
        env=environment(bucket.packages, **KEYS),
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    bits = result_bits(bucket.get(tmp_path / "fetched"))
    assert bits
    # Who started the run keeps its settings where he is; a storage has checksums of its own.
    assert bits == {
        name: value
        for name, value in result_bits(finished).items()
        if not name.endswith(".sha256") and name != "settings.json"
    }
    assert {path.name for path in folder.glob(f"{RUN}/*")} <= {"logs", "settings.json", ".settings.json.sha256"}
    assert (tmp_path / "fetched/reports/report.html").stat().st_size > 10_000
