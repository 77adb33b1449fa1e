"""The files behind the paper's tables: fetch them, verified by the ids under which git stores them."""

import csv
import hashlib
import http.client
import signal
import time
import urllib.parse
import urllib.request
from pathlib import Path

from graphiht.tables import shown
from study.errors import StudyError
from study.io import downloading, say

LARGEST = 256_000_000  # bytes of a file
LONGEST = 1800  # seconds for a file, all attempts together
SILENCE = 30  # seconds without a byte that end an attempt
PAUSES = (1, 2, 4)  # seconds before each further attempt
REMEDY = (
    "Set `published: base_url` to a mirror or to a local folder that has the file, or use the default cohort nki and "
    "network scnet, which need none of these files."
)


def read_blobs(table: str | Path) -> dict[str, str]:
    """Return the git blob ids of the published files by name; in the repository they are in its folder data."""
    with open(table, newline="", encoding="utf-8") as stream:
        return {Path(row["path"]).name: row["git_blob_sha1"] for row in csv.DictReader(stream)}


def git_blob_id(content: bytes) -> str:
    """Return the id under which git stores a file with this content."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def check_published(path: str | Path, table: str | Path) -> None:
    """Raise StudyError unless a path is the published file of its name."""
    expected, found = read_blobs(table)[Path(path).name], git_blob_id(Path(path).read_bytes())
    if found != expected:
        raise StudyError(
            f"{path}: git blob id is {found}, not {expected}: the file is damaged or was changed. Delete it and "
            "run the same command again."
        )


def fetch(base: str, blob: str, target: str | Path) -> None:
    """Write a published file to `target`, verified by its git blob id, or raise StudyError and write nothing.

    `base` is an address or a local folder with the file in its folder data.
    """
    folder = base if "://" in base else Path(base).absolute().as_uri()
    source = f"{folder.rstrip('/')}/data/{urllib.parse.quote(Path(target).name)}"
    with downloading(target) as partial:
        try:
            content = _patiently(source, blob)
        except (OSError, ValueError, http.client.HTTPException, _OutOfTime) as error:
            why = shown(str(error) or type(error).__name__, 150)[1:-1]
            raise StudyError(f"{target}: cannot download {shown(source, 200)[1:-1]} ({why}). {REMEDY}") from None
        partial.write_bytes(content)
    say(f"fetched {target} ({len(content) / 1e6:.1f} MB, git blob id verified)")


class _OutOfTime(Exception):
    """The time for a file is over; no OSError, after which another attempt would follow."""


def _stop(*_: object) -> None:
    raise _OutOfTime(f"no complete answer in {LONGEST} s")


def _patiently(source: str, blob: str) -> bytes:
    """Return the content of an address; try again after each pause."""
    signal.signal(signal.SIGALRM, _stop)
    signal.alarm(LONGEST)
    try:
        for pause in PAUSES:
            try:
                return _get(source, blob)
            except (OSError, http.client.HTTPException) as error:
                if getattr(error, "code", None) == 404:
                    raise
                say(f"{shown(source, 200)[1:-1]}: {shown(error, 150)[1:-1]}; trying again in {pause} s")
                time.sleep(pause)
        return _get(source, blob)
    finally:
        signal.alarm(0)


def _get(source: str, blob: str) -> bytes:
    with urllib.request.urlopen(source, timeout=SILENCE) as response:
        content = response.read(LARGEST)
    found = git_blob_id(content)
    if found != blob:
        raise OSError(f"its git blob id is {found}, not {blob}: damaged on the way, or another version")
    return content
