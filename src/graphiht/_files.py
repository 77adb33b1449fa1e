"""Write a file completely or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# What a process that ends at once must remove.
UNFINISHED: set[Path] = set()


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """Yield a temporary path next to `path` that replaces it when the block ends without an error.

    The bytes are on the disk before the file gets its name.
    """
    path = Path(path)
    partial = path.with_name(f".{path.name}.{os.getpid()}.part")
    UNFINISHED.add(partial)
    try:
        yield partial
        _flush(partial)
        os.replace(partial, path)
        _flush(path.parent)
    finally:
        partial.unlink(missing_ok=True)
        UNFINISHED.discard(partial)


def _flush(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
