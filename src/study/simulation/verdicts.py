"""The paper's claims, each with a verdict computed from the curves.

A verdict is "holds", "does not hold" or "holds only when ...". Curves are compared by the median, over seeds, of their
paired difference in level (see `levels`); below 1 % they count as tied, below 5 % as practically the same.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd

from study.simulation.curves import PRINTED, PUBLISHED
from study.simulation.experiments import GRAPH_METHODS, LONG_SVRG
from study.simulation.levels import (
    AXES,
    CEILING,
    Levels,
    Verdict,
    conclude,
    conclude_by_axis,
    conclude_by_panel,
    ratio,
)

IHT, STO, SVRG, SCSG = GRAPH_METHODS
TIE, SAME = np.log10(1.01), np.log10(1.05)
CHECKPOINTS = np.arange(1, 11) / 10


def compare_best(levels: Levels, panel: str, curve: str, rivals: list[str], axis: str):
    """Return (best rival, median difference to it, seeds in which `curve` beats every rival)."""
    x = levels.end(panel, [curve, *rivals], axis)
    own = levels.at(panel, curve, axis, x)
    others = {rival: levels.at(panel, rival, axis, x) for rival in rivals}
    best = min(rivals, key=lambda rival: np.median(others[rival]))
    wins = int((own < np.min(list(others.values()), axis=0) - TIE).sum())
    return best, float(np.median(own - others[best])), wins


def svrg_best(levels: Levels, claim: str, panels: list[str] | None = None) -> Verdict:
    """Return whether GraphSVRG ends lowest of the graph methods, in epochs and in data points."""
    cases, details = {}, []
    for axis in ("epoch", "data_points"):
        worst = (-np.inf, "", "", 0)
        for panel in panels or levels.panels:
            best, by, wins = compare_best(levels, panel, SVRG, [IHT, STO, SCSG], axis)
            cases[axis, panel] = by < -TIE
            worst = max(worst, (by, panel, best, wins))
        by, panel, best, wins = worst
        details.append(
            f"in {AXES[axis]}: lowest in {sum(v for (a, _), v in cases.items() if a == axis)} of "
            f"{len(panels or levels.panels)} panels; least favourable at {panel}: {ratio(by)} times the residual of "
            f"{best} (median), lowest in {wins} of {levels.n_seeds} seeds"
        )
    return levels.judge(claim, conclude_by_axis(cases), "; ".join(details) + ".")


def stable(levels: Levels) -> Verdict:
    """Return whether every graph method ends below where it started at every learning rate."""
    cases, details = dict.fromkeys(levels.panels, True), []
    for panel in levels.panels:
        for curve in GRAPH_METHODS:
            final = levels.final(panel, curve)
            risen, lost = int((final > 0).sum()), int((final >= CEILING).sum())
            if risen:
                cases[panel] = False
                details.append(f"{curve} at {panel}: {risen} ({lost} diverged)")
    detail = f"Runs that end above their start, of {levels.n_seeds}: " + ("; ".join(details) or "none") + "."
    claim = "every method converges stably at every learning rate"
    return levels.judge(claim, conclude_by_panel(cases), detail)


def larger_rate_faster(levels: Levels) -> Verdict:
    """Return whether each graph method's final residual falls with each larger learning rate."""
    groups: dict[tuple, list] = {}
    for panel in levels.panels:
        for curve in GRAPH_METHODS:
            final = np.median(levels.final(panel, curve))
            key = (curve, levels.constant(panel, curve, "sparsity"))
            groups.setdefault(key, []).append((float(levels.constant(panel, curve, "eta")), float(final)))
    cases, details = {}, []
    for (curve, sparsity), pairs in groups.items():
        pairs.sort()
        cases[f"{curve}, s = {sparsity}"] = all(a[1] > b[1] for a, b in pairwise(pairs))
        if not cases[f"{curve}, s = {sparsity}"]:
            shown = [f"{'diverged' if v >= CEILING else f'{10**v:.3g}'} at {eta:g}" for eta, v in pairs]
            details.append(f"{curve}, s = {sparsity}: {', '.join(shown)}")
    breaks = "; ".join(details) or "nowhere"
    detail = f"Median final residual over the start where the order breaks: {breaks}."
    claim = "with a larger learning rate all methods converge faster"
    return levels.judge(claim, conclude_by_panel(cases), detail)


