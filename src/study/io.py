"""Read and write files: completely or not at all, and the same content as the same bytes."""

import fcntl
import hashlib
import json
import os
import shutil
import sys
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np

import graphiht._files
from study.errors import StudyError

REMEDY = "Delete it and run the same command again."


def say(text: str) -> None:
    """Print a line of progress to stderr."""
    print(text, file=sys.stderr, flush=True)


@contextmanager
def replacing(path: str | Path) -> Iterator[Path]:
    """Yield a temporary path that replaces `path` when the block ends without an error; make its folder."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    with graphiht._files.replacing(path) as partial:
        yield partial


@contextmanager
def downloading(path: str | Path) -> Iterator[Path]:
    """Yield a temporary path like `replacing`.

    One download at a time writes into a folder, so what is half-written there is of a killed one, and is removed.
    """
    folder = Path(path).parent
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # a file system without locks
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            for left in folder.glob(".*.part"):
                shutil.rmtree(left) if left.is_dir() else left.unlink()
        with replacing(path) as partial:
            yield partial
    finally:
        os.close(descriptor)


def sha256(path: str | Path) -> str:
    """Return the sha256 of a file."""
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def check_sha256(path: str | Path, expected: str) -> None:
    """Raise StudyError unless the sha256 of a file is `expected`."""
    if not Path(path).is_file():
        raise StudyError(f"{path}: the file is missing. Run the same command again to download it.")
    found = sha256(path)
    if found != expected:
        raise StudyError(
            f"{path}: sha256 is {found}, not {expected} ({Path(path).stat().st_size:,} bytes): the file is damaged or "
            f"was changed. {REMEDY}"
        )


def write_text(path: str | Path, text: str) -> None:
    """Write `text` as UTF-8."""
    with replacing(path) as partial:
        partial.write_text(text, encoding="utf-8")


def write_bytes(path: str | Path, content: bytes) -> None:
    """Write `content`."""
    with replacing(path) as partial:
        partial.write_bytes(content)


def write_json(path: str | Path, value: object) -> None:
    """Write `value` as indented JSON; floats keep every bit, NaN is refused."""
    write_text(path, json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False) + "\n")


def read_json(path: str | Path) -> dict:
    """Return the content of a JSON file that the workflow wrote."""
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except ValueError as error:
        raise StudyError(f"{path}: not the JSON file that the workflow wrote ({error}). {REMEDY}") from None


def write_arrays(path: str | Path, arrays: dict[str, np.ndarray]) -> None:
    """Write named arrays as an .npz file without pickles."""
    with replacing(path) as partial, open(partial, "wb") as file:
        np.savez(file, **arrays, allow_pickle=False)


def read_arrays(path: str | Path, keys: tuple[str, ...], optional: tuple[str, ...] = ()) -> dict[str, np.ndarray]:
    """Return the arrays `keys` of an .npz file that the workflow wrote; the `optional` ones if it has them."""
    try:
        with np.load(path, allow_pickle=False) as stored:
            return {key: stored[key] for key in keys if key in stored or key not in optional}
    except FileNotFoundError:
        raise StudyError(f"{path}: the file is missing. Run the same command again.") from None
    except (OSError, ValueError, EOFError, KeyError, AttributeError, zipfile.BadZipFile, zlib.error) as error:
        raise StudyError(f"{path}: not the .npz file that the workflow wrote ({error}). {REMEDY}") from None
