"""Write a file completely or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: str | Path, before: Callable[[Path], None] = lambda partial: None) -> Iterator[Path]:
    """Yield a temporary neighbour of `path` that takes its place when the block ends without an error.

    The bytes are on the disk before they get their name, and the name is there when this returns, also after a loss of
    power. `before` is called with the whole temporary file just before it gets its name.
    """
    path = Path(path)
    partial = path.with_name(f".{path.name}{temporary_suffix()}")
    try:
        yield partial
        _flush(partial)
        before(partial)
        os.replace(partial, path)
        _flush(path.parent)
    finally:
        partial.unlink(missing_ok=True)


def temporary_suffix() -> str:
    """Return how the name of an unfinished file ends: with its writer, so that one can tell what the dead have left."""
    return f".{os.uname().nodename.partition('.')[0]}.{os.getpid()}.part"


def _flush(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
