"""From cases to a verdict: "holds", "does not hold" or "holds only when ..."."""

from __future__ import annotations

from typing import NamedTuple

from study.simulation.levels import AXES

HOLDS, FAILS, ONLY = "holds", "does not hold", "holds only when "


class Verdict(NamedTuple):
    """A claim and what the data say about it."""

    figure: str
    claim: str
    verdict: str
    detail: str
    seeds: int


def conclude(cases: dict[str, bool]) -> str:
    """Return the verdict on a claim from the cases (a phrase each) in which it was tested."""
    true = [phrase for phrase, holds in cases.items() if holds]
    if len(true) == len(cases):
        return HOLDS
    return ONLY + "; ".join(true) if true else FAILS


def where(cases: dict[str, bool]) -> str:
    """Return in which of the panels a claim holds, or, when those are most of them, in which it does not."""
    true, false = ([panel for panel, holds in cases.items() if holds == wanted] for wanted in (True, False))
    listed, word = (false, "not at") if len(true) > len(false) else (true, "at")
    return f"{word} " + ", ".join(f"({panel})" for panel in listed)


def conclude_by_panel(cases: dict[str, bool]) -> str:
    """Return the verdict from cases by panel."""
    if all(cases.values()):
        return HOLDS
    return ONLY + where(cases) if any(cases.values()) else FAILS


def conclude_by_axis(cases: dict[tuple[str, str], bool]) -> str:
    """Return the verdict from cases by (axis, panel); an axis on which every panel agrees is named alone."""
    phrases = {}
    for axis in dict.fromkeys(axis for axis, _ in cases):
        mine = {panel: holds for (of, panel), holds in cases.items() if of == axis}
        counted = f"counted in {AXES[axis]}"
        if len(mine) > 1 and any(mine.values()) and not all(mine.values()):
            phrases[f"{counted} {where(mine)}"] = True
            phrases[f"{counted} elsewhere"] = False
        else:
            phrases[counted] = all(mine.values())
    return conclude(phrases)
