"""The paper's claims about its synthetic figures, as comparisons over seeds; `judging` says how they become verdicts.

Curves are compared by their levels: log10 of the residual norm relative to its start. 0 means no progress, runs that
diverged are at the ceiling, and a difference of log10(2) means twice the residual. Two curves are compared where the
shorter one ends, in epochs and in data points (Figure 3, as in the paper, in data points alone). "Best" means below
every other method that the paper draws, GraphSto and GraphSCSG; "almost identical" within 5 % of each other at each
tenth of the way; "slightly" at most 1.5 times the residual; "stable" that three quarters of the runs end below their
start.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import pairwise, product

import numpy as np
import pandas as pd

from study.simulation.experiments import AS_PRINTED, BLOCKS, GRAPH_METHODS, LONG_SVRG, OPTION_I, SINGLE_ROWS
from study.simulation.judging import CEILING, NOT_SEEN, REFUTED, Comparison, judge

IHT, STO, SVRG, SCSG = GRAPH_METHODS
# What the paper leaves open of each of its two methods, and the curves of the answers.
STEPS = {"K = B/b": SVRG, "K = n/b": SVRG + LONG_SVRG}
OPTIONS = {"Option II": SCSG, "Option I": SCSG + OPTION_I}
CURVES = (IHT, STO, *STEPS.values(), *OPTIONS.values())
READINGS = [
    (f"{steps}, {option}", svrg, scsg) for (steps, svrg), (option, scsg) in product(STEPS.items(), OPTIONS.items())
]
# Of a figure: readings, their rows of panels (of most figures, all panels) and their curves of SVRG and SCSG.
USUAL = [(reading, "", svrg, scsg) for reading, svrg, scsg in READINGS]
PRINTED = [(reading, f"{AS_PRINTED}, ", svrg, scsg) for reading, svrg, scsg in READINGS]
CODED_ROWS = SINGLE_ROWS, BLOCKS
CODED = [(row, f"{row}, ", SVRG, SCSG) for row in CODED_ROWS]
AXES = {"epoch": "in epochs", "data_points": "in data points", "steps": "in steps"}
BOTH_AXES = ("epoch", "data_points")
NEARLY_ALL = 0.75
CHECKPOINTS = np.arange(1, 11) / 10
SLIGHTLY = {"low": 0.0, "high": np.log10(1.5)}
SAME = {"low": -np.log10(1.05), "high": np.log10(1.05), "shares": CHECKPOINTS}


class Levels:
    """The curves of a figure: by panel and curve, of each column an array (seeds, epochs)."""

    def __init__(self, curves: pd.DataFrame):
        self.panels = list(dict.fromkeys(curves["panel"]))
        self.runs = {
            key: {name: values.to_numpy().reshape(runs["seed"].nunique(), -1) for name, values in runs.items()}
            for key, runs in curves.sort_values(["seed", "epoch"]).groupby(["panel", "curve"])
        }

    def constant(self, panel: str, column: str):
        """Return the value of a setting that the curves of a panel share."""
        return self.runs[panel, SCSG][column][0, 0]

    def by(self, column: str) -> list[str]:
        """Return the panels from the smallest value of a setting to the largest."""
        return sorted(self.panels, key=lambda panel: self.constant(panel, column))

    def row(self, row: str) -> dict[str, str]:
        """Return the panels of a row, with their titles inside it."""
        return {panel: panel.removeprefix(row) for panel in self.panels if panel.startswith(row)}

    def at(self, panel: str, curve: str, axis: str, x: np.ndarray | float) -> np.ndarray:
        """Return the level of every seed at x, one or one per seed, linear between epochs."""
        runs = self.runs[panel, curve]
        with np.errstate(divide="ignore"):
            levels = np.clip(np.log10(runs["residual"] / runs["residual"][:, :1]), -16.0, CEILING)
        places = np.broadcast_to(x, len(levels))
        return np.array([np.interp(*run) for run in zip(places, runs[axis], levels, strict=True)])

    def final(self, panel: str, curve: str) -> np.ndarray:
        """Return the level of every seed after the last epoch."""
        return self.at(panel, curve, "epoch", np.inf)

    def difference(self, panel: str, curve: str, other: str, axis: str, share: float = 1.0) -> np.ndarray:
        """Return the level of `curve` minus that of `other`, paired by seed, at a share of their common range."""
        end = np.minimum(*(self.runs[panel, each][axis][:, -1] for each in (curve, other)))
        return self.at(panel, curve, axis, share * end) - self.at(panel, other, axis, share * end)


def _name(curve: str) -> str:
    method, space, variant = curve.partition(" ")
    return method.removeprefix("graph-").removesuffix("-iht").upper() + space + variant


def _apart(
    levels: Levels, panel: str, curve: str, other: str, axis: str, *, shares: Iterable[float] = (1.0,), **options
) -> Iterator[Comparison]:
    """Yield the comparisons of two curves of a panel, at each share of the way."""
    # Readings, groups and places say which SVRG or SCSG it is.
    what = "/".join(_name(each.partition(" ")[0]) for each in (curve, other))
    options = {"what": what, "place": panel, **options}
    for share in shares:
        yield Comparison(levels.difference(panel, curve, other, axis, share), **options)


def svrg_best(levels: Levels, variants: list[tuple[str, str, str, str]] = USUAL) -> Iterator[Comparison]:
    """GraphSVRG ends below GraphSto and GraphSCSG, in epochs and in data points."""
    for reading, row, svrg, scsg in variants:
        for axis, (panel, place), rival in product(BOTH_AXES, levels.row(row).items(), (STO, scsg)):
            case = {"reading": reading, "group": AXES[axis], "place": place}
            yield from _apart(levels, panel, svrg, rival, axis, high=0.0, **case)


def best_at_smallest(levels: Levels) -> Iterator[Comparison]:
    """GraphSVRG ends lowest at the smallest sparsity."""
    smallest = levels.by("sparsity")[0]
    return (comparison for comparison in svrg_best(levels) if comparison.place == smallest)


def _ends_below_start(levels: Levels, panel: str, curve: str, **case: str) -> Comparison:
    final = levels.final(panel, curve)
    text = f"{int((final > 0).sum())} of {len(final)} runs end above their start"
    return Comparison(final, high=0.0, quantile=NEARLY_ALL, text=text, **case)


def stable(levels: Levels) -> Iterator[Comparison]:
    """Every method ends below where it started at every learning rate."""
    for curve, panel in product(CURVES, levels.panels):
        yield _ends_below_start(levels, panel, curve, group=_name(curve), place=panel)


def converge(levels: Levels, rows: dict[str, tuple[str, ...]]) -> Iterator[Comparison]:
    """The curves end below where they started at every learning rate in their rows of panels."""
    for row, curves in rows.items():
        for (panel, rate), curve in product(levels.row(f"{row}, ").items(), curves):
            yield _ends_below_start(levels, panel, curve, reading=row, group=f"{_name(curve)} at {rate}")


def larger_rate_faster(levels: Levels) -> Iterator[Comparison]:
    """Each method's final residual falls with each larger learning rate."""
    panels = levels.by("eta")
    for curve in CURVES:
        for sparsity in dict.fromkeys(levels.constant(panel, "sparsity") for panel in panels):
            case = {"group": _name(curve), "place": f"s = {sparsity}"}
            own = [panel for panel in panels if levels.constant(panel, "sparsity") == sparsity]
            for small, large in pairwise(own):
                values = levels.final(large, curve) - levels.final(small, curve)
                yield Comparison(values, f"end at {levels.constant(large, 'eta'):g}", high=0.0, **case)


