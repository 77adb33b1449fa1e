"""Write a file completely or not at all, and check one against its sha256."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from study.run.errors import StudyError


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """Yield a temporary neighbour of `path` that takes its place when the block ends without an error."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        yield partial
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)


def write_text(path: str | Path, text: str) -> None:
    """Write `text` as UTF-8."""
    with replacing(path) as partial:
        partial.write_text(text, encoding="utf-8")


def write_json(path: str | Path, value: object) -> None:
    """Write `value` as readable JSON; floats keep every bit, and NaN is refused."""
    write_text(path, json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False) + "\n")


def read_json(path: str | Path) -> dict:
    """Return the content of a JSON file."""
    return json.loads(Path(path).read_text(encoding="utf-8"))


def write_arrays(path: str | Path, arrays: dict[str, np.ndarray]) -> None:
    """Write named arrays as an .npz without pickles; the same arrays give the same bytes.

    Not compressed: every job reads such a file, and measurements hardly shrink.
    """
    with replacing(path) as partial, open(partial, "wb") as stream:
        np.savez(stream, allow_pickle=False, **arrays)


def read_arrays(path: str | Path, keys: tuple[str, ...]) -> dict[str, np.ndarray]:
    """Return the arrays `keys` of an .npz file."""
    try:
        with np.load(path, allow_pickle=False) as stored:
            missing = [key for key in keys if key not in stored.files]
            if missing:
                raise StudyError(f"{path}: expected the arrays {', '.join(keys)}; found no {missing[0]}.")
            return {key: stored[key] for key in keys}
    except FileNotFoundError:
        raise StudyError(f"{path}: expected a file written by this workflow, found none.") from None
    except (OSError, ValueError, EOFError) as error:
        raise StudyError(f"{path}: expected a complete .npz file, found a damaged one ({error}).") from None


def check_sha256(path: str | Path, expected: str, remedy: Callable[[Path], str] | None = None) -> None:
    """Raise StudyError unless the file's sha256 is `expected`."""
    path = Path(path)
    if not path.is_file():
        raise StudyError(f"{path}: expected a file with sha256 {expected}, found none.")
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != expected:
        advice = remedy(path) if remedy else "delete it and run again"
        raise StudyError(
            f"{path}: expected sha256 {expected}, found {found} ({path.stat().st_size:,} bytes): the file is "
            f"damaged or was changed; {advice}."
        )
