"""Finished files damaged behind the study's back, as by a loss of power: size or content changed, time kept."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path

from sandbox import copy_of
from torture import tiny
from torture.frame import Family, Trial, Verdict, survived, wrong

FILES = (
    "study.npz",
    "splits/trial-01.npz",
    "fits/ridge/trial-01/fold-1.json",
    "fits/graph-iht/trial-02/fold-3.json",
    "metrics.csv",
    "genes.csv",
    "summary.csv",
    "evidence/differences.csv",
    "evidence/frequencies.csv",
    "signatures/graph-iht.json",
    "data_summary.json",
    "manifest.json",
)


def _altered(content: bytes) -> bytes:
    """One digit more or less by one, in the middle: still a file that can be read, where it is text."""
    digits = [i for i, byte in enumerate(content) if byte in b"12345678"]
    place = digits[len(digits) // 2] if digits else len(content) // 2
    return content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]


KINDS: dict[str, Callable[[bytes], bytes]] = {
    "zeroed": lambda content: b"",
    "halved": lambda content: content[: len(content) // 2],
    "filled with NULs": lambda content: bytes(len(content)),
    "altered": _altered,
}


def _trial(study: Path, reference: dict[str, str], name: str, kind: str) -> Verdict:
    path = study / tiny.RUN / name
    before, content = path.stat(), path.read_bytes()
    path.write_bytes(KINDS[kind](content))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    status, said = tiny.run(study)
    if status != 0:
        return wrong(f"the run failed: {said[-300:]}")
    if not any(name in line and "expected" in line for line in said.splitlines()):
        return wrong("the file was not named")
    different = tiny.differing(study, reference)
    return wrong(f"{len(different)} files differ: {different[0]}") if different else survived()


def trials(place: Path, n: int, rng: random.Random) -> Iterator[Trial]:
    """One after the other on the same study: it is whole again after each, or the trial was wrong."""
    study = copy_of(tiny.shared(place)[1], place / "study")
    reference = tiny.bits(study)
    every = [(name, kind) for name in FILES for kind in KINDS]
    for name, kind in every if n >= len(every) else rng.sample(every, n):
        yield Trial(f"{name} {kind}", lambda name=name, kind=kind: _trial(study, reference, name, kind))


FAMILY = Family(
    name="damage",
    tried="a finished file zeroed, halved, filled with NULs or altered, its time kept",
    survives="the next run names the file and makes it again; all results as if nothing had happened",
    short=2,
    full=48,
    trials=trials,
)