def ahead_by_steps(levels: Levels) -> Iterator[Comparison]:
    """Step for step GraphSVRG is ahead of GraphSto at the smallest learning rate."""
    printed = [(AS_PRINTED, f"{AS_PRINTED}, {steps}", svrg) for steps, svrg in STEPS.items()]
    for row, group, svrg in [*printed, *((row, row, SVRG) for row in CODED_ROWS)]:
        slowest = min(levels.row(f"{row}, "), key=lambda panel: levels.constant(panel, "eta"))
        yield from _apart(levels, slowest, svrg, STO, "steps", high=0.0, group=group, place="")


def lead_grows(levels: Levels) -> Iterator[Comparison]:
    """GraphSVRG's lead over the better of the others grows as s falls, and is one at the last."""
    ordered, what = levels.by("sparsity")[::-1], "residual over the best other's at"
    for (reading, svrg, scsg), axis in product(READINGS, BOTH_AXES):
        case = {"reading": reading, "group": AXES[axis], "high": 0.0}
        leads = [
            np.max([levels.difference(panel, svrg, rival, axis) for rival in (STO, scsg)], axis=0) for panel in ordered
        ]
        for (larger, before), (smaller, lead) in pairwise(zip(ordered, leads, strict=True)):
            yield Comparison(lead - before, f"{what} {smaller} over that at {larger}", **case)
        yield Comparison(leads[-1], f"{what} {ordered[-1]}", **case)


