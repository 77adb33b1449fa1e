"""Verdicts on made-up curves that make each of them come out each way."""

import numpy as np
import pandas as pd
import pytest

from study.simulation import verdicts
from study.simulation.curves import MEANS
from study.simulation.experiments import AS_PRINTED, BLOCKS, GRAPH_METHODS, LONG_SVRG, SINGLE_ROWS
from study.simulation.judging import CEILING, HOLDS, IN_PART, OPEN, REFUTED, judge, ratio
from study.simulation.verdicts import SCSG, STO, SVRG, Levels

EPOCHS = 10
SEEDS = 30
LONG = SVRG + LONG_SVRG


def verdict_on(test, curves):
    """The verdict on one claim as if it were the whole table."""
    curves = pd.concat(curves) if isinstance(curves, list) else curves
    return judge([("f", "c", list(test(Levels(curves))))])[0]


def made_up(rates, seeds=SEEDS, panel="p", points=None, **columns):
    """Curves that fall by 10^-rate an epoch; a rate may be a list of levels, infinite where the run diverged.

    SVRG with K = n/b is as with K = B/b unless given.
    """
    rates = {LONG: rates[SVRG], **rates} if SVRG in rates else rates
    points = points or {}
    points = {LONG: points[SVRG], **points} if SVRG in points else points
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
                        "data_points": points.get(curve, 100) * epoch,
                        "residual": np.inf if np.isinf(level) else start * 10.0**level,
                    }
                    | {"sparsity": 32, "eta": 0.01, "batch": 64, "scaling": MEANS, "n_components": 1}
                    | columns
                )
    return pd.DataFrame(rows)


def graph(**rates):
    """Curves of the graph methods by short names, 0.1 an epoch by default."""
    names = dict(zip(("iht", "sto", "svrg", "scsg"), GRAPH_METHODS, strict=True)) | {"long": LONG}
    return {full: rates.get(short, 0.1) for short, full in names.items() if short != "long" or short in rates}


DIVERGES = [0, *[1] * 4, *[np.inf] * 6]


def test_levels_are_log_ratios_to_the_start_on_either_axis():
    levels = Levels(made_up({STO: 0.1, SVRG: 0.3, SCSG: DIVERGES}, points={SVRG: 200}))
    np.testing.assert_allclose(levels.final("p", SVRG), -3.0)
    # 1,000 points are five epochs of SVRG and ten of the other; between epochs log residuals are interpolated.
    np.testing.assert_allclose(levels.difference("p", SVRG, STO, "data_points"), -0.5)
    np.testing.assert_allclose(levels.at("p", SVRG, "data_points", 300), -0.45)
    np.testing.assert_allclose(levels.difference("p", SVRG, STO, "epoch", 0.5), -1.0)
    np.testing.assert_array_equal(levels.final("p", SCSG), CEILING)


@pytest.mark.parametrize(
    ("difference", "text"),
    [(0, "1.00"), (1e-3, "1.0023"), (-0.301, "0.50"), (1.5, "32"), (5, "over 1,000"), (-4, "under 1/1,000")],
)
def test_ratios_are_readable(difference, text):
    assert ratio(difference) == text


@pytest.mark.parametrize(
    ("rates", "points", "verdict"),
    [
        ({"svrg": 0.2}, {}, HOLDS),
        ({"svrg": 0.05}, {}, REFUTED),
        # Tied is not best.
        ({"svrg": 0.1}, {}, REFUTED),
        ({"svrg": DIVERGES}, {}, REFUTED),
        # Below one of the others is not best either.
        ({"svrg": 0.2, "scsg": 0.3}, {}, REFUTED),
        # GraphIHT is not in the paper's figure.
        ({"svrg": 0.2, "iht": 0.3}, {}, HOLDS),
        # Twice as fast by the epoch, at four times the data.
        ({"svrg": 0.2}, {SVRG: 400}, IN_PART),
        ({"svrg": 0.08}, {SVRG: 50}, IN_PART),
        # With one K and not with the other.
        ({"svrg": 0.05, "long": 0.2}, {}, IN_PART),
        ({"svrg": 0.2, "long": 0.05}, {}, IN_PART),
    ],
)
def test_svrg_best(rates, points, verdict):
    found = verdict_on(verdicts.svrg_best, made_up(graph(**rates), points=points))
    assert found.verdict == verdict
    assert found.seeds == SEEDS


def test_svrg_best_says_what_was_found_under_each_k():
    curves = made_up(graph(svrg=0.05, long=0.2), points={LONG: 400})
    found = verdict_on(verdicts.svrg_best, curves).found
    assert found == (
        "K = B/b: refuted (in epochs contradicted; in data points contradicted); "
        "K = n/b: holds in part (in epochs shown; in data points contradicted)"
    )


def test_svrg_best_names_the_panels_and_by_how_much_it_fails():
    good = made_up(graph(svrg=0.2), panel="good")
    bad = made_up(graph(svrg=0.1 - np.log10(2) / 10), panel="bad")
    also = made_up(graph(svrg=0.3), panel="also")
    found = verdict_on(verdicts.svrg_best, [good, bad, also])
    assert "K = B/b: holds in part (in epochs contradicted at (bad), shown elsewhere; " in found.found
    assert "K = B/b: in epochs SVRG/STO 2.00 [2.00, 2.00] at (bad)" in found.detail


