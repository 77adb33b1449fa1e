"""The manifest names what a result depends on."""

import hashlib
import subprocess

import numpy

from conftest import copy_repository
from study.run.manifest import make_manifest, source_digest


def test_manifest_names_versions_seed_and_data(repository, tmp_path):
    data = tmp_path / "study.npz"
    data.write_bytes(b"data")
    manifest = make_manifest(repository, [str(data)], {"seed": 5})
    assert manifest["packages"]["numpy"] == numpy.__version__
    assert manifest["seed"] == 5
    assert manifest["data_sha256"] == {"study.npz": hashlib.sha256(b"data").hexdigest()}
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=repository, capture_output=True, text=True, check=True)
    assert manifest["commit"].startswith(head.stdout.strip())
    assert manifest["processor"]


def test_source_digest_changes_with_any_source(tmp_path):
    copy = copy_repository(tmp_path / "copy")
    before = source_digest(copy)
    (copy / "workflow/Snakefile").write_text("# changed\n")
    assert source_digest(copy) != before