def sto_is_scsg(levels: Levels) -> Iterator[Comparison]:
    """GraphSto and GraphSCSG are almost identical."""
    for (option, scsg), axis, panel in product(OPTIONS.items(), BOTH_AXES, levels.panels):
        yield from _apart(levels, panel, scsg, STO, axis, reading=option, group=AXES[axis], **SAME)


def scsg_is_svrg(levels: Levels) -> Iterator[Comparison]:
    """GraphSCSG is GraphSVRG at the largest batch size."""
    for reading, svrg, scsg in READINGS:
        yield from _apart(levels, levels.by("batch")[-1], scsg, svrg, "data_points", reading=reading, **SAME)


def smaller_batch(levels: Levels) -> Iterator[Comparison]:
    """At the middle batch sizes GraphSCSG is below GraphSVRG at each tenth of the way."""
    for (reading, svrg, scsg), panel in product(READINGS, levels.by("batch")[1:-1]):
        options = {"shares": CHECKPOINTS, "high": 0.0, "reading": reading}
        yield from _apart(levels, panel, scsg, svrg, "data_points", **options)


def smallest_batch(levels: Levels) -> Iterator[Comparison]:
    """At the smallest batch size GraphSCSG leads first and is slightly surpassed at the end."""
    panel = levels.by("batch")[0]
    ahead = {"what": "at first SCSG/SVRG", "shares": CHECKPOINTS[:1], "high": 0.0}
    surpassed = {"what": "at the end SCSG/SVRG", **SLIGHTLY}
    for (reading, svrg, scsg), options in product(READINGS, (ahead, surpassed)):
        yield from _apart(levels, panel, scsg, svrg, "data_points", reading=reading, **options)


def between(levels: Levels) -> Iterator[Comparison]:
    """GraphSCSG is GraphSto at B = b and GraphSVRG at B = n, on each axis."""
    smallest, *_, largest = levels.by("batch")
    whole = levels.constant(largest, "batch")
    ends = [(smallest, STO), *((panel, SVRG) for panel in levels.panels if levels.constant(panel, "batch") == whole)]
    for (option, scsg), (axis, group), (panel, other) in product(OPTIONS.items(), AXES.items(), ends):
        yield from _apart(levels, panel, scsg, other, axis, reading=option, group=group, **SAME)


def same_by_steps(levels: Levels) -> Iterator[Comparison]:
    """Step for step GraphSCSG is GraphSVRG at the smallest mini-batch."""
    for option, scsg in OPTIONS.items():
        yield from _apart(levels, levels.by("mini_batch")[0], scsg, SVRG, "steps", reading=option, place="", **SAME)


