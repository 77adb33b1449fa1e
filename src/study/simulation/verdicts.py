"""The paper's claims about its synthetic figures, as comparisons over seeds; `judging` says how they become verdicts.

Curves are compared where the shorter one ends, in epochs and in data points (Figure 3, as in the paper, in data points
alone). "Best" means below every other method that the paper draws, GraphSto and GraphSCSG; "almost identical" within
5 % of each other at each tenth of the way; "slightly" at most 1.5 times the residual; "stable" that three quarters of
the runs end below their start.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd

from study.simulation.experiments import AS_PRINTED, BLOCKS, GRAPH_METHODS, LONG_SVRG, SINGLE_ROWS
from study.simulation.judging import Case, Claim, Comparison, Verdict, judge, level_of
from study.simulation.levels import AXES, Levels

IHT, STO, SVRG, SCSG = GRAPH_METHODS
READINGS = {"K = B/b": SVRG, "K = n/b": SVRG + LONG_SVRG}
# The graph methods under each reading.
METHODS = [(reading, curve) for reading, svrg in READINGS.items() for curve in (IHT, STO, svrg, SCSG)]
SAME, SLIGHTLY = np.log10(1.05), np.log10(1.5)
NEARLY_ALL = 0.75
CHECKPOINTS = np.arange(1, 11) / 10
BOTH_AXES = ("epoch", "data_points")


def _name(curve: str) -> str:
    return curve.removesuffix(LONG_SVRG).removeprefix("graph-").removesuffix("-iht").upper()


def _apart(levels: Levels, panel: str, curve: str, other: str, axis: str, share=1.0, **bounds) -> Comparison:
    """Return the comparison of two curves of a panel at a share of the way."""
    values = levels.difference(panel, curve, other, axis, share)
    return Comparison(f"{_name(curve)}/{_name(other)}", values, **bounds)


def _best(levels: Levels, reading: str, svrg: str, panels: dict[str, str]) -> list[Case]:
    """Return the cases, a panel on an axis each, in which GraphSVRG should end below GraphSto and GraphSCSG."""
    return [
        Case(
            reading,
            f"in {AXES[axis]}",
            place,
            tuple(_apart(levels, panel, svrg, rival, axis, high=0.0) for rival in (STO, SCSG)),
        )
        for axis in BOTH_AXES
        for panel, place in panels.items()
    ]


def _claim(levels: Levels, text: str, cases: list[Case]) -> Claim:
    return Claim(levels.figure, text, tuple(cases), levels.n_seeds)


def svrg_best(levels: Levels, text: str, panels: dict[str, str] | None = None) -> Claim:
    """Return the claim that GraphSVRG ends lowest, in epochs and in data points."""
    panels = panels or {panel: panel for panel in levels.panels}
    return _claim(levels, text, [case for k, svrg in READINGS.items() for case in _best(levels, k, svrg, panels)])


def _ends_below_start(levels: Levels, panel: str, curve: str) -> Comparison:
    final = levels.final(panel, curve)
    text = f"{int((final > 0).sum())} of {len(final)} runs end above their start"
    return Comparison("", final, high=0.0, quantile=NEARLY_ALL, text=text)


def stable(levels: Levels) -> Claim:
    """Return the claim that every method ends below where it started at every learning rate."""
    cases = [
        Case(reading, _name(curve), panel, (_ends_below_start(levels, panel, curve),))
        for reading, curve in METHODS
        for panel in levels.panels
    ]
    return _claim(levels, "every method converges stably at every learning rate", cases)


def larger_rate_faster(levels: Levels) -> Claim:
    """Return the claim that each method's final residual falls with each larger learning rate."""
    rates = {panel: levels.constant(panel, SCSG, "eta") for panel in levels.panels}
    by_sparsity: dict[int, list[str]] = {}
    for panel in sorted(levels.panels, key=rates.__getitem__):
        by_sparsity.setdefault(levels.constant(panel, SCSG, "sparsity"), []).append(panel)

    def faster(curve: str, small: str, large: str) -> Comparison:
        values = levels.final(large, curve) - levels.final(small, curve)
        return Comparison(f"end at {rates[large]:g}", values, high=0.0)

    cases = [
        Case(reading, _name(curve), f"s = {sparsity}", tuple(faster(curve, *pair) for pair in pairwise(panels)))
        for reading, curve in METHODS
        for sparsity, panels in by_sparsity.items()
    ]
    return _claim(levels, "with a larger learning rate all methods converge faster", cases)


