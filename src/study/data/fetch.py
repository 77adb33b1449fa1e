"""Fetch a file over http or from a folder: resumed, retried, verified by its git blob id, and whole or not there."""

from __future__ import annotations

import csv
import hashlib
import http.client
import os
import shutil
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Sequence
from pathlib import Path

from study.run.command import say
from study.run.errors import StudyError
from study.run.files import replacing

PAUSES = (1.0, 2.0, 4.0)
TIMEOUT = 30.0
CHUNK = 1 << 16
BLOB_ID_DIGITS = 40
# A server that is busy or being restarted; any other refusal will be the same next time.
PASSING = {408, 425, 429, 500, 502, 503, 504}
REMEDY = (
    "To use a copy, set published: base_url to a mirror or to a local folder; to do without, use the cohort nki "
    "(the default configuration), which needs no internet for this"
)


class Interrupted(Exception):
    """A transfer that may succeed when tried again; the message says what happened."""


class Refused(Exception):
    """A transfer that will not succeed when tried again; the message says why."""


def read_files(path: str | Path) -> dict[str, tuple[str, str]]:
    """Return {file name: (path in the repository, git blob id)} of the published files."""
    with open(path, newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    for row in rows:
        blob = row["git_blob_sha1"] or ""
        if len(blob) != BLOB_ID_DIGITS or set(blob) - set("0123456789abcdef"):
            raise StudyError(
                f"{path}: expected a git blob id of {BLOB_ID_DIGITS} hexadecimal digits for {row['path']}, found "
                f"{blob or 'none'}."
            )
    return {Path(row["path"]).name: (row["path"], row["git_blob_sha1"]) for row in rows}


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


def find_file(table: str | Path, name: str) -> tuple[str, str]:
    """Return (path in the repository, git blob id) of one of the published files."""
    files = read_files(table)
    if name not in files:
        raise StudyError(f"{table}: expected a row for {name}, found {', '.join(files)}.")
    return files[name]


def check_published(paths: Sequence[str | Path], table: str | Path) -> None:
    """Raise StudyError unless every path is the published file of its name."""
    for path in paths:
        check_blob_id(path, find_file(table, Path(path).name)[1])


def part_of(target: Path) -> Path:
    """Return where the bytes of an unfinished transfer are kept, to be continued by the next run."""
    return target.with_name(f".{target.name}.part")


def fetch(base: str, name: str, expected: str, target: str | Path, pauses: Sequence[float] = PAUSES) -> None:
    """Write the file `name` below `base` to `target`, verified.

    Parameters
    ----------
    base : str
        An http(s) or file address, or a folder.
    name : str
        Path of the file below it; in a folder the bare file name is looked for too.
    expected : str
        Its git blob id.
    target : path
        Appears only when complete and verified. Until then the bytes are in `part_of(target)`, which is never
        taken for the file, and from which the next call continues.
    pauses : sequence of float
        Seconds before each new attempt; an attempt that got further than all before it starts the sequence anew.

    Whether the file changed on the server between two attempts is not asked (not every mirror has ETags): the id
    tells, and a continued file with a wrong one is fetched again from its beginning, once.
    """
    target = Path(target)
    scheme = base.partition("://")[0] if "://" in base else "folder"
    if scheme not in ("http", "https", "file", "folder"):
        raise StudyError(
            f"config: published: base_url: expected an address that starts with http://, https:// or file://, or a "
            f"folder, found {base}."
        )
    target.parent.mkdir(parents=True, exist_ok=True)
    if scheme in ("file", "folder"):
        _copy(base, name, expected, target)
    else:
        address = f"{base.rstrip('/')}/{urllib.parse.quote(name)}"
        part = part_of(target)
        resumed = _transfer(address, part, target, pauses)
        if resumed and git_blob_id(part) != expected:
            say(f"{target.name}: the continued file has another id than expected; starting again")
            part.unlink()
            _transfer(address, part, target, pauses)
        found = git_blob_id(part)
        if found != expected:
            size = part.stat().st_size
            part.unlink()
            raise StudyError(
                f"{target}: expected the file at {address} to have git blob id {expected}, found {found} "
                f"({size:,} bytes): another version, or damaged on the way; nothing was kept. {REMEDY}."
            )
        os.replace(part, target)
    say(f"fetched {target} ({target.stat().st_size / 1e6:.1f} MB, git blob id verified)")


def _copy(base: str, name: str, expected: str, target: Path) -> None:
    """Copy the file out of a local folder."""
    folder = Path(urllib.request.url2pathname(urllib.parse.urlsplit(base).path) if "://" in base else base)
    places = [folder / name, folder / Path(name).name]
    source = next((place for place in places if place.is_file()), None)
    if source is None:
        raise StudyError(
            f"{target}: expected {places[0]} or {places[1]} (published: base_url is {base}), found neither."
        )
    check_blob_id(source, expected)
    with replacing(target) as partial:
        shutil.copyfile(source, partial)


def _transfer(address: str, part: Path, target: Path, pauses: Sequence[float]) -> bool:
    """Bring the whole file to `part`, in several attempts if need be; return whether one continued another.

    Raises StudyError when the pauses are used up; what has arrived stays in `part`.
    """
    left, attempts, furthest, resumed = list(pauses), 0, 0, False
    while True:
        attempts += 1
        size = part.stat().st_size if part.is_file() else 0
        resumed = resumed or size > 0
        try:
            _attempt(address, part, size, target.name)
            return resumed
        except Refused as error:
            part.unlink(missing_ok=True)
            raise _failure(target, address, attempts, str(error)) from None
        except Interrupted as error:
            arrived = part.stat().st_size if part.is_file() else 0
            if arrived > furthest:
                furthest, left = arrived, list(pauses)
            if not left:
                if not arrived:
                    part.unlink(missing_ok=True)
                raise _failure(target, address, attempts, str(error), arrived) from None
            say(f"{target.name}: {error}; trying again in {left[0]:g} s")
            time.sleep(left.pop(0))


def _failure(target: Path, address: str, attempts: int, reason: str, arrived: int = 0) -> StudyError:
    """Return the error that says what was tried, why it failed and what else can be done."""
    times = "once" if attempts == 1 else f"{attempts} times"
    kept = f" {arrived:,} bytes have arrived; the next run continues from there." if arrived else ""
    return StudyError(f"{target}: tried {address} {times}, without success: {reason}.{kept} {REMEDY}.")


def _attempt(address: str, part: Path, size: int, name: str) -> None:
    """Append to `part` what it lacks, from its byte `size` on; raise Interrupted or Refused if that fails."""
    request = urllib.request.Request(address, headers={"User-Agent": "graphiht-study"})
    if size:
        request.add_header("Range", f"bytes={size}-")
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT) as response:
            start = _start_of(response, part, size)
            length = response.headers.get("Content-Length")
            total = start + int(length) if length else None
            with open(part, "r+b" if start else "wb") as stream:
                stream.seek(start)
                stream.truncate()
                arrived = _pour(response, stream, start, total, name)
    except urllib.error.HTTPError as error:
        error.close()
        if error.code == 416:
            _settle_range(error, part, size)
        elif error.code in PASSING:
            raise Interrupted(f"the server answered {error.code} {error.reason}") from None
        else:
            raise Refused(f"the server answered {error.code} {error.reason}") from None
    except urllib.error.URLError as error:
        raise Interrupted(f"no connection ({error.reason})") from None
    except (OSError, http.client.HTTPException) as error:
        raise Interrupted(f"the transfer broke ({error or type(error).__name__})") from None
    else:
        if total is not None and arrived < total:
            raise Interrupted(f"the connection ended early: expected {total:,} bytes, {arrived:,} have arrived")


