"""The defaults: the rule that picks them, what is compared, and that the picked ones are in force."""

import numpy as np
import pandas as pd
import pytest

from graphiht.gradients import SCSG_INNER_STEPS
from graphiht.solver import HEAD, SLACK, Settings
from small import study_of
from study import tables
from study.evidence import defaults
from study.config import complete, load_schema
from study.errors import StudyError
from study.stats.paired import corrected_error, paired_difference

SETTINGS = {
    "seed": 3,
    "folds": 2,
    "inner_folds": 2,
    "n_components": 1,
    "tolerance": 1e-3,
    "edge_cost": "unit",
    "scsg_option": 2,
    "scsg_inner_steps": 2,
    "head": "identity",
    "slack": 0.1,
    "near_tie": 0.005,
    "choose_by": "auc",
}


def difference(mean, error):
    return {"difference": mean, "error": error}


@pytest.mark.parametrize(
    ("differences", "expected"),
    [
        ({"b": difference(0.011, 0.010)}, "b"),
        ({"b": difference(0.010, 0.010)}, "a"),
        ({"b": difference(0.009, 0.010)}, "a"),
        ({"b": difference(-0.05, 0.010)}, "a"),
        ({"b": difference(0.0, 0.0)}, "a"),
        ({"b": difference(0.02, 0.010), "c": difference(0.03, 0.010)}, "c"),
        ({"b": difference(0.02, 0.010), "c": difference(0.03, 0.040)}, "b"),
        ({}, "a"),
    ],
)
def test_another_value_is_picked_only_if_better_by_more_than_one_standard_error(differences, expected):
    assert defaults.picked("a", differences) == expected
    mirrored = {value: difference(-row["difference"], row["error"]) for value, row in differences.items()}
    assert defaults.picked("a", mirrored, lower_is_better=True) == expected


def row(trial, fold, choice, variant, method, auc, error, seconds=1.0):
    figures = {"auc": auc, "balanced_error": error, "seconds": seconds, "lambda": 1}
    return {"trial": trial, "fold": fold, "choice": choice, "variant": variant, "method": method, **figures}


def rows_of(gains):
    """Figures of every choice in two trials of two folds; `gains` adds to AUC and error by (choice, value)."""
    rng, rows = np.random.default_rng(0), []
    for trial, fold in ((1, 1), (1, 2), (2, 1), (2, 2)):
        for choice in defaults.CHOICES:
            for method in choice.methods:
                base = rng.normal(0.7, 0.01)
                for value in choice.values:
                    up, down = gains.get((choice.name, value), (0.0, 0.0))
                    rows.append(row(trial, fold, choice.name, value, method, base + up, 0.3 + down))
    return rows


def test_table_has_the_differences_of_fold_means_and_one_pick_per_default():
    table = defaults.defaults_table(rows_of({("head", "2s"): (0.05, 0.0), ("slack", 0.2): (-0.05, 0.0)}), SETTINGS)
    of_all = table[table["method"] == defaults.ALL]
    picks = of_all[of_all["picked"]].set_index("choice")["variant"]
    assert picks["head"] == "2s"
    assert picks.drop("head").to_dict() == {
        name: str(value) for name, value in defaults.current_values(SETTINGS).items() if name != "head"
    }
    shown = of_all.set_index(["choice", "variant"]).loc[("head", "2s")]
    assert shown["auc_difference"] == pytest.approx(0.05)
    assert shown["folds"] == 4
    assert not table.loc[table["method"] != defaults.ALL, "picked"].any()


def test_cut_off_is_judged_by_its_error_and_a_noisy_gain_does_not_count():
    assert [choice.name for choice in defaults.CHOICES if choice.judged_by != "auc"] == ["cut_off"]
    rows = rows_of({("cut_off", "midpoint"): (0.0, -0.02), ("near_tie", 0.02): (0.0, -0.02)})
    noisy = [0.06, -0.05, 0.06, -0.05]
    for index, figures in enumerate(rows):
        if (figures["choice"], figures["variant"]) == ("choose_by", "balanced_error"):
            rows[index] = figures | {"auc": figures["auc"] + noisy[2 * figures["trial"] + figures["fold"] - 3]}
    table = defaults.defaults_table(rows, SETTINGS)
    picks = table[table["picked"]].set_index("choice")["variant"]
    assert (picks["cut_off"], picks["near_tie"], picks["choose_by"]) == ("midpoint", "0.005", "auc")
    shown = table[table["method"] == defaults.ALL].set_index(["choice", "variant"]).loc[("choose_by", "balanced_error")]
    assert shown["auc_difference"] == pytest.approx(np.mean(noisy))
    assert shown["auc_error"] == pytest.approx(corrected_error(np.std(noisy, ddof=1), 4, 2))
    assert paired_difference(np.array(noisy), np.zeros(4), 2)["low"] == pytest.approx(shown["auc_low"])


