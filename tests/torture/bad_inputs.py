"""Files and configurations that are not as they should be, checked by the command; see `corpus`."""

from __future__ import annotations

import io
import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

from conftest import write_own_cohort
from corpus import configurations, tables
from graphiht.cli import main
from torture.frame import Family, Trial, Verdict, said_in_one_sentence, survived, wrong

CONFIG = "mine.yaml"


def check(folder: Path) -> tuple[int, str]:
    """Return the exit status of `graphiht check`, in this process, and what it said."""
    said = io.StringIO()
    with redirect_stdout(said), redirect_stderr(said):
        return main(["check", str(folder / CONFIG), "--cores", "2"]), said.getvalue()


def judge(folder: Path, case: tables.Spoiled | configurations.Written) -> Verdict:
    """Return what becomes of a case in a folder with good files and a good configuration."""
    if isinstance(case, tables.Spoiled):
        case.spoil(folder / tables.NAMES[case.file])
    else:
        (folder / CONFIG).write_bytes(case.content)
    status, said = check(folder)
    end = "accepted" if status == 0 else "refused"
    if end not in case.ends or case.says not in said:
        return wrong(f"{end}, said: {said[-300:]!r}")
    if list(folder.rglob("canary*")):
        return wrong("it ran a command")
    if status == 0:
        return survived("accepted")
    if not said.rstrip("\n").isprintable():
        return wrong(f"more than a line, or what a terminal obeys: {said[:300]!r}")
    return said_in_one_sentence(status, said.removeprefix("graphiht: "))


def good(folder: Path) -> Path:
    """Return a folder with the three files and a configuration as they should be."""
    shutil.rmtree(folder, ignore_errors=True)
    write_own_cohort(folder)
    (folder / CONFIG).write_text(configurations.BASE)
    return folder


def _trials(cases: dict) -> Callable[[Path, int, random.Random], Iterator[Trial]]:
    def trials(place: Path, n: int, rng: random.Random) -> Iterator[Trial]:
        for name in list(cases) if n >= len(cases) else rng.sample(list(cases), n):
            yield Trial(name, lambda name=name: judge(good(place / "case"), cases[name]))

    return trials


FILES = Family(
    name="files",
    tried="expression, outcome or edges of an own cohort spoiled: bytes, encodings, names, numbers, shapes",
    survives="a check accepts what is merely odd, and refuses the rest in one sentence",
    short=3,
    full=len(tables.CASES),
    trials=_trials(tables.CASES),
)
CONFIGURATIONS = Family(
    name="configurations",
    tried="a configuration that is no YAML, asks for too much, or for numbers and folders that cannot be",
    survives="a check accepts those that are right, and refuses the rest in one sentence",
    short=3,
    full=len(configurations.CASES),
    trials=_trials(configurations.CASES),
)
