"""A disk that is full: one sentence, nothing lost, and once there is room, on one core, the bytes of a run on two."""

import os
import subprocess

import pytest

from sandbox import RUN, copy_of, result_bits, snakemake

pytestmark = pytest.mark.workflow

LARGE = 512 * 2**20


@pytest.fixture
def disk(tmp_path):
    """A disk of its own; mounting takes root."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={LARGE}", "tmpfs", folder], capture_output=True)
    if mounted.returncode:
        pytest.skip("no disk can be mounted here")
    yield folder
    subprocess.run(["umount", "--lazy", folder], check=True)


def resize(folder, size):
    subprocess.run(["mount", "-o", f"remount,size={size}", folder], check=True)


def test_a_full_disk_stops_the_run_which_continues_with_more_room(blank, finished, disk):
    study = copy_of(blank, disk / "study")
    found = os.statvfs(disk)
    resize(disk, (found.f_blocks - found.f_bfree) * found.f_frsize + 300_000)
    said = snakemake(study, f"{RUN}/SHA256SUMS", "--cores", "1", ok=False)
    assert "No space left on device" in said
    kept = result_bits(study)
    resize(disk, LARGE)
    snakemake(study, f"{RUN}/SHA256SUMS", "--cores", "1")
    bits = result_bits(study)
    assert bits == result_bits(finished)
    assert all(bits[name] == digest for name, digest in kept.items() if name.startswith("fits/"))
