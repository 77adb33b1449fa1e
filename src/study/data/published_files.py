"""The files behind the paper's tables: fetch them, verified by the ids under which git stores them."""

from __future__ import annotations

import csv
import hashlib
import http.client
import signal
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from graphiht.tables import shown
from study.errors import StudyError
from study.io import replacing, say

LARGEST = 256_000_000  # bytes of a file whose size the table does not have
LONGEST = 1800.0  # seconds for one file, all attempts together
SILENCE = 30.0  # seconds without a byte that end an attempt
PAUSES = (1.0, 2.0, 4.0)  # seconds before each further attempt
FINAL = {401, 403, 404, 410}  # answers that stay the same when asked again
REMEDY = (
    "Set `published: base_url` to a mirror or to a local folder that has the file, or use the default cohort nki, "
    "which needs none of these files."
)


class PublishedFile(NamedTuple):
    """A row of data/published_files.csv: path in the repository, git blob id, and bytes where they are known."""

    path: str
    blob: str
    size: int | None


def read_files(table: str | Path) -> dict[str, PublishedFile]:
    """Return the published files by name."""
    with open(table, newline="", encoding="utf-8") as stream:
        return {
            Path(row["path"]).name: PublishedFile(row["path"], row["git_blob_sha1"], int(row["bytes"] or 0) or None)
            for row in csv.DictReader(stream)
        }


def find_file(table: str | Path, name: str) -> PublishedFile:
    """Return the row of one published file."""
    files = read_files(table)
    if name not in files:
        raise StudyError(f"{table}: no row for {name}. It has {', '.join(files)}.")
    return files[name]


def git_blob_id(content: bytes) -> str:
    """Return the id under which git stores a file with this content."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def check_published(paths: Sequence[str | Path], table: str | Path) -> None:
    """Raise StudyError unless every path is the published file of its name."""
    for path in map(Path, paths):
        expected = find_file(table, path.name).blob
        if not path.is_file():
            raise StudyError(f"{path}: the file is missing. Run the same command again to download it.")
        found = git_blob_id(path.read_bytes())
        if found != expected:
            raise StudyError(
                f"{path}: git blob id is {found}, not {expected}: the file is damaged or was changed. Delete it and "
                "run the same command again."
            )


def fetch(
    base: str, file: PublishedFile, target: str | Path, pauses: Sequence[float] = PAUSES, seconds: float = LONGEST
) -> None:
    """Write a published file to `target`, verified by its git blob id, or raise StudyError and write nothing.

    `base` is an http(s) or file:// address, or a folder, which may hold the file at its path or by its bare name.
    `pauses` are the seconds before each further attempt, `seconds` the longest time for all of them.
    """
    if "://" not in base or base.startswith("file://"):
        source, content = _copy(base, file)
    else:
        _check_address(base)
        source = f"{base.rstrip('/')}/{urllib.parse.quote(file.path)}"
        try:
            with _time_limit(seconds):
                content = _download(source, file.size or LARGEST, pauses)
        except (OSError, http.client.HTTPException, ValueError, _OutOfTime) as error:
            reason = shown(str(error) or type(error).__name__, 150)[1:-1]
            raise StudyError(f"{target}: cannot download {source} ({reason}). {REMEDY}") from None
    found = git_blob_id(content)
    if found != file.blob:
        raise StudyError(
            f"{target}: {source} has git blob id {found}, not {file.blob} ({len(content):,} bytes): another version, "
            f"or damaged on the way. {REMEDY}"
        )
    with replacing(target) as partial:
        partial.write_bytes(content)
    say(f"fetched {target} ({len(content) / 1e6:.1f} MB, git blob id verified)")


def _copy(base: str, file: PublishedFile) -> tuple[str, bytes]:
    """Return where the file is in a local folder, and its content."""
    folder = Path(urllib.request.url2pathname(urllib.parse.urlsplit(base).path) if "://" in base else base)
    for path in (folder / file.path, folder / Path(file.path).name):
        if path.is_file():
            return str(path), path.read_bytes()
    raise StudyError(f"config: published: base_url: neither {folder / file.path} nor {path} exists. {REMEDY}")


def _check_address(base: str) -> None:
    """Raise StudyError unless `base` is an http(s) address with a host."""
    try:
        parts = urllib.parse.urlsplit(base)
        is_good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_good = False
    if not is_good or not base.isascii() or not base.isprintable() or " " in base:
        raise StudyError(
            f"config: published: base_url: {shown(base, 100)} is no address. Write one like "
            "https://example.org/files or file:///folder, or a folder."
        )


def _download(address: str, most: int, pauses: Sequence[float]) -> bytes:
    """Return the content of an address, at most `most` bytes; try again after each pause."""
    for pause in pauses:
        try:
            return _get(address, most)
        except (OSError, http.client.HTTPException) as error:
            if getattr(error, "code", None) in FINAL:
                raise
            say(f"{address}: {shown(error, 150)[1:-1]}; trying again in {pause:g} s")
            time.sleep(pause)
    return _get(address, most)


def _get(address: str, most: int) -> bytes:
    with urllib.request.urlopen(address, timeout=SILENCE) as response:
        content = response.read(most + 1)
        if len(content) > most:
            raise ValueError(f"it has more than {most:,} bytes")
        if response.length:
            raise http.client.IncompleteRead(content, response.length)
        return content


class _OutOfTime(Exception):
    """The time is over; no OSError, after which another attempt would follow."""


@contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Raise _OutOfTime in the block after `seconds`, even while it waits for a server."""

    def stop(*_: object) -> None:
        raise _OutOfTime(f"no complete answer in {seconds:g} s")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