def _start_of(response: http.client.HTTPResponse, part: Path, size: int) -> int:
    """Return the position of the answer's first byte: 0 when the server sends the file from its beginning."""
    if response.status != 206:
        return 0
    sent = response.headers.get("Content-Range", "")
    if not sent.startswith(f"bytes {size}-"):
        part.unlink()
        raise Interrupted(f"asked for the bytes from {size} on, the server sent {sent or 'an unnamed range'}")
    return size


def _settle_range(error: urllib.error.HTTPError, part: Path, size: int) -> None:
    """Accept a `part` that is already whole; throw away one that is longer than the file."""
    if error.headers.get("Content-Range", "") != f"bytes */{size}":
        part.unlink()
        raise Interrupted("what had arrived before does not fit the file and was thrown away")


def _pour(response: http.client.HTTPResponse, stream, start: int, total: int | None, name: str) -> int:
    """Write the answer to `stream` with progress on stderr; return the size reached."""
    arrived, began = start, time.monotonic()
    shown = began
    if start:
        say(f"{name}: continuing after {start / 1e6:.1f} MB")
    while True:
        chunk = response.read(CHUNK)
        if not chunk:
            return arrived
        stream.write(chunk)
        arrived += len(chunk)
        now = time.monotonic()
        if now - shown >= 1 or arrived == total:
            shown = now
            say(progress_line(name, arrived, total, arrived - start, now - began))


def progress_line(name: str, arrived: int, total: int | None, poured: int, seconds: float) -> str:
    """Return how far a transfer is: bytes, and with a known total the share and the seconds left."""
    if not total:
        return f"{name}: {arrived / 1e6:.1f} MB"
    left = (total - arrived) * seconds / poured
    return f"{name}: {arrived / 1e6:.1f} of {total / 1e6:.1f} MB, {arrived / total:.0%}, {left:.0f} s left"