def lead_grows(levels: Levels) -> Verdict:
    """Return whether GraphSVRG's lead over the best other graph method grows as s falls, on each axis."""
    ordered = sorted(levels.panels, key=lambda panel: -levels.constant(panel, SVRG, "sparsity"))
    cases, details = {}, []
    for axis in ("epoch", "data_points"):
        leads = [compare_best(levels, panel, SVRG, [IHT, STO, SCSG], axis)[1] for panel in ordered]
        falling = all(b < a for a, b in pairwise(leads))
        cases[f"counted in {AXES[axis]}"] = falling and leads[-1] < -TIE
        trail = ", ".join(f"{ratio(lead)} at {panel}" for panel, lead in zip(ordered, leads, strict=True))
        details.append(f"in {AXES[axis]}: {trail}")
    detail = "Residual over that of the best other graph method, median; " + "; ".join(details) + "."
    return levels.judge("the smaller s, the more GraphSVRG outperforms the others", conclude(cases), detail)


def largest_gap(levels: Levels, panel: str, curve: str, other: str, axis: str) -> float:
    """Return the median difference of two curves where it is largest, over the common range."""
    gaps = [np.median(levels.difference(panel, curve, other, axis, share)) for share in CHECKPOINTS]
    return float(max(gaps, key=abs))


def same_curves(
    levels: Levels, claim: str, curve: str, other: str, panels=None, axes=("epoch", "data_points")
) -> Verdict:
    """Return whether two curves stay within 5 % of each other."""
    cases, details = {}, []
    for axis in axes:
        for panel in panels or levels.panels:
            gap = largest_gap(levels, panel, curve, other, axis)
            cases[axis, panel] = abs(gap) <= SAME
            details.append(f"{ratio(gap)} at {panel} in {AXES[axis]}")
    detail = f"Largest median ratio of the residuals of {curve} and {other}: " + "; ".join(details) + "."
    return levels.judge(claim, conclude_by_axis(cases), detail)


def _by_batch(levels: Levels) -> list[str]:
    return sorted(levels.panels, key=lambda panel: -levels.constant(panel, SCSG, "batch"))


def _rivals(levels: Levels, panel: str) -> dict[str, str]:
    """Return the SVRG curves of a panel and how they are told apart."""
    names = {SVRG: "SVRG takes K = B/b inner steps", SVRG + LONG_SVRG: "SVRG takes K = n/b inner steps"}
    return {curve: text for curve, text in names.items() if curve in levels.curves(panel)}


def smaller_batch(levels: Levels) -> Verdict:
    """Return whether, at the middle batch sizes, GraphSCSG is below GraphSVRG for every number of data points."""
    cases, details = {}, []
    for panel in _by_batch(levels)[1:-1]:
        for rival, text in _rivals(levels, panel).items():
            gaps = [np.median(levels.difference(panel, SCSG, rival, "data_points", x)) for x in CHECKPOINTS]
            cases[f"{text} ({panel})"] = max(gaps) < -TIE
            details.append(f"{panel}, {text}: {ratio(gaps[0])} after a tenth, {ratio(gaps[-1])} at the end")
    detail = "Residual of GraphSCSG over GraphSVRG at equal data points, median: " + "; ".join(details) + "."
    claim = "with a smaller B GraphSCSG consistently outperforms GraphSVRG"
    return levels.judge(claim, conclude(cases), detail)


def smallest_batch(levels: Levels) -> Verdict:
    """Return whether, at the smallest batch size, GraphSCSG leads first and is surpassed, slightly, at the end."""
    panel = _by_batch(levels)[-1]
    cases, details = {}, []
    for rival, text in _rivals(levels, panel).items():
        first, last = (
            float(np.median(levels.difference(panel, SCSG, rival, "data_points", share)))
            for share in (CHECKPOINTS[0], 1.0)
        )
        cases[text] = first < -TIE and TIE < last <= np.log10(1.5)
        details.append(f"{text}: {ratio(first)} after a tenth of the data points, {ratio(last)} at the end")
    detail = f"Residual of GraphSCSG over GraphSVRG at {panel}, median: " + "; ".join(details) + "."
    claim = "with the smallest B GraphSCSG leads first and is then slightly surpassed by GraphSVRG"
    return levels.judge(claim, conclude(cases), detail)


def between(levels: Levels) -> Verdict:
    """Return whether GraphSCSG is GraphSto at B = b and GraphSVRG at B = n, on each axis."""
    ends = _by_batch(levels)
    tested = [(ends[-1], STO, "B = b"), (ends[0], SVRG + LONG_SVRG, "B = n")]
    cases, details = {}, []
    for axis in AXES:
        gaps = [largest_gap(levels, panel, SCSG, other, axis) for panel, other, _ in tested]
        cases[f"counted in {AXES[axis]}"] = all(abs(gap) <= SAME for gap in gaps)
        details.append(
            f"in {AXES[axis]} "
            + ", ".join(
                f"{ratio(gap)} times the residual of {other} at {name}"
                for gap, (_, other, name) in zip(gaps, tested, strict=True)
            )
        )
    detail = "GraphSCSG where it differs most: " + "; ".join(details) + "."
    claim = "with B and b GraphSCSG ranges from GraphSto's behaviour to GraphSVRG's"
    return levels.judge(claim, conclude(cases), detail)


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


