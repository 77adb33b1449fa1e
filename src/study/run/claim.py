"""One run at a time makes the files of a folder.

The kernel keeps the claim, and drops it when the run ends, however that is: nothing is left to be released. Snakemake's
own lock is not used, because runs that start together pass it together, and the one that ends first removes it for all.
"""

from __future__ import annotations

import atexit
import fcntl
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import IO

from study.errors import StudyError

FILE = ".running"

_held: list[IO[str]] = []


@atexit.register
def _empty() -> None:
    """Leave empty files, so that equal runs leave equal folders; if they were removed, two others could get in."""
    for stream in _held:
        stream.truncate(0)


def claimed(files: Iterable[str], places: Iterable[str]) -> list[str]:
    """Return those of the folders `places` that the files are made in: for each the nearest above it."""
    known = {Path(place): place for place in places}
    nearest = (next((known[above] for above in Path(file).parents if above in known), None) for file in files)
    return sorted({place for place in nearest if place is not None})


def claim(folders: Iterable[str], again: str) -> None:
    """Claim folders until this process ends, or raise StudyError if another run has one of them."""
    for folder in folders:
        Path(folder).mkdir(parents=True, exist_ok=True)
        stream = open(Path(folder) / FILE, "a+", encoding="utf-8")  # noqa: SIM115
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            stream.seek(0)
            raise StudyError(
                f"{folder}: expected to be the only run that makes this folder, found another one under way "
                f"({stream.read(200).strip() or 'it has just begun'}); wait for its end, or end it, then: {again}"
            ) from None
        except OSError as error:
            print(f"{folder}: cannot be claimed ({error.strerror}): start no other run of it.", file=sys.stderr)
        stream.truncate(0)
        stream.write(f"process {os.getpid()} on {os.uname().nodename}")
        stream.flush()
        _held.append(stream)
