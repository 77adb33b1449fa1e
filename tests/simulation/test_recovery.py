"""Recovery at its easy and hard ends; summaries; growth of cost."""

import math

import numpy as np
import pandas as pd
import pytest

from graphiht.fitting import fit
from graphiht.methods import STEP_METHODS as METHODS
from study.simulation import scaling
from study.simulation.graphs import grid, planted
from study.simulation.recovery import (
    MAX_STEPS,
    REAL,
    STEPS_PER_EPOCH,
    Sizes,
    f1,
    families,
    measure,
    needed,
    sampling,
    summary,
    transition,
)


@pytest.mark.parametrize("method", list(METHODS))
def test_many_observations_recover_and_few_do_not(method):
    easy = planted(grid(8), 5, 200, np.random.default_rng(1))
    found = measure(method, easy, np.random.default_rng(0))
    assert found["recovered"] == 1
    assert found["error"] < 0.01
    assert found["f1"] >= 0.8
    hard = planted(grid(8), 30, 12, np.random.default_rng(1))
    found = measure(method, hard, np.random.default_rng(0))
    assert found["recovered"] == 0
    assert found["error"] > 0.1


def test_f1_by_hand():
    assert f1(np.array([1, 2, 3]), np.array([2, 3, 4])) == pytest.approx(2 / 3)
    assert f1(np.array([5]), np.array([1, 2])) == 0
    assert f1(np.array([1, 2]), np.array([1, 2])) == 1


def test_every_estimator_may_take_as_many_steps():
    problem = planted(grid(6), 5, 40, np.random.default_rng(1))
    for method, row in METHODS.items():
        fitted = fit(
            method, problem.loss, sparsity=5, network=problem.network, step=0.2, intercept="none", max_epochs=3,
            tol=-1.0, rng=np.random.default_rng(0), **sampling(method, 40),
        )  # fmt: skip
        assert fitted.n_steps == 3 * STEPS_PER_EPOCH[row.gradient]
        assert MAX_STEPS % STEPS_PER_EPOCH[row.gradient] == 0


def test_transition_and_families_have_every_cell_and_repeat_to_the_bit():
    sizes = Sizes(side=6, rows=(10, 60), trials=2, noise_levels=(0, 0.5), noise_sparsity=4, noise_rows=40)
    table = transition(3, 4, sizes)
    assert len(table) == 2 * 2 * 8
    assert table.equals(transition(3, 4, sizes))
    few, many = (table[table["n_rows"] == n]["error"].median() for n in (10, 60))
    assert few > many
    names = ("grid", "small-world", REAL)
    graphs = pd.concat([families(3, name, grid(7), sizes) for name in names])
    assert len(graphs) == 3 * 2 * 2 * 8
    assert graphs.groupby("family")["nodes"].first().to_dict() == {"grid": 36, "small-world": 36, REAL: 49}
    clean, noisy = (graphs[graphs["noise"] == level]["error"].median() for level in (0, 0.5))
    assert clean < noisy


def test_summary_counts():
    trials = pd.DataFrame(
        {
            "sparsity": 8,
            "n_rows": 10,
            "method": "iht",
            "recovered": [1, 0, 0, 0],
            "f1": [1.0, 0.5, 0.5, 0.2],
            "error": [0.0, 0.4, 0.6, np.inf],
            "status": ["converged", "converged", "epoch limit", "diverged"],
        }
    )
    row = summary(trials, ["sparsity", "n_rows"]).iloc[0]
    assert row[["trials", "recovered", "f1", "error", "diverged"]].tolist() == [4, 0.25, 0.5, 0.5, 1]
    assert row["standard_error"] == pytest.approx(math.sqrt(0.25 * 0.75 / 4))


@pytest.mark.parametrize(
    ("shares", "n"),
    [([0, 0.2, 0.6, 1], 30), ([1] * 4, 10), ([0, 0, 0, 0.4], None), ([0.6, 0.2, 0.7, 1], 30), ([0, 0, 0, 0.5], 40)],
)
def test_needed_is_from_which_on_half_recover(shares, n):
    table = pd.DataFrame({"sparsity": 8, "n_rows": [10, 20, 30, 40], "method": "iht", "recovered": shares})
    found = needed(table)["n_rows"].iloc[0]
    assert np.isnan(found) if n is None else found == n


def test_slope_is_the_exponent_of_a_power_law():
    nodes = np.array([100, 1000, 10_000, 100_000])
    seconds = 1e-6 * nodes**1.3
    seconds[0] = 5.0  # too small a graph to tell
    assert scaling.slope(nodes, seconds) == pytest.approx(1.3)
    assert math.isnan(scaling.slope([100, 1000], [1.0, 2.0]))
    table = pd.DataFrame({"method": "iht", "nodes": nodes, "seconds_per_step": seconds, "solves_per_step": 0})
    slopes = scaling.with_solves_and_slopes(table)
    assert slopes["slope"].iloc[0] == pytest.approx(1.3)
    assert slopes["slope_of_solve"].isna().all()


def test_scaling_counts_solves_of_graph_methods_only():
    table = scaling.measure(1, scaling.Sizes(nodes=(64, 36), rows=20, sparsity=5, epochs=2, runs=1))
    assert len(table) == 16
    assert list(table["nodes"].unique()) == [36, 64]
    graph = table["method"].map(lambda name: METHODS[name].uses_network)
    assert (table.loc[graph, "solves_per_step"] >= 1).all()
    assert (table.loc[~graph, "solves_per_step"] == 0).all()
    assert (table["seconds_per_step"] > 0).all()
