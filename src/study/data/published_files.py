"""The files behind the paper's tables: where they are, and the ids under which git stores them."""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from study.errors import StudyError

BLOB_ID_DIGITS = 40
CHUNK = 1 << 16


class Published(NamedTuple):
    """One row of data/published_files.csv: path in the repository, git blob id, and its bytes where they are known."""

    path: str
    blob: str
    size: int | None


def read_files(path: str | Path) -> dict[str, Published]:
    """Return the published files by name."""
    with open(path, newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    for row in rows:
        blob = row["git_blob_sha1"] or ""
        if len(blob) != BLOB_ID_DIGITS or set(blob) - set("0123456789abcdef"):
            raise StudyError(
                f"{path}: expected a git blob id of {BLOB_ID_DIGITS} hexadecimal digits for {row['path']}, found "
                f"{blob or 'none'}."
            )
    found = [Published(row["path"], row["git_blob_sha1"], int(row["bytes"]) if row["bytes"] else None) for row in rows]
    return {Path(file.path).name: file for file in found}


def git_blob_id(path: str | Path) -> str:
    """Return the id under which git stores the content of a file: sha1 of "blob <size>", a zero byte, the bytes."""
    path = Path(path)
    digest = hashlib.sha1(f"blob {path.stat().st_size}\0".encode(), usedforsecurity=False)
    with open(path, "rb") as stream:
        while chunk := stream.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def check_blob_id(path: str | Path, expected: str) -> None:
    """Raise StudyError unless the file is there and git would store it under the id `expected`."""
    path = Path(path)
    if not path.is_file():
        raise StudyError(f"{path}: expected a file with git blob id {expected}, found none.")
    found = git_blob_id(path)
    if found != expected:
        raise StudyError(
            f"{path}: expected git blob id {expected}, found {found} ({path.stat().st_size:,} bytes): the file is "
            f"damaged or was changed; delete it and run again."
        )


def find_file(table: str | Path, name: str) -> Published:
    """Return one of the published files."""
    files = read_files(table)
    if name not in files:
        raise StudyError(f"{table}: expected a row for {name}, found {', '.join(files)}.")
    return files[name]


def check_published(paths: Sequence[str | Path], table: str | Path) -> None:
    """Raise StudyError unless every path is the published file of its name."""
    for path in paths:
        check_blob_id(path, find_file(table, Path(path).name).blob)
