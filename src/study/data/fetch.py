"""Fetch a file over http or from a folder: resumed, retried, verified by its git blob id, and whole or not there."""

from __future__ import annotations

import http.client
import shutil
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import IO

import os
from study.data.bounded import Clock, check_address, cleaned, opened
from study.data.published_files import check_blob_id, git_blob_id
from study.io import say
from study.errors import StudyError
from study.io import replacing

PAUSES = (1.0, 2.0, 4.0)
# Bounds of one file: attempts, seconds and bytes in all, and bytes per second, looked at every WINDOW seconds.
MOST_ATTEMPTS = 20
LONGEST = 1800.0
LARGEST = 256_000_000
SLOWEST, WINDOW = 100.0, 30.0
CHUNK = 1 << 16
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


def part_of(target: Path) -> Path:
    """Return where the bytes of an unfinished transfer are kept, to be continued by the next run."""
    return target.with_name(f".{target.name}.part")


def fetch(
    base: str,
    name: str,
    expected: str,
    size: int | None,
    target: str | Path,
    pauses: Sequence[float] = PAUSES,
    seconds: float = LONGEST,
) -> None:
    """Write the file `name` below `base` to `target`, verified.

    Parameters
    ----------
    base : str
        An http(s) or file address, or a folder.
    name : str
        Path of the file below it; in a folder the bare file name is looked for too.
    expected : str
        Its git blob id.
    size : int, optional
        Its bytes, where they are known; of other files no more than LARGEST are taken.
    target : path
        Appears only when complete and verified. Until then the bytes are in `part_of(target)`, which is never
        taken for the file, and from which the next call continues.
    pauses : sequence of float
        Seconds before each new attempt; an attempt that got further than all before it starts the sequence anew, but
        no more than MOST_ATTEMPTS are made.
    seconds : float
        The time that all of it may take.

    Whether the file changed on the server between two attempts is not asked (not every mirror has ETags): the id
    tells, and a continued file with a wrong one is fetched again from its beginning, once.
    """
    target = Path(target)
    scheme = base.partition("://")[0].lower() if "://" in base else "folder"
    if scheme not in ("http", "https", "file", "folder"):
        raise StudyError(
            f"config: published: base_url: expected an address that starts with http://, https:// or file://, or a "
            f"folder, found {cleaned(base)}."
        )
    target.parent.mkdir(parents=True, exist_ok=True)
    if scheme in ("file", "folder"):
        _copy(base, name, expected, target)
    else:
        check_address(base)
        transfer = Transfer(f"{base.rstrip('/')}/{urllib.parse.quote(name)}", target, size, pauses, seconds)
        part = transfer.part
        resumed = transfer.run()
        if resumed and git_blob_id(part) != expected:
            say(f"{target.name}: the continued file has another id than expected; starting again")
            part.unlink()
            transfer.run()
        found = git_blob_id(part)
        if found != expected:
            arrived = part.stat().st_size
            part.unlink()
            raise StudyError(
                f"{target}: expected the file at {transfer.address} to have git blob id {expected}, found {found} "
                f"({arrived:,} bytes): another version, or damaged on the way; nothing was kept. {REMEDY}."
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


class Transfer:
    """Brings the bytes of one address to `part`, in several attempts if need be, within bounds of time and size."""

    def __init__(self, address: str, target: Path, size: int | None, pauses: Sequence[float], seconds: float):
        self.address, self.target, self.part = address, target, part_of(target)
        self.most, self.size = size or LARGEST, size
        self.pauses, self.clock, self.seconds = pauses, Clock(time.monotonic() + seconds), seconds
        self.attempts = 0

    @property
    def arrived(self) -> int:
        """How many bytes there are."""
        return self.part.stat().st_size if self.part.is_file() else 0

    def run(self) -> bool:
        """Bring the whole file; return whether an attempt continued another.

        Raises StudyError when pauses, attempts or time are used up; what has arrived stays in `part`.
        """
        left, furthest, resumed = list(self.pauses), 0, False
        if self.arrived > self.most:
            self.part.unlink()
        while True:
            self.attempts += 1
            start = self.arrived
            resumed = resumed or start > 0
            try:
                self._attempt(start)
                return resumed
            except Refused as error:
                self.part.unlink(missing_ok=True)
                raise self._failure(str(error)) from None
            except Interrupted as error:
                arrived, now = self.arrived, time.monotonic()
                if arrived > furthest:
                    furthest, left = arrived, list(self.pauses)
                if not left or self.attempts >= MOST_ATTEMPTS or now + left[0] >= self.clock.until:
                    if not arrived:
                        self.part.unlink(missing_ok=True)
                    raise self._failure(str(error)) from None
                say(f"{self.target.name}: {error}; trying again in {left[0]:g} s")
                time.sleep(left.pop(0))

    def _failure(self, reason: str) -> StudyError:
        """Return the error that says what was tried, why it failed and what else can be done."""
        times = "once" if self.attempts == 1 else f"{self.attempts} times"
        arrived = self.arrived
        kept = f" {arrived:,} bytes have arrived; the next run continues from there." if arrived else ""
        return StudyError(f"{self.target}: tried {self.address} {times}, without success: {reason}.{kept} {REMEDY}.")

    def _attempt(self, start: int) -> None:
        """Append to `part` what it lacks, from its byte `start` on; raise Interrupted or Refused if that fails."""
        headers = {"User-Agent": "graphiht-study"} | ({"Range": f"bytes={start}-"} if start else {})
        try:
            with opened(self.address, headers, self.clock) as response:
                start = self._start_of(response, start)
                length = response.headers.get("Content-Length", "")
                total = start + int(length) if length.isascii() and length.isdigit() and len(length) < 20 else None
                self._check_size(total)
                with open(self.part, "r+b" if start else "wb") as stream:
                    stream.seek(start)
                    stream.truncate()
                    arrived = self._pour(response, stream, start, total)
        except urllib.error.HTTPError as error:
            error.close()
            said = f"the server answered {error.code} {cleaned(error.reason)}".strip()
            if error.code == 416:
                self._settle_range(error, start)
            elif error.code in PASSING:
                raise Interrupted(said) from None
            else:
                raise Refused(said) from None
        except urllib.error.URLError as error:
            raise Interrupted(f"no connection ({cleaned(error.reason)})") from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise Interrupted(f"the transfer broke ({cleaned(error) or type(error).__name__})") from None
        else:
            if total is not None and arrived < total:
                raise Interrupted(f"the connection ended early: expected {total:,} bytes, {arrived:,} have arrived")

    def _check_size(self, total: int | None) -> None:
        if total is not None and (total > self.most or (self.size and total != self.size)):
            expected = f"{self.size:,} bytes" if self.size else f"at most {self.most:,} bytes"
            raise Refused(f"expected a file of {expected}, the server offers {total:,}")

    def _start_of(self, response: http.client.HTTPResponse, start: int) -> int:
        """Return the position of the answer's first byte: 0 when the server sends the file from its beginning."""
        if response.status != 206:
            return 0
        sent = response.headers.get("Content-Range", "")
        if not sent.startswith(f"bytes {start}-"):
            self.part.unlink(missing_ok=True)
            raise Interrupted(f"asked for the bytes from {start} on, the server sent {cleaned(sent) or 'others'}")
        return start

    def _settle_range(self, error: urllib.error.HTTPError, start: int) -> None:
        """Accept a `part` that is already whole; throw away one that is longer than the file."""
        if not start or error.headers.get("Content-Range", "") != f"bytes */{start}":
            self.part.unlink(missing_ok=True)
            raise Interrupted("what had arrived before does not fit the file and was thrown away")

    def _pour(self, response: http.client.HTTPResponse, stream: IO[bytes], start: int, total: int | None) -> int:
        """Write the answer to `stream` with progress on stderr; return the size reached."""
        arrived, began = start, time.monotonic()
        shown = window = began
        before = start
        if start:
            say(f"{self.target.name}: continuing after {start / 1e6:.1f} MB")
        while chunk := response.read1(CHUNK):
            stream.write(chunk)
            arrived += len(chunk)
            if arrived > self.most:
                raise Refused(f"expected at most {self.most:,} bytes, the server sends more")
            now = time.monotonic()
            if now - window >= WINDOW:
                if arrived - before < SLOWEST * WINDOW:
                    raise Interrupted(f"too slow: {arrived - before:,} bytes in {now - window:.0f} s")
                window, before = now, arrived
            if now - shown >= 1 or arrived == total:
                shown = now
                say(progress_line(self.target.name, arrived, total, arrived - start, now - began))
        return arrived


def progress_line(name: str, arrived: int, total: int | None, poured: int, seconds: float) -> str:
    """Return how far a transfer is: bytes, and with a known total the share and the seconds left."""
    if not total:
        return f"{name}: {arrived / 1e6:.1f} MB"
    left = (total - arrived) * seconds / poured
    return f"{name}: {arrived / 1e6:.1f} of {total / 1e6:.1f} MB, {arrived / total:.0%}, {left:.0f} s left"