def stairs(residuals: np.ndarray) -> int:
    """Return how often a curve levels off and then steps down.

    Of the falls of log residual from epoch to epoch: a fall below half of the median one, followed within
    three epochs by one above twice the median.
    """
    falls = -np.diff(np.log10(residuals[np.isfinite(residuals)]))
    if len(falls) < 2:
        return 0
    usual = np.median(falls)
    flat, drops = falls < 0.5 * usual, falls > 2.0 * usual
    return sum(bool(flat[i] and drops[i + 1 : i + 4].any()) for i in range(len(falls) - 1))


def levels_off(levels: Levels) -> Iterator[Comparison]:
    """Most runs have stairs with one component, and more than with more."""
    panels = {levels.constant(panel, "n_components"): panel for panel in levels.by("n_components")}
    for curve in CURVES:
        counts = {
            g: np.array([stairs(run) for run in levels.runs[panel, curve]["residual"]]) for g, panel in panels.items()
        }
        text = f"runs with a stair {', '.join(f'{np.mean(own > 0):.0%} at g = {g}' for g, own in counts.items())}"
        one, *more = counts.values()
        for values in (one - 0.5, *(one - other for other in more)):
            yield Comparison(values, low=0.0, text=text, group=_name(curve))


# By figure: claims, and the comparisons that each of them makes.
CLAIMS = {
    "fig1": {
        "GraphSVRG performs best at every learning rate": svrg_best,
        "every method converges stably at every learning rate": stable,
        "with a larger learning rate all methods converge faster": larger_rate_faster,
    },
    "fig1_published": {
        "as printed, with single rows, GraphSVRG performs best at every learning rate": partial(
            svrg_best, variants=PRINTED
        ),
        "as printed, with single rows, SVRG and SCSG converge at every learning rate": partial(
            converge, rows={AS_PRINTED: (*STEPS.values(), *OPTIONS.values())}
        ),
        "in the published code GraphSVRG performs best at every learning rate": partial(svrg_best, variants=CODED),
        "in the published code SVRG and SCSG converge at every learning rate": partial(
            converge, rows=dict.fromkeys(CODED_ROWS, (SVRG, SCSG))
        ),
        "step for step GraphSVRG is ahead of GraphSto at the smallest learning rate": ahead_by_steps,
    },
    "fig2": {
        "at a small s GraphSVRG outperforms the others": best_at_smallest,
        "the smaller s, the more GraphSVRG outperforms the others": lead_grows,
        "with B = s GraphSto and GraphSCSG are almost identical": sto_is_scsg,
    },
    "fig3": {
        "with B = n GraphSCSG is GraphSVRG": scsg_is_svrg,
        "with a smaller B GraphSCSG consistently outperforms GraphSVRG": smaller_batch,
        "with the smallest B GraphSCSG leads first and is then slightly surpassed by GraphSVRG": smallest_batch,
    },
    "batches": {
        "with B and b GraphSCSG ranges from GraphSto's behaviour to GraphSVRG's": between,
        "with B = n and b = 1 only the number of inner steps tells GraphSCSG from GraphSVRG": same_by_steps,
    },
    "components": {"with g = 1 the curve levels off and steps down, more than with more components": levels_off},
}
# Claims about supports, which another projection may choose otherwise.
OF_THE_PROJECTION = tuple(CLAIMS["components"])


def all_verdicts(tables: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Return a row per claim about the figures in `tables`: figure, claim, verdict, found, detail, seeds."""
    comparisons = {}
    for figure, own in CLAIMS.items():
        if figure in tables:
            levels = Levels(tables[figure])
            comparisons |= {(figure, claim): list(test(levels)) for claim, test in own.items()}
    table = judge(comparisons)
    not_seen = table["claim"].isin(OF_THE_PROJECTION) & (table["verdict"] == REFUTED)
    return table.assign(verdict=table["verdict"].mask(not_seen, NOT_SEEN))
