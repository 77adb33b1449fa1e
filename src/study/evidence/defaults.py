"""Compare defaults of the iterative methods by cross-validation on the tcga cohort, never on the study's.

The rule is older than any number. One default is changed at a time, around the others. What counts is the AUC in test
folds, averaged over the methods that the default concerns; for the cut-off, which changes no AUC, the balanced error.
The current value stays, unless another is better by more than one standard error of the paired difference, corrected
for overlapping training sets (`study.stats.paired`); the best of several such wins.

Defaults of fits are compared at fixed settings: a fold's figure is the mean over a small grid. Defaults of the choice
are compared by choosing from the grid, with more penalties, inside each training set.
"""

from __future__ import annotations

import time
from typing import NamedTuple

import numpy as np
import pandas as pd

from graphiht.solver import Settings
from study import tables
from study.cv.learners import make_learner
from study.cv.nested import choose, inner_errors, out_of_fold_scores, standardiser
from study.cv.outcome import Outcome
from study.cv.splits import Splits, generator, make_splits
from study.data.studyfile import Study
from study.methods import ITERATIVE, METHODS, uses_network
from study.stats.paired import paired_difference
from study.stats.scores import auc, balanced_error, best_threshold

GRID = {"sparsities": [20, 50, 100], "lambdas": [0.1, 1], "epochs": [10, 30], "n_blocks": [2]}
LAMBDAS = [0.01, 0.1, 1, 10]
METRICS = ["auc", "balanced_error"]
ALL = "all"


def midpoint(y: np.ndarray, score: np.ndarray, weights: np.ndarray | None = None) -> float:
    """Return the point half-way between the mean scores of the two classes."""
    means = [np.average(score[part], weights=None if weights is None else weights[part]) for part in (y == 1, y != 1)]
    return float(sum(means) / 2)


CUT_OFFS = {"least error": best_threshold, "midpoint": midpoint, "one half": lambda y, score, weights: 0.0}


class Choice(NamedTuple):
    """A default: its name, the values that are compared, the methods it concerns, and the metric that decides."""

    name: str
    values: tuple
    methods: tuple[str, ...]
    judged_by: str = "auc"


_EIGHT = tuple(name for name in ITERATIVE if not METHODS[name].fits)
_NETWORK = tuple(name for name in _EIGHT if uses_network(name))
_CHOOSING = ("iht", "graph-iht", "t-top")
OF_FITS = (
    Choice("head", ("identity", "half", "2s"), _NETWORK),
    Choice("intercept", ("gradient", "newton", "exact", "none"), _EIGHT),
    Choice("scsg_inner_steps", (2, 4, 8), tuple(name for name in _EIGHT if METHODS[name].gradient == "scsg")),
    Choice("slack", (0.0, 0.1, 0.2), _NETWORK),
)
OF_CHOOSING = (
    Choice("near_tie", (0.0, 0.005, 0.02), _CHOOSING),
    Choice("choose_by", ("auc", "balanced_error"), _CHOOSING),
    Choice("cut_off", tuple(CUT_OFFS), _CHOOSING, "balanced_error"),
)
CHOICES = (*OF_FITS, *OF_CHOOSING)


def current_values(settings: dict) -> dict:
    """Return the current value of each default: of the configuration, or the library's where it has no key."""
    now = settings | {"intercept": Settings().intercept, "cut_off": "least error"}
    return {choice.name: choice.values[choice.values.index(now[choice.name])] for choice in CHOICES}


def compare_in_trial(study: Study, settings: dict, trial: int, grid: dict = GRID) -> list[dict]:
    """Return a row per fold of a trial, default, value and method: how it does in the test fold.

    `settings` has the keys seed, folds, inner_folds, near_tie, choose_by and those that learners need.
    """
    outcome = Outcome.of(study, settings)
    splits = make_splits(outcome.y, settings["seed"], trial, settings["folds"], settings["inner_folds"])
    folds = [(trial, fold) for fold in range(1, settings["folds"] + 1)]
    return [
        {"trial": trial, "fold": fold, **row}
        for trial, fold in folds
        for row in _compare_in_fold(study, settings | grid, outcome, splits, trial, fold)
    ]


