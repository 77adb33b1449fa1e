"""Curves: data points by closed forms, the published scaling by hand, the figures' settings."""

from dataclasses import replace
from itertools import chain

import numpy as np
import pandas as pd
import pytest

from graphiht.losses import least_squares
from graphiht.methods import find_method
from study.figures.curves import bands
from study.figures.recovery import DRAWINGS
from study.simulation import graphs, layout, recovery
from study.simulation.curves import MEANS, PUBLISHED, Setting, curve, make_estimator, per_epoch
from study.simulation.experiments import FIGURES, LONG_SVRG, METHODS, OPTION_I, Sizes, run_figure
from study.simulation.graphs import Problem, grid, planted
from study.simulation.run import RUNNERS

N = 24
SETTING = Setting("", "", "graph-iht", MEANS, 6, 0.1, 8, 2, 4, 1, 3, "2s")
SIZES = Sizes(
    side=6, rows=32, epochs=3, sparsities=(12, 6), sparsity=6, batch_size=8, mini_batch=2, batch_sizes=(32, 8, 4),
    combinations=((4, 4), (8, 2), (32, 2)), components=(1, 3),
)  # fmt: skip


@pytest.fixture(scope="module")
def problem():
    return planted(grid(6), 6, N, np.random.default_rng(0))


@pytest.mark.parametrize(
    ("method", "points", "steps"),
    [
        ("graph-iht", N, 1),
        # Three blocks of 8 rows.
        ("sto-iht", 3 * 8, 3),
        # All rows at the anchor; then four times 2 rows, at the iterate and at the anchor.
        ("graph-svrg-iht", N + 4 * 2 * 2, 4),
        # A batch of 8 at the anchor.
        ("scsg-iht", 8 + 4 * 2 * 2, 4),
    ],
)
@pytest.mark.parametrize("scaling", [MEANS, PUBLISHED])
def test_data_points_are_every_row_of_every_gradient(problem, method, points, steps, scaling):
    setting = replace(SETTING, method=method, scaling=scaling)
    rows = curve(setting, problem, np.random.default_rng(1))
    # The first epoch of the published SVRG and SCSG looks at the iterate alone.
    less = 4 * 2 if scaling == PUBLISHED and "s" in find_method(method).gradient else 0
    assert [row["data_points"] for row in rows] == [0, *(points * epoch - less for epoch in range(1, 4))]
    assert [row["steps"] for row in rows] == [steps * epoch for epoch in range(4)]
    assert per_epoch(setting, N) == (steps, points)


def test_option_one_draws_its_steps_and_counts_what_it_takes(problem):
    """Geometric from 0 on with mean B/b = 4: 400 epochs within five standard errors."""
    setting = replace(SETTING, method="graph-scsg-iht", eta=0.01, epochs=400, option=1)
    table = pd.DataFrame(curve(setting, problem, np.random.default_rng(1)))
    steps = table["steps"].diff()[1:]
    assert abs(steps.mean() - 4) < 5 * np.sqrt(4 * 5 / 400)
    assert (steps == 0).mean() == pytest.approx(2 / (8 + 2), abs=0.1)
    np.testing.assert_array_equal(table["data_points"].diff()[1:], 8 + 2 * 2 * steps)
    # An epoch without a step leaves the residual as it is.
    assert (table["residual"].diff()[1:][steps == 0] == 0).all()


def test_scsg_of_all_rows_and_single_ones_is_svrg_to_the_bit(problem):
    setting = replace(SETTING, batch=N, mini_batch=1, inner_steps=N)
    scsg, svrg = (
        curve(replace(setting, method=method), problem, np.random.default_rng(1))
        for method in ("graph-scsg-iht", "graph-svrg-iht")
    )
    assert scsg == svrg
    assert curve(replace(setting, method="graph-scsg-iht", option=1), problem, np.random.default_rng(1)) != svrg


def test_rows_are_zero_and_the_full_gradient_step_by_hand(problem):
    """One epoch of IHT: the s largest entries of eta A^T y."""
    rows = curve(replace(SETTING, method="iht", epochs=1), problem, np.random.default_rng(1))
    step = 0.1 * problem.A.T @ problem.y
    x = np.where(np.abs(step) >= np.sort(np.abs(step))[-6], step, 0.0)
    for row, point in zip(rows, (np.zeros(36), x), strict=True):
        assert row["residual"] == pytest.approx(np.linalg.norm(problem.A @ point - problem.y))
        assert row["error"] == pytest.approx(np.linalg.norm(point - problem.x))


