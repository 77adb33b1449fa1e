"""Verdicts on made-up curves that make each of them come out each way."""

from functools import partial

import numpy as np
import pandas as pd
import pytest

from study.simulation import levels as tools
from study.simulation import verdicts
from study.simulation.curves import PRINTED, PUBLISHED
from study.simulation.experiments import GRAPH_METHODS, LONG_SVRG
from study.simulation.levels import CEILING, FAILS, HOLDS, ONLY, Levels, ratio
from study.simulation.verdicts import SCSG, STO, SVRG

EPOCHS = 10
levels_of = partial(Levels, figure="f")


def made_up(rates, seeds=5, panel="p", points=None, **columns):
    """Curves that fall by 10^-rate an epoch; a rate may be a list of levels, infinite where the run diverged."""
    rows = []
    for seed in range(1, seeds + 1):
        for curve, rate in rates.items():
            levels = -rate * np.arange(EPOCHS + 1.0) if np.isscalar(rate) else np.asarray(rate, dtype=float)
            start = 1.0 + seed
            for epoch, level in enumerate(levels):
                rows.append(
                    {
                        "panel": panel,
                        "curve": curve,
                        "method": curve.removesuffix(LONG_SVRG),
                        "seed": seed,
                        "epoch": epoch,
                        "steps": 4 * epoch,
                        "data_points": (points or {}).get(curve, 100) * epoch,
                        "residual": np.inf if np.isinf(level) else start * 10.0**level,
                    }
                    | {"sparsity": 32, "eta": 0.01, "batch": 64, "scaling": PRINTED, "n_components": 1}
                    | columns
                )
    return pd.DataFrame(rows)


def graph(**rates):
    """Curves of the four graph methods by short names, 0.1 an epoch by default."""
    names = dict(zip(("iht", "sto", "svrg", "scsg"), GRAPH_METHODS, strict=True))
    return {full: rates.get(short, 0.1) for short, full in names.items()}


DIVERGES = [0, *[1] * 4, *[np.inf] * 6]


def test_levels_are_log_ratios_to_the_start_on_either_axis():
    levels = levels_of(made_up({STO: 0.1, SVRG: 0.3}, points={SVRG: 200}))
    np.testing.assert_allclose(levels.at("p", SVRG, "epoch", 10), -3.0)
    # 1,000 points are five epochs of SVRG and ten of the other; between epochs log residuals are interpolated.
    assert levels.end("p", [STO, SVRG], "data_points") == 1000
    np.testing.assert_allclose(levels.difference("p", SVRG, STO, "data_points"), -0.5)
    np.testing.assert_allclose(levels.at("p", SVRG, "data_points", 300), -0.45)
    np.testing.assert_allclose(levels.difference("p", SVRG, STO, "epoch", 0.5), -1.0)


def test_divergence_is_at_the_ceiling():
    levels = levels_of(made_up({STO: 0.1, SVRG: DIVERGES}))
    np.testing.assert_array_equal(levels.at("p", SVRG, "epoch", 10), CEILING)


@pytest.mark.parametrize(
    ("difference", "text"),
    [(0, "1.00"), (-0.301, "0.50"), (1.5, "32"), (5, "over 1,000"), (-4, "under 1/1,000")],
)
def test_ratios_are_readable(difference, text):
    assert ratio(difference) == text


def test_conclusions():
    assert tools.conclude({"a": True, "b": True}) == HOLDS
    assert tools.conclude({"a": False, "b": False}) == FAILS
    assert tools.conclude({"a": True, "b": False, "c": True}) == ONLY + "a; c"
    assert tools.conclude_by_panel({"x": True, "y": True, "z": False}) == ONLY + "not at (z)"
    assert tools.conclude_by_panel({"x": True, "y": False, "z": False}) == ONLY + "at (x)"


@pytest.mark.parametrize(
    ("rates", "points", "verdict"),
    [
        ({"svrg": 0.2}, {}, HOLDS),
        ({"svrg": 0.05}, {}, FAILS),
        # Tied is not best.
        ({"svrg": 0.1}, {}, FAILS),
        ({"svrg": DIVERGES}, {}, FAILS),
        # Twice as fast by the epoch, at four times the data.
        ({"svrg": 0.2}, {SVRG: 400}, ONLY + "counted in epochs"),
        ({"svrg": 0.08}, {SVRG: 50}, ONLY + "counted in data points"),
    ],
)
def test_svrg_best(rates, points, verdict):
    found = verdicts.svrg_best(levels_of(made_up(graph(**rates), points=points)), "c")
    assert found.verdict == verdict
    assert found.seeds == 5