def lead_grows(levels: Levels) -> Claim:
    """Return the claim that GraphSVRG's lead over the better of the others grows as s falls, and is one at the last."""
    ordered = sorted(levels.panels, key=lambda panel: -levels.constant(panel, SVRG, "sparsity"))
    cases = []
    for k, svrg in READINGS.items():
        for axis in BOTH_AXES:
            leads = {
                panel: np.max([levels.difference(panel, svrg, rival, axis) for rival in (STO, SCSG)], axis=0)
                for panel in ordered
            }
            grows = [
                Comparison(f"residual over the best other's at {b} over that at {a}", leads[b] - leads[a], high=0.0)
                for a, b in pairwise(ordered)
            ]
            last = Comparison(f"residual over the best other's at {ordered[-1]}", leads[ordered[-1]], high=0.0)
            cases.append(Case(k, f"in {AXES[axis]}", "", (*grows, last)))
    return _claim(levels, "the smaller s, the more GraphSVRG outperforms the others", cases)


def _same(levels: Levels, panel: str, curve: str, other: str, axis: str) -> tuple[Comparison, ...]:
    """Return the comparisons of two curves that should be the same at each tenth of the way."""
    bounds = {"low": -SAME, "high": SAME}
    return tuple(_apart(levels, panel, curve, other, axis, share, **bounds) for share in CHECKPOINTS)


def sto_is_scsg(levels: Levels) -> Claim:
    """Return the claim that GraphSto and GraphSCSG are almost identical with B = s."""
    cases = [
        Case("", f"in {AXES[axis]}", panel, _same(levels, panel, SCSG, STO, axis))
        for axis in BOTH_AXES
        for panel in levels.panels
    ]
    return _claim(levels, "with B = s GraphSto and GraphSCSG are almost identical", cases)


def _by_batch(levels: Levels) -> list[str]:
    return sorted(levels.panels, key=lambda panel: -levels.constant(panel, SCSG, "batch"))


def scsg_is_svrg(levels: Levels) -> Claim:
    """Return the claim that GraphSCSG is GraphSVRG at the largest batch size."""
    panel = _by_batch(levels)[0]
    cases = [Case(k, "", panel, _same(levels, panel, SCSG, svrg, "data_points")) for k, svrg in READINGS.items()]
    return _claim(levels, "with B = n GraphSCSG is GraphSVRG", cases)


def smaller_batch(levels: Levels) -> Claim:
    """Return the claim that, at the middle batch sizes, GraphSCSG is below GraphSVRG at each tenth of the way."""
    cases = []
    for k, svrg in READINGS.items():
        for panel in _by_batch(levels)[1:-1]:
            shares = (_apart(levels, panel, SCSG, svrg, "data_points", share, high=0.0) for share in CHECKPOINTS)
            cases.append(Case(k, "", panel, tuple(shares)))
    return _claim(levels, "with a smaller B GraphSCSG consistently outperforms GraphSVRG", cases)


def smallest_batch(levels: Levels) -> Claim:
    """Return the claim that, at the smallest batch size, GraphSCSG leads first and is slightly surpassed at the end."""
    panel = _by_batch(levels)[-1]
    cases = []
    for k, svrg in READINGS.items():
        first = _apart(levels, panel, SCSG, svrg, "data_points", CHECKPOINTS[0], high=0.0)
        last = _apart(levels, panel, SCSG, svrg, "data_points", low=0.0, high=SLIGHTLY)
        first, last = first._replace(what=f"at first {first.what}"), last._replace(what=f"at the end {last.what}")
        cases.append(Case(k, "", panel, (first, last)))
    text = "with the smallest B GraphSCSG leads first and is then slightly surpassed by GraphSVRG"
    return _claim(levels, text, cases)


def between(levels: Levels) -> Claim:
    """Return the claim that GraphSCSG is GraphSto at B = b and GraphSVRG at B = n, on each axis."""
    ends = _by_batch(levels)
    cases = [
        Case("", f"in {AXES[axis]}", place, _same(levels, panel, SCSG, other, axis))
        for axis in AXES
        for panel, other, place in ((ends[-1], STO, "B = b"), (ends[0], SVRG, "B = n"))
    ]
    return _claim(levels, "with B and b GraphSCSG ranges from GraphSto's behaviour to GraphSVRG's", cases)


def stairs(residuals: np.ndarray) -> int:
    """Return how often a curve levels off and then steps down.

    Of the falls of log residual from epoch to epoch: a fall below half of the median one, followed within
    three epochs by one above twice the median.
    """
    falls = -np.diff(np.log10(residuals[np.isfinite(residuals)]))
    if len(falls) < 2:
        return 0
    usual = np.median(falls)
    flat = falls < 0.5 * usual
    drops = falls > 2.0 * usual
    return sum(bool(flat[i] and drops[i + 1 : i + 4].any()) for i in range(len(falls) - 1))