def levels_off(curves: pd.DataFrame, figure: str) -> Verdict:
    """Return whether most curves of the graph methods have stairs with one component and fewer with more."""
    counts: dict[str, dict[int, float]] = {}
    graph = curves[curves["method"].isin(GRAPH_METHODS)]
    for (method, g), group in graph.groupby(["method", "n_components"], sort=False):
        has_stairs = [stairs(run["residual"].to_numpy()) > 0 for _, run in group.groupby("seed")]
        counts.setdefault(method, {})[int(g)] = float(np.mean(has_stairs))
    cases, details = {}, []
    for method, shares in counts.items():
        one, more = shares[min(shares)], [share for g, share in shares.items() if g != min(shares)]
        cases[method] = one >= 0.5 and all(share < one for share in more)
        details.append(f"{method} " + ", ".join(f"{share:.0%} at g = {g}" for g, share in shares.items()))
    detail = "Runs that level off and then step down at least once: " + "; ".join(details) + "."
    claim = "with g = 1 the curve levels off and steps down, more than with more components"
    return Levels(curves, figure).judge(claim, conclude(cases), detail)


def artefact(levels: Levels) -> list[Verdict]:
    """Return what the published scaling does: where SVRG diverges, and its lead per step, with and without it."""
    cases, converged, diverged, leads = {}, {}, [], []
    for panel in levels.panels:
        scaling, eta = levels.constant(panel, SVRG, "scaling"), levels.constant(panel, SVRG, "eta")
        counts = [int((levels.final(panel, curve) > 0).sum()) for curve in (SVRG, SCSG)]
        converged[panel] = not any(counts)
        diverged.append(f"{panel}: SVRG {counts[0]}, SCSG {counts[1]}")
        if eta == min(levels.constant(each, SVRG, "eta") for each in levels.panels):
            by = float(np.median(levels.difference(panel, SVRG, STO, "steps")))
            cases[scaling] = by < -SAME
            leads.append(f"{scaling}: {ratio(by)}")
    names = {PRINTED: "gradients are scaled as printed", PUBLISHED: "the published scaling is used"}
    smallest = min(levels.constant(each, SVRG, "eta") for each in levels.panels)
    return [
        levels.judge(
            f"step for step GraphSVRG is ahead of GraphSto at eta = {smallest:g}",
            conclude({names[scaling]: holds for scaling, holds in cases.items()}),
            f"Residual of GraphSVRG over GraphSto after as many steps, median; {'; '.join(leads)}.",
        ),
        levels.judge(
            "SVRG and SCSG converge at every learning rate with mini-batches of one row",
            conclude_by_panel(converged),
            f"Runs that end above their start, of {levels.n_seeds}: {'; '.join(diverged)}.",
        ),
    ]


def all_verdicts(tables: dict[str, pd.DataFrame]) -> list[Verdict]:
    """Return the verdicts on all claims about the figures in `tables`."""
    verdicts: list[Verdict] = []
    levels = {figure: Levels(curves, figure) for figure, curves in tables.items()}
    if one := levels.get("fig1"):
        verdicts.append(svrg_best(one, "GraphSVRG performs best at every learning rate"))
        verdicts += [stable(one), larger_rate_faster(one)]
    if published := levels.get("fig1_published"):
        claim = "GraphSVRG performs best at every learning rate, with mini-batches of one row"
        verdicts += [svrg_best(published, claim), *artefact(published)]
    if two := levels.get("fig2"):
        smallest = [min(two.panels, key=lambda panel: two.constant(panel, SVRG, "sparsity"))]
        verdicts.append(svrg_best(two, "at a small s GraphSVRG outperforms the others", smallest))
        verdicts.append(lead_grows(two))
        verdicts.append(same_curves(two, "with B = s GraphSto and GraphSCSG are almost identical", SCSG, STO))
    if three := levels.get("fig3"):
        claim = "with B = n GraphSCSG is GraphSVRG"
        verdicts.append(same_curves(three, claim, SCSG, SVRG, _by_batch(three)[:1], ("data_points",)))
        verdicts += [smaller_batch(three), smallest_batch(three)]
    if batches := levels.get("batches"):
        verdicts.append(between(batches))
    if "components" in tables:
        verdicts.append(levels_off(tables["components"], "components"))
    return verdicts
