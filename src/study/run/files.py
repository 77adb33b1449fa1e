"""Write a file completely or not at all, with its checksum beside it, and read it only if it still has that."""

from __future__ import annotations

import hashlib
import json
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

import graphiht._files
from study.run import scheduler
from study.run.errors import StudyError

# Arrays from this size on are mapped. The kind of extra field that only aligns what follows it, in a zip file.
MAPPED_BYTES, FILLING = 1_000_000, 0xD935


@contextmanager
def replacing(path: str | Path, record: bool = False) -> Iterator[Path]:
    """Yield a temporary neighbour of `path` that takes its place when the block ends without an error.

    With `record` its sha256 is written beside it before it has its name: what a killed job leaves never has the right
    one. A job whose run has ended writes nothing (`study.run.scheduler`).
    """
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)

    def before(partial: Path) -> None:
        scheduler.stop_without()
        if record:
            record_of(path).write_text(f"{sha256(partial)}  {path.name}\n", encoding="utf-8")

    with graphiht._files.replacing(path, before) as partial:
        yield partial


def sha256(path: str | Path) -> str:
    """Return the sha256 of a file."""
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def record_of(path: str | Path) -> Path:
    """Return where the checksum of a result is; `sha256sum -c` reads it, too."""
    path = Path(path)
    return path.with_name(f".{path.name}.sha256")


def recorded(path: str | Path) -> str:
    """Return the sha256 that a result was written with, after a look at whether it still has it."""
    check_written(path)
    try:
        return record_of(path).read_text(encoding="utf-8").partition(" ")[0]
    except FileNotFoundError:
        return sha256(path)


def damage(path: str | Path) -> str | None:
    """Return how a file differs from the one that was written, or None, also when no checksum was."""
    try:
        written = record_of(path).read_text(encoding="utf-8").partition(" ")[0]
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        written = ""
    found = sha256(path)
    if found == written:
        return None
    size = Path(path).stat().st_size
    return (
        f"{path}: expected the file as it was written (sha256 {written[:16] or 'lost'}), found {size:,} bytes with "
        f"{found[:16]}: damaged, or changed since"
    )


def check_written(path: str | Path) -> None:
    """Raise StudyError if a result is not as it was written."""
    try:
        why = damage(path)
    except OSError as error:
        why = None if isinstance(error, FileNotFoundError) else f"{path}: expected a file that can be read; {error}"
    if why:
        raise StudyError(f"{why}; {mended()}.")


def mended() -> str:
    """Return what makes a damaged result anew."""
    return f"`{scheduler.again()}` makes it again"


def write_text(path: str | Path, text: str, record: bool = True) -> None:
    """Write `text` as UTF-8; without a record what is no result of a run."""
    with replacing(path, record) as partial:
        partial.write_text(text, encoding="utf-8")


def write_json(path: str | Path, value: object, record: bool = True) -> None:
    """Write `value` as readable JSON; floats keep every bit, and NaN is refused."""
    write_text(path, json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False) + "\n", record)


def read_json(path: str | Path) -> dict:
    """Return the content of a JSON file, which must be as it was written."""
    check_written(path)
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except ValueError as error:
        raise StudyError(f"{path}: expected a JSON file written by this workflow, found {error}; {mended()}.") from None


def write_arrays(path: str | Path, arrays: dict[str, np.ndarray]) -> None:
    """Write named arrays as an .npz without pickles; the same arrays give the same bytes.

    Not compressed, and every array begins at a multiple of 64 bytes, so that it can be mapped: every job reads such a
    file, and measurements hardly shrink.
    """
    with replacing(path, record=True) as partial, open(partial, "wb") as file, zipfile.ZipFile(file, "w") as archive:
        for key, array in arrays.items():
            member = zipfile.ZipInfo(f"{key}.npy")
            # Before the array come 30 bytes, the name, an extra field of our own and one of zipfile's, of 20 bytes.
            fill = -(file.tell() + 30 + len(member.filename) + 4 + 20) % 64
            member.extra = struct.pack("<HH", FILLING, fill) + bytes(fill)
            with archive.open(member, "w", force_zip64=True) as stream:
                np.lib.format.write_array(stream, np.asanyarray(array), allow_pickle=False)


def read_arrays(path: str | Path, keys: tuple[str, ...]) -> dict[str, np.ndarray]:
    """Return the arrays `keys` of an .npz file, which must be as it was written.

    Large ones are not read but mapped, read-only: jobs on one machine have a single copy of them in memory.
    """
    check_written(path)
    try:
        with np.load(path, allow_pickle=False) as stored:
            missing = [key for key in keys if key not in stored.files]
            if missing:
                raise StudyError(f"{path}: expected the arrays {', '.join(keys)}; found no {missing[0]}; {mended()}.")
            return {key: _mapped(path, stored, key) for key in keys}
    except FileNotFoundError:
        raise StudyError(f"{path}: expected a file written by this workflow, found none; {mended()}.") from None
    except (OSError, ValueError, EOFError, KeyError, AttributeError, zipfile.BadZipFile, zlib.error) as error:
        raise StudyError(f"{path}: expected a complete .npz file, found a damaged one ({error}); {mended()}.") from None


def _mapped(path: str | Path, stored: np.lib.npyio.NpzFile, key: str) -> np.ndarray:
    """Return an array of an .npz file, mapped if it is large and not compressed."""
    info = stored.zip.getinfo(f"{key}.npy")
    if info.file_size < MAPPED_BYTES or info.compress_type != zipfile.ZIP_STORED:
        return stored[key]
    with stored.zip.open(info) as stream:
        read = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}
        shape, is_fortran, dtype = read[np.lib.format.read_magic(stream)](stream)
        header = stream.tell()
    with open(path, "rb") as file:
        # A member begins with 30 bytes, the lengths of its name and of an extra field last, and these two.
        file.seek(info.header_offset + 26)
        start = info.header_offset + 30 + sum(struct.unpack("<HH", file.read(4))) + header
    return np.asarray(np.memmap(path, dtype, "r", start, shape, "F" if is_fortran else "C"))


def check_sha256(path: str | Path, expected: str, remedy: Callable[[Path], str] | None = None) -> None:
    """Raise StudyError unless the file's sha256 is `expected`."""
    path = Path(path)
    if not path.is_file():
        raise StudyError(f"{path}: expected a file with sha256 {expected}, found none.")
    found = sha256(path)
    if found != expected:
        advice = remedy(path) if remedy else "delete it and run again"
        raise StudyError(
            f"{path}: expected sha256 {expected}, found {found} ({path.stat().st_size:,} bytes): the file is "
            f"damaged or was changed; {advice}."
        )