def _compare_in_fold(
    study: Study, settings: dict, outcome: Outcome, splits: Splits, trial: int, fold: int
) -> list[dict]:
    train, now, seed = splits.train(trial, fold), current_values(settings), settings["seed"]
    known, weights = outcome.weigh(train, train)
    test, test_weights = outcome.weigh(splits.test(trial, fold), train)
    X, y = standardiser(study, train)(study.X), outcome.y

    def learner_of(name: str, **changed):
        blocks = {"n_blocks": METHODS[name].blocks(settings["n_blocks"])}
        learner = make_learner(METHODS[name], settings | blocks | changed, study)
        if "intercept" in changed:
            learner.options["intercept"] = changed["intercept"]
        return learner

    def fit(learner) -> dict:
        return learner.fit_grid(X[known], y[known], generator(seed, trial, fold, "refit"), weights)

    def figures(model, cut_off: float = 0.0) -> list[float]:
        scores = model.scores(X[test])
        return [auc(y[test], scores, test_weights), balanced_error(y[test], scores, cut_off, test_weights)]

    def means(name: str, **changed) -> list[dict]:
        """Return the mean figures of the models with each penalty."""
        learner, start = learner_of(name, **changed), time.process_time()
        models = fit(learner)
        seconds, rows = time.process_time() - start, []
        for lam in learner.lambdas:
            found = np.mean([figures(model) for point, model in models.items() if point.lam == lam], axis=0)
            rows.append(dict(zip(METRICS, found.tolist(), strict=True)) | {"lambda": lam, "seconds": seconds})
        return rows

    rows, unchanged = [], {name: means(name) for name in _EIGHT}
    for choice in OF_FITS:
        for value in choice.values:
            for name in choice.methods:
                found = unchanged[name] if value == now[choice.name] else means(name, **{choice.name: value})
                rows += [{"choice": choice.name, "variant": value, "method": name, **row} for row in found]
    for name in _CHOOSING:
        learner = learner_of(name, lambdas=LAMBDAS)
        models, scores = fit(learner), out_of_fold_scores(learner, study, outcome, splits, trial, fold, seed)
        errors = {by: inner_errors(scores, outcome, splits, trial, fold, by) for by in METRICS}
        for choice in OF_CHOOSING:
            for value in choice.values:
                rules = now | {choice.name: value}
                best = choose(learner.points, errors[rules["choose_by"]], rules["near_tie"])
                point, cut_off = (
                    learner.points[best],
                    CUT_OFFS[rules["cut_off"]](y[known], scores[best][known], weights),
                )
                found = dict(zip(METRICS, figures(models[point], cut_off), strict=True)) | {"lambda": point.lam}
                rows.append({"choice": choice.name, "variant": value, "method": name, **found})
    return rows


def picked(rows: list[dict], metric: str) -> str:
    """Return the value that the rule picks by a metric, of rows of the table that compare the values of one default."""
    sign = -1 if metric == "balanced_error" else 1
    gains = {row["variant"]: sign * row[f"{metric}_difference"] for row in rows}
    better = [row["variant"] for row in rows if gains[row["variant"]] > max(row[f"{metric}_error"], 0.0)]
    return max(better, key=gains.__getitem__, default=next(row["variant"] for row in rows if row["current"]))


def defaults_tables(rows: list[dict], settings: dict) -> dict[str, pd.DataFrame]:
    """Return the tables by name, from what `compare_in_trial` returned of all trials with the same settings."""
    frame, now, table = pd.DataFrame(rows).astype({"variant": str}), current_values(settings), []
    for choice in CHOICES:
        own, current = frame[frame["choice"] == choice.name], str(now[choice.name])
        for name in (ALL, *choice.methods):
            group = own if name == ALL else own[own["method"] == name]
            compared = [_compared(group, str(value), current, settings["folds"]) for value in choice.values]
            pick = picked(compared, choice.judged_by) if name == ALL else None
            table += [
                {"choice": choice.name, "method": name, "picked": row["variant"] == pick, **row} for row in compared
            ]
    chosen = frame[(frame["choice"] == "choose_by") & (frame["variant"] == now["choose_by"])]
    penalties = [
        {"method": name, "lambda": lam, "share": (chosen.loc[chosen["method"] == name, "lambda"] == lam).mean()}
        for name in _CHOOSING
        for lam in LAMBDAS
    ]
    return {
        "defaults": pd.DataFrame(table, columns=tables.columns("defaults")),
        "defaults_penalties": pd.DataFrame(penalties),
    }


def _compared(group: pd.DataFrame, value: str, current: str, folds: int) -> dict:
    """Return the means of a value over folds, and its differences to the current one."""
    own, other = group[group["variant"] == value], group[group["variant"] == current]
    here, there = (part.groupby(["trial", "fold"])[METRICS].mean() for part in (own, other))
    seconds = own.groupby("method")["seconds"].median().mean()
    row = {"variant": value, "folds": len(here), "current": value == current, "seconds": seconds}
    for metric in METRICS:
        difference = paired_difference(here[metric].to_numpy(), there[metric].to_numpy(), folds)
        row |= {metric: here[metric].mean()}
        row |= {f"{metric}_{key}": difference[key] for key in ("difference", "error", "low", "high")}
    return row