def test_svrg_best_names_the_panels_and_by_how_much_it_fails():
    good = made_up(graph(svrg=0.2), panel="good")
    bad = made_up(graph(svrg=0.1 - np.log10(2) / 10), panel="bad")
    also = made_up(graph(svrg=0.3), panel="also")
    found = verdicts.svrg_best(levels_of(pd.concat([good, bad, also])), "c")
    assert found.verdict == ONLY + "counted in epochs not at (bad); counted in data points not at (bad)"
    assert "least favourable at bad: 2.00 times the residual of graph-iht (median), lowest in 0 of 5" in found.detail


@pytest.mark.parametrize(
    ("rates", "verdict"),
    [({}, HOLDS), ({"scsg": DIVERGES}, FAILS), ({"svrg": -0.01}, FAILS)],
)
def test_stable(rates, verdict):
    found = verdicts.stable(levels_of(made_up(graph(**rates))))
    assert found.verdict == verdict
    if "scsg" in rates:
        assert "graph-scsg-iht at p: 5 (5 diverged)" in found.detail


def test_stable_in_some_panels():
    both = pd.concat([made_up(graph(), panel="a"), made_up(graph(scsg=DIVERGES), panel="b")])
    assert verdicts.stable(levels_of(both)).verdict == ONLY + "at (a)"


@pytest.mark.parametrize(("fast", "verdict"), [(0.2, HOLDS), (0.05, FAILS)])
def test_larger_rate_faster(fast, verdict):
    small = made_up(graph(), panel="small", eta=0.01)
    large = made_up(graph(iht=fast, sto=fast, svrg=fast, scsg=fast), panel="large", eta=0.1)
    assert verdicts.larger_rate_faster(levels_of(pd.concat([large, small]))).verdict == verdict


def test_larger_rate_faster_for_some():
    small, large = made_up(graph(), panel="small", eta=0.01), made_up(graph(svrg=0.2), panel="large", eta=0.1)
    found = verdicts.larger_rate_faster(levels_of(pd.concat([small, large])))
    assert found.verdict == ONLY + "at (graph-svrg-iht, s = 32)"


@pytest.mark.parametrize(
    ("leads", "verdict"),
    [([0.11, 0.15, 0.2], HOLDS), ([0.2, 0.15, 0.11], FAILS), ([0.05, 0.07, 0.09], FAILS)],
)
def test_lead_grows(leads, verdict):
    panels = [
        made_up(graph(svrg=lead), panel=f"s = {s}", sparsity=s) for s, lead in zip((128, 64, 32), leads, strict=True)
    ]
    assert verdicts.lead_grows(levels_of(pd.concat(panels))).verdict == verdict


@pytest.mark.parametrize(
    ("scsg", "points", "verdict"),
    [
        (0.1, {}, HOLDS),
        (0.1 + np.log10(1.03) / 10, {}, HOLDS),
        (0.12, {}, FAILS),
        (0.05, {SCSG: 50}, ONLY + "counted in data points"),
        (0.1, {SCSG: 50}, ONLY + "counted in epochs"),
        # Apart in the middle, together at the end.
        ([0, -0.5, -0.8, -0.9, -0.9, -0.9, -0.9, -0.9, -0.9, -0.95, -1], {}, FAILS),
    ],
)
def test_same_curves(scsg, points, verdict):
    levels = levels_of(made_up(graph(scsg=scsg), points=points))
    assert verdicts.same_curves(levels, "c", SCSG, STO).verdict == verdict


def figure3(middle, smallest, long=0.1):
    parts = [
        made_up(graph(scsg=rate) | {SVRG + LONG_SVRG: long}, panel=f"B = {batch}", batch=batch)
        for batch, rate in ((256, 0.1), (64, middle), (16, smallest))
    ]
    return levels_of(pd.concat(parts))


SURPASSED = [0, -0.2, -0.4, -0.5, -0.6, -0.7, -0.75, -0.8, -0.85, -0.9, -0.95]


@pytest.mark.parametrize(
    ("middle", "long", "verdict"),
    [
        (0.2, 0.1, HOLDS),
        (0.05, 0.1, FAILS),
        # Ahead first and not at the end is not consistent.
        (SURPASSED, 0.1, FAILS),
        (0.2, 0.3, ONLY + "SVRG takes K = B/b inner steps (B = 64)"),
    ],
)
def test_smaller_batch(middle, long, verdict):
    assert verdicts.smaller_batch(figure3(middle, 0.1, long)).verdict == verdict