def test_midpoint_is_between_the_weighted_means_of_the_classes():
    y, score = np.array([1, 1, 0, 0]), np.array([2.0, 4.0, 0.0, 1.0])
    assert defaults.midpoint(y, score) == 1.75
    assert defaults.midpoint(y, score, np.array([3.0, 1.0, 1.0, 0.0])) == 1.25


def test_a_default_that_is_not_compared_is_refused():
    message = r"config: slack: expected one of 0\.0, 0\.1, 0\.2, which are compared, found 3"
    with pytest.raises(StudyError, match=message):
        defaults.current_values(SETTINGS | {"slack": 3})


def test_every_value_of_every_default_is_fitted_in_every_fold(monkeypatch):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(60, 30))
    y = (X[:, :4].sum(axis=1) + rng.normal(size=60) > 0).astype(np.int8)
    grid = {"sparsities": [3, 6], "lambdas": [0.1, 1], "epochs": [2, 4], "n_blocks": [2]}
    monkeypatch.setattr(defaults, "GRID", grid)
    rows = pd.DataFrame(defaults.compare_in_trial(study_of(X, y), SETTINGS, 1))
    for choice in defaults.CHOICES:
        own = rows[rows["choice"] == choice.name]
        per_fold = own.groupby(["variant", "method"], sort=False).size()
        assert len(per_fold) == len(choice.values) * len(choice.methods)
        assert set(per_fold) == {2 * (2 if choice in defaults.OF_FITS else 1)}, "two folds, and of fits two penalties"
    fits = rows[rows["choice"].isin([choice.name for choice in defaults.OF_FITS])]
    for name in ("head", "intercept", "scsg_inner_steps", "slack"):
        changed = fits[fits["choice"] == name].pivot_table(index="variant", values="balanced_error", aggfunc=list)
        aucs = fits[fits["choice"] == name].pivot_table(index="variant", values="auc", aggfunc=list)
        figures = {str(a) + str(b) for a, b in zip(changed["balanced_error"], aucs["auc"], strict=True)}
        assert len(figures) > 1, f"{name} reaches the fits"
    shares = defaults.penalties_table(rows.to_dict("records"), SETTINGS)
    assert shares.groupby("method")["share"].sum().tolist() == pytest.approx([1, 1, 1])


def test_the_picked_defaults_are_in_force(repository):
    table = tables.read(repository / "data", "defaults")
    picks = table[table["picked"]].set_index("choice")["variant"].to_dict()
    config = complete({}, load_schema(repository / "workflow/schemas/config.schema.yaml"))
    assert picks == {name: str(value) for name, value in defaults.current_values(config).items()}
    assert (picks["head"], float(picks["slack"])) == (HEAD, SLACK)
    assert (picks["intercept"], int(picks["scsg_inner_steps"])) == (Settings().intercept, SCSG_INNER_STEPS)


def test_what_the_documentation_says_of_the_table(repository):
    table = tables.read(repository / "data", "defaults")
    for metric in ("auc", "balanced_error"):
        assert (table[f"{metric}_low"] <= 0).all(), "no two values can be told apart"
        assert (table[f"{metric}_high"] >= 0).all()
    of_all = table[table["method"] == defaults.ALL]
    seconds = of_all.set_index(["choice", "variant"])["seconds"]
    best = of_all.sort_values("auc").groupby("choice").last()
    ahead = best[(best["auc_difference"] > 0)]
    assert ahead["variant"].to_dict() == {"head": "half", "intercept": "exact", "scsg_inner_steps": "4"}
    assert (ahead["auc_difference"] < ahead["auc_error"] / 2).all()
    current = of_all[of_all["current"]].set_index("choice")["seconds"]
    assert (ahead["seconds"] > current[ahead.index]).all()
    assert 25 < seconds["head", "half"] / seconds["head", "identity"] < 40
    assert (table["folds"] == 20).all(), "4 trials of 5 folds"
    shares = tables.read(repository / "data", "defaults_penalties").pivot(
        index="method", columns="lambda", values="share"
    )
    ends = shares[[0.01, 10]]
    assert ends.loc["graph-iht"].sum() < 0.05
    assert ends.loc["iht"].tolist() == [1 / 20, 1 / 20]
    assert ends.loc["t-top"].sum() > 0.5
