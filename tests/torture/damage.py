"""Finished files damaged behind the study's back, as by a loss of power: size or content changed, time kept."""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path

from sandbox import copy_of, result_bits
from torture import tiny
from torture.frame import Family, Trial, Verdict, survived, wrong

FILES = (
    "study.npz",
    "data_summary.json",
    "splits/trial-01.npz",
    "fits/ridge/trial-01/fold-1.json",
    "fits/graph-iht/trial-02/fold-3.json",
    "metrics.csv",
    "genes.csv",
    "summary.csv",
    "evidence/differences.csv",
    "evidence/frequencies.csv",
    "signatures/graph-iht.json",
    "manifest.json",
)
# So many of them are there when the tables of the folds are.
QUICKLY = 8


def _altered(content: bytes) -> bytes:
    """One digit more or less by one, in the middle: still a file that can be read, where it is text."""
    digits = [i for i, byte in enumerate(content) if byte in b"12345678"]
    place = digits[len(digits) // 2]
    return content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]


KINDS: dict[str, Callable[[bytes], bytes]] = {
    "zeroed": lambda content: b"",
    "halved": lambda content: content[: len(content) // 2],
    "filled with NULs": lambda content: bytes(len(content)),
    "altered": _altered,
}


class Round:
    """Several files of a study damaged at once, and one run after it."""

    def __init__(self, study: Path, targets: tuple[str, ...], damages: list[tuple[str, str]]) -> None:
        self.study, self.targets, self.damages = study, targets, damages
        self.reference = result_bits(study)

    @cached_property
    def end(self) -> tuple[int, str, list[str]]:
        """The exit status of the run, what it said, and the files that differ from what they were."""
        for name, kind in self.damages:
            path = self.study / tiny.RUN / name
            before = path.stat()
            path.write_bytes(KINDS[kind](path.read_bytes()))
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        status, said = tiny.run(self.study, *self.targets)
        return status, said, tiny.differing(self.study, self.reference)

    def judge(self, name: str) -> Verdict:
        """The verdict on one of the files."""
        status, said, different = self.end
        if status != 0:
            return wrong(f"the run failed: {said[-1500:]}")
        if not any(f"{tiny.RUN}/{name}: expected" in line for line in said.splitlines()):
            return wrong("the file was not named")
        return wrong(f"{len(different)} files differ: {different[0]}") if different else survived()


def trials(place: Path, n: int, rng: random.Random) -> Iterator[Trial]:
    """Damage each file in each way, all files at once; of fewer trials than that, some files of the first tables."""
    kinds = list(KINDS)
    full = n >= len(FILES) * len(kinds)
    targets, files = ((), FILES) if full else (tiny.QUICK, FILES[:QUICKLY])
    study = copy_of(tiny.shared(place, targets), place / "study")
    for shift in range(len(kinds) if full else 1):
        damages = [(name, kinds[(i + shift) % len(kinds)]) for i, name in enumerate(files)]
        damages = damages if full else rng.sample(damages, min(n, len(files)))
        together = Round(study, targets, damages)
        for name, kind in damages:
            yield Trial(f"{name} {kind}", lambda name=name, together=together: together.judge(name))


FAMILY = Family(
    name="damage",
    tried="a finished file zeroed, halved, filled with NULs or altered, its time kept",
    survives="the next run names the file and makes it again; all results as if nothing had happened",
    short=4,
    full=48,
    trials=trials,
)
