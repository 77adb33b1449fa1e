"""One run at a time writes into a folder of results."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import IO

from study.errors import StudyError
from study.io import say

FILE = ".running"
_held: list[IO[str]] = []


def lock(folder: str | Path, resume_command: str) -> None:
    """Lock a folder until this process ends; raise StudyError if another run has it.

    The kernel keeps the lock and drops it when the process ends, however it ends, so a killed run leaves nothing to
    unlock. Snakemake's own lock stays behind after a kill.
    """
    Path(folder).mkdir(parents=True, exist_ok=True)
    stream = open(Path(folder) / FILE, "a+", encoding="utf-8")  # noqa: SIM115
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        stream.seek(0)
        raise StudyError(
            f"Another run ({stream.read(200).strip()}) is already writing to {folder}. Wait for its end, or end it, "
            f"then: {resume_command}"
        ) from None
    except OSError as error:
        say(f"{folder}: the file system has no locks ({error.strerror}). Start no second run in this folder.")
    stream.truncate(0)
    stream.write(f"process {os.getpid()} on {os.uname().nodename}")
    stream.flush()
    _held.append(stream)
