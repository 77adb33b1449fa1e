"""How a claim is judged: by paired comparisons over seeds, at one level for the whole table.

A **comparison** is a number per seed, mostly the difference in level of two curves on the same problem (see `levels`),
and the range in which the claim says its median lies. The median's interval is the one of the sign test: between two
order statistics, whatever the distribution. The comparison is

- *shown* when the whole interval is inside the range,
- *contradicted* when the whole interval is outside (an advantage that is exactly zero is outside),
- *undecided* otherwise.

The intervals hold together with a probability of 95 %: each has the level 1 - .05/m, m being the comparisons of the
whole table (Bonferroni). With 50 seeds and 600 comparisons "ahead" means ahead in 40 seeds or more.

A **case** is one panel on one x axis, with its comparisons: shown when all of them are, contradicted when one of them
is, else undecided. A claim is tested in several cases, and that under each of several **readings** of what the paper
leaves open: SVRG's number of inner steps, K = ceil(B/b) and K = n/b (of the published code: its two states). The
verdict is

- **holds**: shown in every case, under every reading;
- **holds in part**: shown in some cases and not in others;
- **refuted**: shown in no case, and contradicted in one at least under every reading;
- **undecided**: shown in no case, and not contradicted under one reading at least.

The same words are used of each reading by itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from scipy.stats import quantile_test

from study.simulation.levels import ratio

HOLDS, IN_PART, REFUTED, OPEN = "holds", "holds in part", "refuted", "undecided"
SHOWN, CONTRADICTED, UNDECIDED = "shown", "contradicted", "undecided"
ERROR = 0.05


class Comparison(NamedTuple):
    """A number per seed, and the open range that its quantile must lie in.

    Attributes
    ----------
    what : str
        What the numbers are, for people; with a `text` it is not printed.
    values : array
    low, high : float
    quantile : float
        The median, unless the claim is about nearly all runs.
    text : str
        What to print of it; by default the factor that the quantile is, and its interval.
    """

    what: str
    values: np.ndarray
    low: float = -np.inf
    high: float = np.inf
    quantile: float = 0.5
    text: str = ""

    def interval(self, level: float) -> tuple[float, float]:
        """Return the interval of the quantile; infinite at an end where there are too few seeds."""
        found = quantile_test(self.values, p=self.quantile).confidence_interval(level)
        low, high = (float(end) for end in found)
        return (-np.inf if np.isnan(low) else low), (np.inf if np.isnan(high) else high)

    def state(self, level: float) -> str:
        """Return shown, contradicted or undecided."""
        low, high = self.interval(level)
        if self.low < low and high < self.high:
            return SHOWN
        return CONTRADICTED if high <= self.low or low >= self.high else UNDECIDED

    @property
    def distance(self) -> float:
        """By how much the quantile is outside the range; negative inside."""
        middle = float(np.quantile(self.values, self.quantile))
        return max(self.low - middle, middle - self.high)

    def describe(self, level: float) -> str:
        """Return the comparison in words."""
        if self.text:
            return self.text
        low, high = self.interval(level)
        return f"{self.what} {ratio(float(np.quantile(self.values, self.quantile)))} [{ratio(low)}, {ratio(high)}]"


class Case(NamedTuple):
    """The comparisons of one panel on one axis under one reading, all of which the claim needs."""

    reading: str
    group: str
    place: str
    comparisons: tuple[Comparison, ...]

    def state(self, level: float) -> str:
        """Return shown, contradicted or undecided."""
        states = {comparison.state(level) for comparison in self.comparisons}
        if states == {SHOWN}:
            return SHOWN
        return CONTRADICTED if CONTRADICTED in states else UNDECIDED


class Claim(NamedTuple):
    """A claim and the cases it is tested in."""

    figure: str
    claim: str
    cases: tuple[Case, ...]
    seeds: int


class Verdict(NamedTuple):
    """A claim, the verdict, what was found under each reading, and its least favourable comparisons."""

    figure: str
    claim: str
    verdict: str
    found: str
    detail: str
    seeds: int


def level_of(claims: Iterable[Claim]) -> float:
    """Return the level of each interval, so that those of all comparisons hold together."""
    m = sum(len(case.comparisons) for claim in claims for case in claim.cases)
    return 1.0 - ERROR / max(m, 1)


def conclude(by_reading: dict[str, list[str]]) -> str:
    """Return the verdict from the states of the cases under each reading."""
    states = [state for own in by_reading.values() for state in own]
    if SHOWN in states:
        return HOLDS if set(states) == {SHOWN} else IN_PART
    return REFUTED if all(CONTRADICTED in own for own in by_reading.values()) else OPEN


def judge(claim: Claim, level: float) -> Verdict:
    """Return the verdict on a claim."""
    readings: dict[str, list[Case]] = {}
    for case in claim.cases:
        readings.setdefault(case.reading, []).append(case)
    states = {reading: [case.state(level) for case in cases] for reading, cases in readings.items()}
    found = []
    for reading, cases in readings.items():
        word = conclude({reading: states[reading]})
        head = f"{reading}: {word}" if reading else word
        found.append(f"{head} ({_places(cases, states[reading])})")
    details = [_least_favourable(reading, cases, level) for reading, cases in readings.items()]
    detail = f"Least favourable, with its interval: {'; '.join(details)}."
    return Verdict(claim.figure, claim.claim, conclude(states), "; ".join(found), detail, claim.seeds)


def _groups(cases: list[Case]) -> list[str]:
    return list(dict.fromkeys(case.group for case in cases))


def _places(cases: list[Case], states: list[str]) -> str:
    """Return where a claim is shown, contradicted and undecided, by group; the commonest state is "elsewhere"."""
    parts = []
    for group in _groups(cases):
        places: dict[str, list[str]] = {}
        for case, state in zip(cases, states, strict=True):
            if case.group == group:
                places.setdefault(state, []).append(case.place)
        ordered = sorted(places, key=lambda state: len(places[state]))
        *few, most = ordered
        said = [f"{state} at {', '.join(f'({place})' for place in places[state])}" for state in few]
        if few:
            said.append(f"{most} elsewhere")
        else:
            said.append(f"{most} everywhere" if len(places[most]) > 1 else most)
        parts.append(f"{group} {', '.join(said)}".strip())
    return "; ".join(parts)


def _least_favourable(reading: str, cases: list[Case], level: float) -> str:
    """Return, of each group, the comparison whose quantile is the furthest from where the claim says."""
    parts = []
    for group in _groups(cases):
        mine = [(comparison, case.place) for case in cases if case.group == group for comparison in case.comparisons]
        comparison, place = max(mine, key=lambda pair: pair[0].distance)
        where = f" at ({place})" if place else ""
        parts.append(f"{group} {comparison.describe(level)}{where}".strip())
    return (f"{reading}: " if reading else "") + ", ".join(parts)
