"""Disks that fill up in the middle of a run: a small tmpfs, which is made larger afterwards."""

from __future__ import annotations

import os
import random
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from sandbox import copy_of, result_bits
from torture import tiny
from torture.frame import Family, Trial, Verdict, survived, wrong

LARGE = 256 * 2**20


@contextmanager
def disk(folder: Path, size: int) -> Iterator[None]:
    """A disk of `size` bytes at `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)], check=True, capture_output=True
    )
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def resize(folder: Path, size: int) -> None:
    subprocess.run(["mount", "-o", f"remount,size={size}", str(folder)], check=True, capture_output=True)


@cache
def cannot() -> str:
    """Whether a disk can be mounted here."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            with disk(Path(folder), 2**20):
                return ""
        except (OSError, subprocess.CalledProcessError):
            return "no disk can be mounted here (it takes root)"


def used(folder: Path) -> int:
    """The bytes that are taken on the disk of a folder."""
    found = os.statvfs(folder)
    return (found.f_blocks - found.f_bfree) * found.f_frsize


def _trial(place: Path, blank: Path, reference: dict[str, str], room: int) -> Verdict:
    with disk(place, LARGE):
        study = copy_of(blank, place / "study")
        resize(place, used(place) + room)
        status, said = tiny.run(study, *tiny.QUICK)
        if status == 0:
            return wrong("the disk was meant to be too small, and was not")
        if "No space left on device" not in said:
            return wrong(f"it does not say that the disk is full: {said[-1500:]}")
        resize(place, LARGE)
        taken = tiny.taken_for_results(study)
        other = [name for name, digest in taken.items() if reference.get(name) != digest]
        if other:
            return wrong(f"{other[0]} would be taken for a result")
        status, said = tiny.run(study, *tiny.QUICK)
        if status:
            return wrong(f"with more room the study cannot be finished: {said[-1500:]}")
        different = tiny.differing(study, reference)
        return wrong(f"{len(different)} files differ at the end: {different[0]}") if different else survived()


def trials(place: Path, n: int, rng: random.Random) -> Iterator[Trial]:
    """Give disks with room for a random part of what a run writes."""
    blank, quick = tiny.shared(place), tiny.shared(place, tiny.QUICK)
    reference = result_bits(quick)
    with disk(place / "disk", LARGE):
        copy_of(blank, place / "disk/blank")
        before = used(place / "disk")
        copy_of(quick, place / "disk/quick")
        needed = used(place / "disk") - 2 * before
    for _ in range(n):
        room = int(rng.uniform(0.02, 0.95) * needed)
        yield Trial(
            f"{room / 1e3:,.0f} of {needed / 1e3:,.0f} kB",
            lambda room=room: _trial(place / "disk", blank, reference, room),
        )


FAMILY = Family(
    name="disks",
    tried="a disk with room for a random part of what a run writes",
    survives="the run stops and says why; with more room it goes on and ends byte-identical",
    short=1,
    full=12,
    trials=trials,
    cannot=cannot,
)
