"""How a claim is judged: by paired comparisons over seeds, at one level for the whole table.

A **comparison** is a number per seed, mostly the difference in level of two curves on the same problem, and the range
in which the claim says its median lies. The median's interval is the one of the sign test: between two order
statistics, whatever the distribution. The comparison is

- *shown* when the whole interval is inside the range,
- *contradicted* when the whole interval is outside (an advantage that is exactly zero is outside),
- *undecided* otherwise.

The intervals hold together with a probability of 95 %: each has the level 1 - .05/m, m being the comparisons of the
whole table (Bonferroni). With 50 seeds and 600 comparisons "ahead" means ahead in 40 seeds or more.

A **case** is one panel on one x axis, and its state is that of its least favourable comparison. A claim is tested in
several cases, and that under each of several **readings** of what the paper leaves open: SVRG's number of inner steps,
K = ceil(B/b) or K = n/b, and SCSG's, by Option I or II (of the published code: its two states). The verdict is

- **holds**: shown in every case, under every reading;
- **holds in part**: shown in some cases and not in others;
- **refuted**: shown in no case, and contradicted in one at least under every reading; of a claim about supports
  "not seen with our projection", because another projection may choose others;
- **undecided**: shown in no case, and not contradicted under one reading at least.

The same words are used of each reading by itself.
"""

from collections.abc import Iterable
from functools import partial
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import quantile_test

HOLDS, IN_PART, NOT_SEEN, REFUTED, OPEN = VERDICTS = (
    "holds",
    "holds in part",
    "not seen with our projection",
    "refuted",
    "undecided",
)
SHOWN, UNDECIDED, CONTRADICTED = STATES = "shown", "undecided", "contradicted"
ERROR = 0.05
# Differences of log10 are at most this; those above half of it are printed as "over 1,000".
CEILING = 6.0


class Comparison(NamedTuple):
    """A number per seed, and the open range that its quantile must lie in.

    Attributes
    ----------
    values : array
    what : str
        What the numbers are, for people; with a `text` it is not printed.
    low, high : float
    quantile : float
        The median, unless the claim is about nearly all runs.
    text : str
        What to print of it; by default the factor that the quantile is, and its interval.
    reading, group, place : str
        The case it belongs to: cases are listed by reading and group, with the places where they differ.
    """

    values: np.ndarray
    what: str = ""
    low: float = -np.inf
    high: float = np.inf
    quantile: float = 0.5
    text: str = ""
    reading: str = ""
    group: str = ""
    place: str = ""

    def judge(self, level: float) -> dict:
        """Return its state, by how much its quantile is outside the range (negative inside), and both in words."""
        low, high = quantile_test(self.values, p=self.quantile).confidence_interval(level)
        # With too few seeds the interval has no end.
        low, high = -np.inf if np.isnan(low) else low, np.inf if np.isnan(high) else high
        middle = np.quantile(self.values, self.quantile)
        state = CONTRADICTED if high <= self.low or low >= self.high else UNDECIDED
        where = f" at ({self.place})" if self.place else ""
        words = self.text or f"{self.what} {ratio(middle)} [{ratio(low)}, {ratio(high)}]"
        return {
            "state": SHOWN if self.low < low and high < self.high else state,
            "distance": max(self.low - middle, middle - self.high),
            "words": f"{self.group} {words}{where}".strip(),
        }


def ratio(difference: float) -> str:
    """Return a difference of log10 as a factor, for people."""
    if abs(difference) >= CEILING / 2:
        return "over 1,000" if difference > 0 else "under 1/1,000"
    factor = 10.0**difference
    # Near 1 the second digit would hide on which side it is.
    digits = 4 if 0.0 < abs(difference) < 0.002 else 2 if factor < 10 else 0
    return f"{factor:,.{digits}f}"


def judge(claims: dict[tuple[str, str], list[Comparison]]) -> pd.DataFrame:
    """Return a row per claim (figure, words), judged at the level at which the intervals of all hold together."""
    level = 1.0 - ERROR / sum(map(len, claims.values()))
    rows = [{"figure": figure, "claim": claim} | _verdict(own, level) for (figure, claim), own in claims.items()]
    return pd.DataFrame(rows)


def _verdict(comparisons: list[Comparison], level: float) -> dict:
    """Return the verdict, what was found under each reading, and the least favourable comparisons."""
    table = pd.DataFrame([comparison._asdict() | comparison.judge(level) for comparison in comparisons])
    found, details, states = [], [], []
    for reading, own in table.groupby("reading", sort=False):
        head = f"{reading}: " if reading else ""
        cases = own.groupby(["group", "place"], sort=False, as_index=False)["state"].agg(partial(max, key=STATES.index))
        groups = [f"{name} {_places(group)}".strip() for name, group in cases.groupby("group", sort=False)]
        found.append(f"{head}{conclude([cases['state']])} ({'; '.join(groups)})")
        least = own.loc[own.groupby("group", sort=False)["distance"].idxmax(), "words"]
        details.append(head + ", ".join(least))
        states.append(cases["state"])
    return {
        "verdict": conclude(states),
        "found": "; ".join(found),
        "detail": f"Least favourable, with its interval: {'; '.join(details)}.",
        "seeds": len(comparisons[0].values),
    }


def conclude(by_reading: list[Iterable[str]]) -> str:
    """Return the verdict from the states of the cases under each reading."""
    states = [set(own) for own in by_reading]
    every = set().union(*states)
    if SHOWN in every:
        return HOLDS if every == {SHOWN} else IN_PART
    return REFUTED if all(CONTRADICTED in own for own in states) else OPEN


def _places(cases: pd.DataFrame) -> str:
    """Return where a claim is shown, contradicted and undecided; the commonest state is "elsewhere"."""
    places = cases.groupby("state", sort=False)["place"].agg(list).to_dict()
    *few, most = sorted(places, key=lambda state: len(places[state]))
    if not few:
        return f"{most} everywhere" if len(cases) > 1 else most
    listed = [f"{state} at {', '.join(f'({place})' for place in places[state])}" for state in few]
    return ", ".join([*listed, f"{most} elsewhere"])
