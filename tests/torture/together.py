"""Runs at the same time: of one study, which one of them may make, and of two that share all but their results."""

from __future__ import annotations

import random
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

from sandbox import copy_of, result_bits
from torture import tiny
from torture.frame import Family, Trial, Verdict, refused, survived, wrong

REFUSAL = "expected to be the only run"


def _same(blank: Path, study: Path, reference: dict[str, str], pause: float) -> Verdict:
    """Two runs of one study: the second is refused, or comes when the first has ended."""
    shutil.rmtree(study, ignore_errors=True)
    copy_of(blank, study)
    with tiny.started(study, *tiny.QUICK) as first:
        time.sleep(pause)
        status, said = tiny.run(study, *tiny.QUICK)
        if first.wait(timeout=tiny.LIMIT):
            # They may have met on the way to the lock; one of them must have got it.
            if status:
                return wrong(f"neither was let run: {said[-1500:]}")
            said = (study / "said.txt").read_text()
            status = first.returncode
    different = tiny.differing(study, reference)
    if different:
        return wrong(f"{len(different)} files differ: {different[0]}")
    if status and (REFUSAL not in said or "Traceback" in said):
        return wrong(f"it does not say that another run is under way: {said[-1500:]}")
    return refused("the second") if status else survived()


def _apart(blank: Path, study: Path, reference: dict[str, str], pause: float) -> Verdict:
    """Two runs with results of their own in one repository."""
    shutil.rmtree(study, ignore_errors=True)
    copy_of(blank, study)
    with tiny.started(study, *tiny.QUICK) as first:
        time.sleep(pause)
        targets = [target.replace("results", "other", 1) for target in tiny.QUICK]
        status, said = tiny.run(study, *targets, "--config", "results=other", "reports=other/reports")
        if first.wait(timeout=tiny.LIMIT) or status:
            return wrong(f"one failed: {said[-1500:]} {(study / 'said.txt').read_text()[-300:]}")
    different = tiny.differing(study, reference)
    (study / "results").rename(study / "first")
    (study / "other").rename(study / "results")
    different += tiny.differing(study, reference)
    return wrong(f"{len(different)} files differ: {different[0]}") if different else survived()


def trials(place: Path, n: int, rng: random.Random) -> Iterator[Trial]:
    """Give both kinds in turn, with random pauses before the second run."""
    blank, reference = tiny.shared(place), result_bits(tiny.shared(place, tiny.QUICK))
    for i in range(n):
        pause, (name, kind) = rng.uniform(0, 6), (("one study", _same), ("two studies", _apart))[i % 2]
        yield Trial(
            f"{name}, {pause:.1f} s apart",
            lambda kind=kind, pause=pause: kind(blank, place / "study", reference, pause),
        )


FAMILY = Family(
    name="together",
    tried="two runs at the same time, of one study and of two",
    survives="both end byte-identical; of one study the second is refused",
    short=1,
    full=10,
    trials=trials,
)