@pytest.mark.parametrize(
    ("rates", "verdict"),
    [({}, HOLDS), ({"scsg": DIVERGES}, IN_PART), ({"svrg": -0.01}, IN_PART)],
)
def test_stable(rates, verdict):
    found = verdict_on(verdicts.stable, made_up(graph(**rates)))
    assert found.verdict == verdict
    if "scsg" in rates:
        assert "SCSG contradicted" in found.found
        assert f"SCSG {SEEDS} of {SEEDS} runs end above their start at (p)" in found.detail


def test_nothing_is_stable():
    rising = made_up(graph(**dict.fromkeys(("iht", "sto", "svrg", "scsg"), -0.1)))
    assert verdict_on(verdicts.stable, rising).verdict == REFUTED


@pytest.mark.parametrize(("risen", "state"), [(0, "shown"), (SEEDS // 4, "undecided"), (SEEDS, "contradicted")])
def test_stable_is_about_nearly_all_runs(risen, state):
    curves = made_up(graph())
    curves.loc[(curves["curve"] == SCSG) & (curves["seed"] <= risen) & (curves["epoch"] == EPOCHS), "residual"] = 1e3
    found = verdict_on(verdicts.stable, curves).found
    assert found.count(f"SCSG {state}") == 2


@pytest.mark.parametrize(("fast", "verdict"), [(0.2, HOLDS), (0.05, REFUTED)])
def test_larger_rate_faster(fast, verdict):
    small = made_up(graph(), panel="small", eta=0.01)
    large = made_up(graph(iht=fast, sto=fast, svrg=fast, scsg=fast), panel="large", eta=0.1)
    assert verdict_on(verdicts.larger_rate_faster, [large, small]).verdict == verdict


def test_larger_rate_faster_for_some():
    small, large = made_up(graph(), panel="small", eta=0.01), made_up(graph(svrg=0.2), panel="large", eta=0.1)
    found = verdict_on(verdicts.larger_rate_faster, [small, large])
    assert found.verdict == IN_PART
    assert "STO contradicted; SVRG shown; SCSG contradicted" in found.found


@pytest.mark.parametrize(
    ("leads", "verdict"),
    [([0.11, 0.15, 0.2], HOLDS), ([0.2, 0.15, 0.11], REFUTED), ([0.05, 0.07, 0.09], REFUTED)],
)
def test_lead_grows(leads, verdict):
    panels = [
        made_up(graph(svrg=lead), panel=f"s = {s}", sparsity=s) for s, lead in zip((128, 64, 32), leads, strict=True)
    ]
    assert verdict_on(verdicts.lead_grows, panels).verdict == verdict


@pytest.mark.parametrize(
    ("scsg", "points", "verdict"),
    [
        (0.1, {}, HOLDS),
        (0.1 + np.log10(1.03) / 10, {}, HOLDS),
        (0.12, {}, REFUTED),
        (0.05, {SCSG: 50}, IN_PART),
        (0.1, {SCSG: 50}, IN_PART),
        # Apart in the middle, together at the end.
        ([0, -0.5, -0.8, -0.9, -0.9, -0.9, -0.9, -0.9, -0.9, -0.95, -1], {}, REFUTED),
    ],
)
def test_sto_is_scsg(scsg, points, verdict):
    assert verdict_on(verdicts.sto_is_scsg, made_up(graph(scsg=scsg), points=points)).verdict == verdict


def figure3(middle, smallest, long=0.1):
    return [
        made_up(graph(scsg=rate, long=long), panel=f"B = {batch}", batch=batch)
        for batch, rate in ((256, 0.1), (64, middle), (16, smallest))
    ]


SURPASSED = [0, -0.2, -0.4, -0.5, -0.6, -0.7, -0.75, -0.8, -0.85, -0.9, -0.95]


@pytest.mark.parametrize(("long", "verdict"), [(0.1, HOLDS), (0.2, IN_PART)])
def test_scsg_is_svrg_at_the_largest_batch(long, verdict):
    assert verdict_on(verdicts.scsg_is_svrg, figure3(0.3, 0.3, long)).verdict == verdict


@pytest.mark.parametrize(
    ("middle", "long", "verdict"),
    [
        (0.2, 0.1, HOLDS),
        (0.05, 0.1, REFUTED),
        # Ahead first and not at the end is not consistent.
        (SURPASSED, 0.1, REFUTED),
        (0.2, 0.3, IN_PART),
    ],
)
def test_smaller_batch(middle, long, verdict):
    assert verdict_on(verdicts.smaller_batch, figure3(middle, 0.1, long)).verdict == verdict


@pytest.mark.parametrize(
    ("smallest", "long", "verdict"),
    [
        (SURPASSED, 0.1, HOLDS),
        (0.2, 0.1, REFUTED),
        (0.05, 0.1, REFUTED),
        # Surpassed by far is not slightly.
        ([0, -0.2, *[-0.3] * 9], 0.1, REFUTED),
        (SURPASSED, 0.3, IN_PART),
    ],
)
def test_smallest_batch(smallest, long, verdict):
    assert verdict_on(verdicts.smallest_batch, figure3(0.1, smallest, long)).verdict == verdict


@pytest.mark.parametrize(
    ("like_sto", "like_svrg", "verdict"), [(0.1, 0.3, HOLDS), (0.3, 0.3, IN_PART), (0.2, 0.1, REFUTED)]
)
def test_between(like_sto, like_svrg, verdict):
    rates = {STO: 0.1, SVRG: 0.3}
    parts = [
        made_up(rates | {SCSG: like_sto}, panel="B = 16, b = 16", batch=16),
        made_up(rates | {SCSG: like_svrg}, panel="B = 256, b = 8", batch=256),
    ]
    assert verdict_on(verdicts.between, parts).verdict == verdict


def test_between_on_one_axis():
    rates = {STO: 0.1, SVRG: 0.3}
    parts = [
        made_up(rates | {SCSG: 0.1}, panel="B = 16, b = 16", batch=16, points={SCSG: 300}),
        made_up(rates | {SCSG: 0.3}, panel="B = 256, b = 8", batch=256),
    ]
    found = verdict_on(verdicts.between, parts).found
    assert "in epochs shown everywhere; in data points contradicted at (B = b), shown elsewhere; in steps" in found


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
    [(STAIRS, 0.1, HOLDS), (0.1, 0.1, REFUTED), (STAIRS, STAIRS, REFUTED), (0.1, STAIRS, REFUTED)],
)
def test_levels_off(one, more, verdict):
    both = [
        made_up(dict.fromkeys(GRAPH_METHODS, rate), panel=f"g = {g}", n_components=g)
        for g, rate in ((1, one), (4, more))
    ]
    assert verdict_on(verdicts.levels_off, both).verdict == verdict


def test_levels_off_for_one_method():
    both = [made_up(graph(sto=STAIRS), panel="g = 1"), made_up(graph(), panel="g = 4", n_components=4)]
    found = verdict_on(verdicts.levels_off, both)
    assert found.verdict == IN_PART
    assert "IHT contradicted; STO shown; SVRG contradicted" in found.found
    assert "STO runs with a stair 100% at g = 1, 0% at g = 4" in found.detail


def figure1(printed, long, single, blocks):
    """The figure of the published code, GraphSVRG falling at these rates at the smaller of two learning rates."""
    parts = []
    for row, svrg in ((AS_PRINTED, printed), (SINGLE_ROWS, single), (BLOCKS, blocks)):
        for eta in (0.1, 0.001):
            rate = DIVERGES if (row, eta) == (SINGLE_ROWS, 0.1) else svrg
            rates = graph(svrg=rate, long=long) if row == AS_PRINTED else graph(svrg=rate)
            parts.append(made_up(rates, panel=f"{row}, eta = {eta:g}", eta=eta))
    return [judge([claim])[0] for claim in verdicts.claims({"fig1_published": pd.concat(parts)})]


def test_published_code_is_judged_apart_from_the_algorithms():
    best, converges, coded_best, coded_converges, ahead = figure1(0.1, 0.05, 0.2, 0.1)
    assert best.verdict == REFUTED
    assert converges.verdict == HOLDS
    assert coded_best.found == (
        f"{SINGLE_ROWS}: holds in part (in epochs contradicted at (eta = 0.1), shown elsewhere; "
        f"in data points contradicted at (eta = 0.1), shown elsewhere); "
        f"{BLOCKS}: refuted (in epochs contradicted everywhere; in data points contradicted everywhere)"
    )
    assert coded_converges.verdict == IN_PART
    assert f"{SINGLE_ROWS}: SVRG at eta = 0.1 {SEEDS} of {SEEDS} runs end above" in coded_converges.detail
    assert ahead.found == (
        f"holds in part (as printed, K = B/b contradicted; as printed, K = n/b contradicted; "
        f"{SINGLE_ROWS} shown; {BLOCKS} contradicted)"
    )


@pytest.mark.parametrize(("rate", "verdict"), [(0.2, HOLDS), (0.05, REFUTED)])
def test_as_printed_svrg_is_best(rate, verdict):
    assert figure1(rate, rate, 0.1, 0.1)[0].verdict == verdict


def test_every_claim_gets_a_verdict_and_only_for_figures_that_are_there():
    fig2 = pd.concat([made_up(graph(), panel=f"s = {s}", sparsity=s) for s in (64, 32)])
    found = verdicts.all_verdicts({"fig2": fig2})
    assert [verdict.figure for verdict in found] == ["fig2"] * 3
    assert [verdict.verdict for verdict in found] == [REFUTED, REFUTED, HOLDS]


def test_too_few_seeds_leave_everything_undecided():
    fig2 = pd.concat([made_up(graph(svrg=0.2), seeds=3, panel=f"s = {s}", sparsity=s) for s in (64, 32)])
    assert {verdict.verdict for verdict in verdicts.all_verdicts({"fig2": fig2})} == {OPEN}