@pytest.mark.parametrize(
    ("smallest", "long", "verdict"),
    [
        (SURPASSED, 0.1, HOLDS),
        (0.2, 0.1, FAILS),
        (0.05, 0.1, FAILS),
        # Surpassed by far is not slightly.
        ([0, -0.2, *[-0.3] * 9], 0.1, FAILS),
        (SURPASSED, 0.3, ONLY + "SVRG takes K = B/b inner steps"),
    ],
)
def test_smallest_batch(smallest, long, verdict):
    assert verdicts.smallest_batch(figure3(0.1, smallest, long)).verdict == verdict


@pytest.mark.parametrize(
    ("like_sto", "like_svrg", "verdict"), [(0.1, 0.3, HOLDS), (0.3, 0.3, FAILS), (0.1, 0.1, FAILS)]
)
def test_between(like_sto, like_svrg, verdict):
    rates = {STO: 0.1, SVRG + LONG_SVRG: 0.3}
    parts = [
        made_up(rates | {SCSG: like_sto}, panel="B = 16, b = 16", batch=16),
        made_up(rates | {SCSG: like_svrg}, panel="B = 256, b = 8", batch=256),
    ]
    assert verdicts.between(levels_of(pd.concat(parts))).verdict == verdict


def test_between_on_one_axis():
    rates = {STO: 0.1, SVRG + LONG_SVRG: 0.3}
    parts = [
        made_up(rates | {SCSG: 0.1}, panel="B = 16, b = 16", batch=16, points={SCSG: 300}),
        made_up(rates | {SCSG: 0.3}, panel="B = 256, b = 8", batch=256),
    ]
    found = verdicts.between(levels_of(pd.concat(parts)))
    assert found.verdict == ONLY + "counted in epochs; counted in steps"


STAIRS = [0, -0.1, -0.2, -0.21, -0.22, -0.5, -0.6, -0.7, -0.8, -0.9, -1.0]


def test_stairs_are_a_level_stretch_and_then_a_drop():
    smooth = 10.0 ** np.linspace(0, -1, 11)
    assert verdicts.stairs(smooth) == 0
    assert verdicts.stairs(10.0 ** np.array(STAIRS)) > 0
    # A drop before the level stretch is no stair, and neither is flattening out at the end.
    assert verdicts.stairs(10.0 ** np.array([0, -0.1, -0.5, -0.6, -0.7, -0.71, -0.72, -0.8, -0.9, -1.0])) == 0
    assert verdicts.stairs(np.array([1.0, np.inf])) == 0


@pytest.mark.parametrize(
    ("one", "more", "verdict"),
    [(STAIRS, 0.1, HOLDS), (0.1, 0.1, FAILS), (STAIRS, STAIRS, FAILS), (0.1, STAIRS, FAILS)],
)
def test_levels_off(one, more, verdict):
    both = [
        made_up(dict.fromkeys(GRAPH_METHODS, rate), panel=f"g = {g}", n_components=g)
        for g, rate in ((1, one), (4, more))
    ]
    assert verdicts.levels_off(pd.concat(both), "f").verdict == verdict


def test_levels_off_for_one_method():
    both = [made_up(graph(sto=STAIRS), panel="g = 1"), made_up(graph(), panel="g = 4", n_components=4)]
    assert verdicts.levels_off(pd.concat(both), "f").verdict == ONLY + STO


@pytest.mark.parametrize(
    ("printed", "published", "lead"),
    [
        (0.1, 0.2, ONLY + "the published scaling is used"),
        (0.2, 0.1, ONLY + "gradients are scaled as printed"),
        (0.1, 0.1, FAILS),
        (0.2, 0.2, HOLDS),
    ],
)
def test_artefact(printed, published, lead):
    parts = []
    for scaling, rate in ((PRINTED, printed), (PUBLISHED, published)):
        for eta in (0.1, 0.001):
            svrg = DIVERGES if eta == 0.1 and scaling == PUBLISHED else rate
            columns = {"panel": f"{scaling}, eta = {eta}", "eta": eta, "scaling": scaling}
            parts.append(made_up(graph(svrg=svrg), **columns))
    ahead, converges = verdicts.artefact(levels_of(pd.concat(parts)))
    assert ahead.verdict == lead
    assert converges.verdict == ONLY + "not at (as published, eta = 0.1)"
    assert "as published, eta = 0.1: SVRG 5, SCSG 0" in converges.detail


def test_every_claim_gets_a_verdict_and_only_for_figures_that_are_there():
    fig2 = pd.concat([made_up(graph(), panel=f"s = {s}", sparsity=s) for s in (64, 32)])
    found = verdicts.all_verdicts({"fig2": fig2})
    assert [verdict.figure for verdict in found] == ["fig2"] * 3
    assert all(verdict.verdict in (HOLDS, FAILS) or verdict.verdict.startswith(ONLY) for verdict in found)