def levels_off(curves: pd.DataFrame, figure: str) -> Claim:
    """Return the claim that most runs have stairs with one component, and more than with more."""
    counts = {
        key: np.array([stairs(run["residual"].to_numpy()) for _, run in group.groupby("seed")])
        for key, group in curves.groupby(["curve", "n_components"], sort=False)
    }
    sizes = sorted({g for _, g in counts})
    cases = []
    for reading, curve in METHODS:
        one = counts[curve, sizes[0]]
        shares = ", ".join(f"{np.mean(counts[curve, g] > 0):.0%} at g = {g}" for g in sizes)
        text = f"runs with a stair {shares}"
        most = Comparison("", one - 0.5, low=0.0, text=text)
        more = (Comparison("", one - counts[curve, g], low=0.0, text=text) for g in sizes[1:])
        cases.append(Case(reading, _name(curve), "", (most, *more)))
    claim = "with g = 1 the curve levels off and steps down, more than with more components"
    return Claim(figure, claim, tuple(cases), curves["seed"].nunique())


def published(levels: Levels) -> list[Claim]:
    """Return what is claimed of Figure 1, of Algorithms 1 and 2 as printed and of the published code."""
    rows: dict[str, dict[str, str]] = {}
    for panel in levels.panels:
        row, _, rate = panel.rpartition(", ")
        rows.setdefault(row, {})[panel] = rate
    scripts = {row: rows[row] for row in (SINGLE_ROWS, BLOCKS)}
    best_as_coded = [case for row, panels in scripts.items() for case in _best(levels, row, SVRG, panels)]
    curves = {(k, AS_PRINTED): svrg for k, svrg in READINGS.items()} | {(row, row): SVRG for row in scripts}
    converge: dict[bool, list[Case]] = {True: [], False: []}
    ahead = []
    for (reading, row), svrg in curves.items():
        converge[row == AS_PRINTED] += [
            Case(reading, f"{_name(curve)} at {rate}", "", (_ends_below_start(levels, panel, curve),))
            for panel, rate in rows[row].items()
            for curve in (svrg, SCSG)
        ]
        slowest = min(rows[row], key=lambda panel: levels.constant(panel, SCSG, "eta"))
        group = f"{row}, {reading}" if row == AS_PRINTED else row
        ahead.append(Case("", group, "", (_apart(levels, slowest, svrg, STO, "steps", high=0.0),)))
    printed = "as printed, with single rows,"
    return [
        svrg_best(levels, f"{printed} GraphSVRG performs best at every learning rate", rows[AS_PRINTED]),
        _claim(levels, f"{printed} SVRG and SCSG converge at every learning rate", converge[True]),
        _claim(levels, "in the published code GraphSVRG performs best at every learning rate", best_as_coded),
        _claim(levels, "in the published code SVRG and SCSG converge at every learning rate", converge[False]),
        _claim(levels, "step for step GraphSVRG is ahead of GraphSto at the smallest learning rate", ahead),
    ]


def all_claims(tables: dict[str, pd.DataFrame]) -> list[Claim]:
    """Return the claims about the figures in `tables`."""
    claims: list[Claim] = []
    levels = {figure: Levels(curves, figure) for figure, curves in tables.items()}
    if one := levels.get("fig1"):
        claims.append(svrg_best(one, "GraphSVRG performs best at every learning rate"))
        claims += [stable(one), larger_rate_faster(one)]
    if coded := levels.get("fig1_published"):
        claims += published(coded)
    if two := levels.get("fig2"):
        smallest = min(two.panels, key=lambda panel: two.constant(panel, SVRG, "sparsity"))
        claims.append(svrg_best(two, "at a small s GraphSVRG outperforms the others", {smallest: smallest}))
        claims += [lead_grows(two), sto_is_scsg(two)]
    if three := levels.get("fig3"):
        claims += [scsg_is_svrg(three), smaller_batch(three), smallest_batch(three)]
    if batches := levels.get("batches"):
        claims.append(between(batches))
    if "components" in tables:
        claims.append(levels_off(tables["components"], "components"))
    return claims


def all_verdicts(tables: dict[str, pd.DataFrame]) -> list[Verdict]:
    """Return the verdicts on all claims about the figures in `tables`."""
    claims = all_claims(tables)
    level = level_of(claims)
    return [judge(claim, level) for claim in claims]