def test_divergence_is_infinite_to_the_end_and_still_counted(problem):
    setting = replace(SETTING, method="svrg-iht", eta=50.0, epochs=8)
    rows = curve(setting, problem, np.random.default_rng(1))
    assert len(rows) == 9
    residuals = np.array([row["residual"] for row in rows])
    first = np.flatnonzero(np.isinf(residuals))[0]
    assert 0 < first < 8
    assert np.isinf(residuals[first:]).all()
    assert rows[-1]["data_points"] == 8 * per_epoch(setting, N)[1]


def sums(problem, rows, x):
    """The published gradient: twice a sum over the rows, whatever their number."""
    return 2 * problem.A[rows].T @ (problem.A[rows] @ x - problem.y[rows])


@pytest.mark.parametrize("method", ["sto-iht", "svrg-iht", "scsg-iht"])
def test_published_steps_are_those_by_hand(problem, method):
    """Two epochs that keep all nodes; blocks of 7 and 8 rows, the first epoch of SVRG and SCSG without its anchor."""
    rows = 23
    problem = problem._replace(A=problem.A[:rows], y=problem.y[:rows])
    problem = problem._replace(loss=least_squares(problem.A, problem.y, scale=rows))
    setting = replace(SETTING, method=method, scaling=PUBLISHED, sparsity=36, eta=0.01, epochs=2)
    estimator = make_estimator(setting, rows, np.random.default_rng(1))
    x = np.zeros(36)
    for epoch in range(2):
        drawn, anchor = estimator.draw_epoch(), x
        for chosen in drawn.steps:
            v = sums(problem, chosen, x)
            if len(drawn.anchor) and epoch > 0:
                v += sums(problem, drawn.anchor, anchor) - sums(problem, chosen, anchor)
            x = x - 0.01 * v
    last = curve(setting, problem, np.random.default_rng(1))[-1]
    assert last["residual"] == pytest.approx(np.linalg.norm(problem.A @ x - problem.y), rel=1e-12)
    assert last["error"] == pytest.approx(np.linalg.norm(x - problem.x), rel=1e-12)


@pytest.mark.parametrize(("steps", "diverges"), [(40, False), (120, True)])
def test_published_svrg_takes_an_epoch_for_a_step(steps, diverges):
    """On orthonormal columns and all nodes: 1 - 2 K eta is the factor of an epoch, from the second on."""
    A = np.linalg.qr(np.random.default_rng(0).standard_normal((N, N)))[0]
    x = np.random.default_rng(1).standard_normal(N)
    problem = Problem(A, A @ x, x, np.arange(N), grid(4), least_squares(A, A @ x, scale=N))
    setting = replace(SETTING, method="svrg-iht", scaling=PUBLISHED, sparsity=N, eta=0.01, mini_batch=1, epochs=12)
    rows = curve(replace(setting, inner_steps=steps), problem, np.random.default_rng(1))
    residuals = np.array([row["residual"] for row in rows])
    ratios = residuals[2:] / residuals[1:-1]
    if diverges:
        assert ratios[-1] > 1.1
    else:
        np.testing.assert_allclose(ratios, 1 - 2 * steps * 0.01, rtol=0.15)


def test_layout_names_every_figure():
    assert tuple(FIGURES) == layout.FIGURES
    assert ("grid", *graphs.FAMILIES, recovery.REAL) == layout.FAMILIES
    files = [name for figure in FIGURES for name in layout.drawings(figure)]
    assert len(set(files)) == len(files) == 9


def test_every_experiment_has_what_runs_and_what_draws_it():
    assert list(layout.experiments(1)) == list(RUNNERS) == list(DRAWINGS)


@pytest.mark.parametrize(("seeds", "ranges"), [(1, [(1, 1)]), (10, [(1, 10)]), (25, [(1, 10), (11, 20), (21, 25)])])
def test_every_seed_is_in_one_range(seeds, ranges):
    parts = layout.seed_ranges(seeds)
    assert [(part["first"], part["last"]) for part in parts.values()] == ranges
    assert next(iter(parts)) == f"seeds-001-{ranges[0][1]:03d}"


