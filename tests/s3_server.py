"""An S3 server of its own on the loopback address: moto's, in memory, with one bucket."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from conftest import REPOSITORY
from plugins import environment, installed, plugins_of
from slurm_server import free_ports

KEYS = {"SNAKEMAKE_STORAGE_S3_ACCESS_KEY": "testing", "SNAKEMAKE_STORAGE_S3_SECRET_KEY": "testing"}
PREFIX = "s3://bucket/study"
# Runs where boto3 is, which the project does not require.
CLIENT = """
import sys
from pathlib import Path
import boto3
what, url, folder = sys.argv[1:]
keys = {"aws_access_key_id": "testing", "aws_secret_access_key": "testing", "region_name": "us-east-1"}
s3 = boto3.client("s3", endpoint_url=url, **keys)
folder = Path(folder)
if what == "put":
    s3.create_bucket(Bucket="bucket")
    for line in sys.stdin.read().splitlines():
        s3.upload_file(str(folder / line), "bucket", f"study/{line}")
else:
    for page in s3.get_paginator("list_objects_v2").paginate(Bucket="bucket", Prefix="study/"):
        for found in page["Contents"]:
            file = folder / found["Key"].removeprefix("study/")
            file.parent.mkdir(parents=True, exist_ok=True)
            s3.download_file("bucket", found["Key"], str(file))
"""


class Bucket:
    """What Snakemake must be told to use the server, and how files get there and back."""

    def __init__(self, url: str, packages: Path):
        self.url, self.packages = url, packages
        self.options = ["--default-storage-prefix", PREFIX, "--storage-s3-endpoint-url", url]

    def _client(self, what: str, folder: Path, files: list[str]) -> None:
        words = [sys.executable, "-c", CLIENT, what, self.url, str(folder)]
        subprocess.run(words, input="\n".join(files), text=True, env=environment(self.packages), check=True)

    def put(self, folder: Path, files: list[str]) -> None:
        """Store some files of a folder."""
        self._client("put", folder, files)

    def get(self, folder: Path) -> Path:
        """Fetch everything into a folder."""
        self._client("get", folder, [])
        return folder


@pytest.fixture
def bucket(tmp_path, tmp_path_factory):
    base = tmp_path_factory.getbasetemp()
    server = installed(REPOSITORY / "tests/cluster/requirements.txt", base)
    (port,) = free_ports(1)
    with open(tmp_path / "moto.log", "w") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)],
            env=environment(server),
            stdout=log,
            stderr=log,
        )
    try:
        end = time.monotonic() + 60
        while "Running on" not in (tmp_path / "moto.log").read_text():
            assert process.poll() is None, (tmp_path / "moto.log").read_text()
            assert time.monotonic() < end, "moto did not start within a minute"
            time.sleep(0.2)
        yield Bucket(f"http://127.0.0.1:{port}", plugins_of("s3", base))
    finally:
        process.terminate()
        process.wait()
