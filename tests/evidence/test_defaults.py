"""The defaults: the rule that picks them, what is compared, and that the picked ones are in force."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

import small
from graphiht.gradients import SCSG_INNER_STEPS
from graphiht.solver import HEAD, SLACK, Settings
from small import study_of
from study import tables
from study.config import complete, load_schema
from study.evidence import defaults

SETTINGS = small.SETTINGS | {"folds": 2, "inner_folds": 2, "tolerance": 1e-3, "head": "identity", "slack": 0.1}
SETTINGS |= {"near_tie": 0.005, "choose_by": "auc"}


@pytest.mark.parametrize(
    ("differences", "expected"),
    [
        ({"b": (0.011, 0.010)}, "b"),
        ({"b": (0.010, 0.010)}, "a"),
        ({"b": (-0.05, 0.010)}, "a"),
        ({"b": (0.0, 0.0)}, "a"),
        ({"b": (0.02, 0.010), "c": (0.03, 0.010)}, "c"),
        ({"b": (0.02, 0.010), "c": (0.03, 0.040)}, "b"),
        ({}, "a"),
    ],
)
@pytest.mark.parametrize(("metric", "sign"), [("auc", 1), ("balanced_error", -1)])
def test_another_value_is_picked_only_if_better_by_more_than_one_standard_error(differences, expected, metric, sign):
    rows = [
        {"variant": value, "current": value == "a", f"{metric}_difference": sign * more, f"{metric}_error": error}
        for value, (more, error) in {"a": (0.0, 0.0), **differences}.items()
    ]
    assert defaults.picked(rows, metric) == expected


def rows_of(gains):
    """Figures of every choice in two trials of two folds; `gains` adds to AUC and error by (choice, value)."""
    rng, rows = np.random.default_rng(0), []
    for (trial, fold), choice in product(((1, 1), (1, 2), (2, 1), (2, 2)), defaults.CHOICES):
        for method in choice.methods:
            base = rng.normal(0.7, 0.01)
            for value in choice.values:
                up, down = gains.get((choice.name, value), (0.0, 0.0))
                figures = {"auc": base + up, "balanced_error": 0.3 + down, "seconds": 1.0, "lambda": 1}
                key = {"trial": trial, "fold": fold, "choice": choice.name, "variant": value, "method": method}
                rows.append(key | figures)
    return rows


def test_table_has_the_differences_of_fold_means_and_one_pick_per_default():
    gains = {("head", "2s"): (0.05, 0.0), ("slack", 0.2): (-0.05, 0.0)}
    gains |= {("cut_off", "midpoint"): (0.0, -0.02), ("near_tie", 0.02): (0.0, -0.02)}
    table = defaults.defaults_tables(rows_of(gains), SETTINGS)["defaults"]
    of_all = table[table["method"] == defaults.ALL].set_index(["choice", "variant"])
    # The cut-off is judged by its error; near ties by the AUC.
    now = {name: str(value) for name, value in defaults.current_values(SETTINGS).items()}
    assert dict(of_all[of_all["picked"]].index) == now | {"head": "2s", "cut_off": "midpoint"}
    assert of_all.loc[("head", "2s"), "auc_difference"] == pytest.approx(0.05)
    assert (table["folds"] == 4).all()
    assert not table.loc[table["method"] != defaults.ALL, "picked"].any()


def test_midpoint_is_between_the_weighted_means_of_the_classes():
    y, score = np.array([1, 1, 0, 0]), np.array([2.0, 4.0, 0.0, 1.0])
    assert defaults.midpoint(y, score) == 1.75
    assert defaults.midpoint(y, score, np.array([3.0, 1.0, 1.0, 0.0])) == 1.25


def test_every_value_of_every_default_reaches_the_fits_of_every_fold():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(60, 30))
    y = (X[:, :4].sum(axis=1) + rng.normal(size=60) > 0).astype(np.int8)
    grid = {"sparsities": [3, 6], "lambdas": [0.1, 1], "epochs": [2, 4], "n_blocks": [2]}
    rows = defaults.compare_in_trial(study_of(X, y), SETTINGS, 1, grid)
    found = pd.DataFrame(rows).groupby("choice", sort=False)
    for choice in defaults.CHOICES:
        own = found.get_group(choice.name)
        n_penalties = len(grid["lambdas"]) if choice in defaults.OF_FITS else 1
        assert len(own) == 2 * n_penalties * len(choice.values) * len(choice.methods)
        if choice in defaults.OF_FITS:
            figures = own.groupby("variant")[["auc", "balanced_error"]].apply(lambda each: each.to_numpy().tobytes())
            assert figures.nunique() > 1, choice.name
    shares = defaults.defaults_tables(rows, SETTINGS)["defaults_penalties"]
    assert shares.groupby("method")["share"].sum().tolist() == pytest.approx([1, 1, 1])


def test_the_picked_defaults_are_in_force(repository):
    table = tables.read(repository / "data/defaults.csv")
    picks = table[table["picked"]].set_index("choice")["variant"].to_dict()
    config = complete({}, load_schema(repository))
    assert picks == {name: str(value) for name, value in defaults.current_values(config).items()}
    assert (picks["head"], float(picks["slack"])) == (HEAD, SLACK)
    assert (picks["intercept"], int(picks["scsg_inner_steps"])) == (Settings().intercept, SCSG_INNER_STEPS)


def test_no_two_values_of_a_default_can_be_told_apart(repository):
    """As docs/defaults.md says: what is ahead is so by less than half a standard error, and takes longer."""
    table = tables.read(repository / "data/defaults.csv")
    for metric in defaults.METRICS:
        assert (table[f"{metric}_low"] <= 0).all()
        assert (table[f"{metric}_high"] >= 0).all()
    of_all = table[table["method"] == defaults.ALL]
    best = of_all.sort_values("auc").groupby("choice").last()
    ahead = best[best["auc_difference"] > 0]
    assert ahead["variant"].to_dict() == {"head": "half", "intercept": "exact", "scsg_inner_steps": "4"}
    assert (ahead["auc_difference"] < ahead["auc_error"] / 2).all()
    current = of_all[of_all["current"]].set_index("choice")["seconds"]
    assert (ahead["seconds"] > current[ahead.index]).all()
    assert 25 < ahead.loc["head", "seconds"] / current["head"] < 40
    assert (table["folds"] == 20).all(), "4 trials of 5 folds"
    shares = tables.read(repository / "data/defaults_penalties.csv")
    ends = shares.pivot(index="method", columns="lambda", values="share")[[0.01, 10]]
    assert ends.loc["graph-iht"].sum() < 0.05
    assert ends.loc["iht"].tolist() == [1 / 20, 1 / 20]
    assert ends.loc["t-top"].sum() > 0.5