@pytest.mark.parametrize("figure", list(FIGURES))
def test_figures_have_every_method_in_every_panel_and_k_from_the_sizes(figure):
    for made in FIGURES[figure](SIZES):
        assert {setting.method for setting in made} == set(METHODS)
        assert len({(setting.panel, setting.curve) for setting in made}) == len(made)
        if made[0].scaling == MEANS:
            for setting in made:
                top = SIZES.rows if setting.curve.endswith(LONG_SVRG) else setting.batch
                assert setting.inner_steps == -(-top // setting.mini_batch)
            options = {setting.curve: setting.option for setting in made}
            assert [curve for curve in options if options[curve] == 1] == ["graph-scsg-iht" + OPTION_I]


def test_published_sizes_are_those_of_the_two_scripts():
    """n = 32 rows, s = 6: (B, b, K) of the three methods."""
    found = {}
    for setting in chain.from_iterable(FIGURES["fig1_published"](SIZES)):
        if setting.eta == 0.01:
            sizes = (setting.batch, setting.mini_batch, setting.inner_steps)
            found.setdefault(setting.panel.partition(", eta")[0], {})[setting.curve] = sizes
            assert setting.head == ("2s" if setting.scaling == MEANS else "half")
    printed, single, blocks = found.values()
    assert (printed["graph-svrg-iht"], printed["graph-svrg-iht K = n/b"]) == ((16, 1, 16), (16, 1, 32))
    assert (single["graph-svrg-iht"], single["graph-scsg-iht"]) == ((16, 1, 32), (16, 1, 16))
    assert (blocks["graph-svrg-iht"], blocks["graph-scsg-iht"]) == ((6, 6, 6), (6, 1, 6))
    assert single["graph-sto-iht"][0] == 16
    assert blocks["graph-sto-iht"][0] == 6
    assert "graph-svrg-iht K = n/b" not in single | blocks


@pytest.mark.parametrize("figure", ["fig3", "batches"])
def test_methods_compared_by_data_points_use_about_as_many(figure):
    for panel in FIGURES[figure](SIZES):
        points = [(per_epoch(setting, 32)[1], setting.epochs) for setting in panel]
        budget = max(each * epochs for each, epochs in points if epochs == SIZES.epochs)
        assert all(each * (epochs - 1) < budget <= each * epochs for each, epochs in points)


def test_seeds_of_a_figure_do_not_depend_on_each_other():
    both = run_figure("fig2", 7, 1, 2, SIZES)
    second = run_figure("fig2", 7, 2, 2, SIZES)
    again = both[both["seed"] == 2].reset_index(drop=True)
    assert again.equals(second)
    assert not run_figure("fig2", 8, 2, 2, SIZES).equals(second)
    # Paired: all methods of a panel start from the same problem.
    start = both[(both["epoch"] == 0) & (both["seed"] == 1) & (both["panel"] == "s = 6")]
    assert start["residual"].nunique() == 1


def test_bands_are_quartiles_relative_to_the_start():
    table = run_figure("fig2", 7, 1, 5, SIZES)
    found = bands(table, "epoch")
    row = found[(found["panel"] == "s = 6") & (found["curve"] == "graph-iht") & (found["x"] == 3)].iloc[0]
    runs = table[(table["panel"] == "s = 6") & (table["curve"] == "graph-iht")]
    levels = [run["residual"].iloc[3] / run["residual"].iloc[0] for _, run in runs.groupby("seed")]
    assert row["median"] == pytest.approx(np.median(levels))
    assert (row["low"], row["high"]) == pytest.approx(tuple(np.sort(levels)[[1, 3]]))


def test_bands_of_seeds_that_use_other_numbers_of_data_points():
    """The medians of epochs 1 and 2 are at 6 and 15; the third seed ends at 12."""
    runs = [
        pd.DataFrame({"panel": "p", "curve": "c", "method": "m", "seed": seed, "data_points": x, "residual": y})
        for seed, (x, y) in enumerate([([0, 10, 20], [2, 1, 0]), ([0, 5, 15], [4, 3, 1]), ([0, 6, 12], [1, 1, 1])])
    ]
    found = bands(pd.concat(runs), "data_points")
    assert found["x"].tolist() == [0, 6]
    # At 6 the seeds are at 1.4 / 2, 2.8 / 4 and 1.
    assert found["median"].tolist() == pytest.approx([1, 0.7])
    assert bands(pd.concat(runs[:2]), "data_points")["low"].tolist() == pytest.approx([1, 0.625])
