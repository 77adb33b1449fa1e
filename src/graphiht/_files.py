"""Write a file completely or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: str | Path, before: Callable[[Path], None] = lambda partial: None) -> Iterator[Path]:
    """Yield a temporary neighbour of `path` that takes its place when the block ends without an error.

    `before` is called with the whole temporary file just before it gets its name.
    """
    path = Path(path)
    partial = path.with_name(f".{path.name}{temporary_suffix()}")
    try:
        yield partial
        named(partial, path, before)
    finally:
        partial.unlink(missing_ok=True)


def named(partial: Path, path: Path, before: Callable[[Path], None] = lambda partial: None) -> None:
    """Give a whole file its name.

    The bytes are on the disk before they get it, and it is there when this returns, also after a loss of power.
    """
    _flush(partial)
    before(partial)
    os.replace(partial, path)
    _flush(path.parent)


def temporary_suffix() -> str:
    """Return how the name of an unfinished file ends: with its writer, so that one can tell what the dead have left."""
    return f".{os.uname().nodename.partition('.')[0]}.{os.getpid()}-{life(os.getpid())}.part"


def life(pid: int) -> str | None:
    """Return when a living process was started, in the words of the kernel: a number is given to another one day.

    None if there is none, or if it waits only to be buried; "" where the kernel does not tell.
    """
    try:
        os.kill(pid, 0)
        state, *numbers = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return None if state == "Z" else numbers[18]
    except (ProcessLookupError, OverflowError):
        return None
    except (OSError, ValueError, IndexError):
        return ""


def _flush(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
