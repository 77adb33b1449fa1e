"""What a trial is, how it is judged, and how trials are counted.

A family is one module with one `Family`: its name, what its figures mean, and a function that gives its trials. A trial
is a name and a function that returns a verdict: survived, refused in one sentence, or wrong. One that raises is wrong.
To add a family, write such a module and name it in `torture.families`.
"""

from __future__ import annotations

import math
import random
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

SURVIVED, REFUSED, WRONG = OUTCOMES = ("survived", "refused", "wrong")
# A sentence that names a file, what was expected, what was found and what to do is shorter.
LONGEST = 1200


@dataclass(frozen=True)
class Verdict:
    """How a trial ended, and in a few words why."""

    outcome: str
    why: str = ""


def survived(why: str = "") -> Verdict:
    """The end was as if nothing had happened."""
    return Verdict(SURVIVED, why)


def refused(why: str = "") -> Verdict:
    """It was noticed and said in one sentence; no result came of it."""
    return Verdict(REFUSED, why)


def wrong(why: str) -> Verdict:
    """A wrong result, a traceback, no end, or nothing said."""
    return Verdict(WRONG, why)


@dataclass(frozen=True)
class Trial:
    """One trial: `run` is called once."""

    name: str
    run: Callable[[], Verdict]


@dataclass(frozen=True)
class Family:
    """Trials of one kind.

    `trials(place, n, rng)` gives about `n` of them, in a folder of their own, by draws from `rng`; a family that has a
    list gives those it would choose first; one that has to end something does so when it is closed, and raises if that
    goes wrong. `short` of them run in continuous integration, `full` in `make torture`.
    `cannot()` says why they cannot be had on this machine, if so.
    """

    name: str
    tried: str
    survives: str
    short: int
    full: int
    trials: Callable[[Path, int, random.Random], Iterable[Trial]]
    cannot: Callable[[], str] = str


@dataclass
class Figures:
    """What came of the trials of a family."""

    counts: Counter = field(default_factory=Counter)
    wrongs: list[str] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def tried(self) -> int:
        return sum(self.counts.values())


def judge(trial: Trial) -> Verdict:
    """Return the verdict of a trial; an exception is one."""
    try:
        return trial.run()
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        return wrong(f"the trial raised {type(error).__name__}: {error} ({Path(last.filename).name}:{last.lineno})")


def run(
    family: Family, place: Path, n: int, seed: int, say: Callable[[str], None] = print, seconds: float = math.inf
) -> Figures:
    """Return the figures of about `n` trials of a family, in the folder `place`, or those of so many seconds."""
    figures, began, shown = Figures(), time.monotonic(), 0.0
    place.mkdir(parents=True, exist_ok=True)

    def count(trial: str, verdict: Verdict) -> None:
        figures.counts[verdict.outcome] += 1
        figures.seconds = time.monotonic() - began
        if verdict.outcome == WRONG:
            figures.wrongs.append(f"{trial}: {verdict.why}".replace(str(place), ""))
            say(f"WRONG {family.name}: {figures.wrongs[-1]}")

    try:
        with closing(_each(family.trials(place, n, random.Random(f"{family.name} {seed}")))) as trials:
            for trial in trials:
                count(trial.name, judge(trial))
                if figures.seconds - shown > 20:
                    shown = figures.seconds
                    say(f"{family.name}: {line(figures)} of about {n}, {shown:.0f} s; last: {trial.name}")
                if figures.seconds > seconds:
                    break
    except Exception as error:
        count("before or after its trials", wrong(f"the family raised {type(error).__name__}: {error}"))
    say(f"{family.name}: {line(figures)}, {figures.seconds:.0f} s")
    return figures


def _each(trials: Iterable[Trial]) -> Iterator[Trial]:
    """The trials one by one; closed early, it lets the family end what it has begun."""
    yield from trials


def line(figures: Figures) -> str:
    """Return the figures as words."""
    return f"{figures.tried} tried, " + ", ".join(f"{figures.counts[outcome]} {outcome}" for outcome in OUTCOMES)


def said_in_one_sentence(status: int, text: str, *names: str) -> Verdict:
    """Return the verdict on a command that should have refused: it failed, without a traceback, and briefly.

    `names` are what the sentence must name.
    """
    if status == 0:
        return wrong("accepted")
    if "Traceback" in text:
        return wrong(f"traceback: {text.strip().splitlines()[-1][:200]}")
    lines = [row for row in text.splitlines() if "expected" in row or row.lower().startswith("error")]
    if not lines:
        return wrong(f"no sentence in: {text[-300:]!r}")
    if max(map(len, lines)) > LONGEST:
        return wrong(f"a sentence of {max(map(len, lines)):,} characters")
    lacking = [name for name in names if not any(name in row for row in lines)]
    return wrong(f"{lacking[0]} is not named in: {lines[0][:300]}") if lacking else refused(lines[0])
