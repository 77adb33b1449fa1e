"""Which defaults the iterative methods have: compared by cross-validation on the tcga cohort, never on the study's.

The rule, written before any number was looked at. One default is changed at a time, around the others. What counts is
the AUC in test folds, averaged over the methods that the default concerns, and for the cut-off, which does not change
an AUC, the balanced error. The current value stays, unless another is better by more than one standard error of the
paired difference, corrected for overlapping training sets (`study.stats.paired`); of several such the best is taken.

Defaults of fits (head, intercept, SCSG's inner steps, slack) are compared at settings that are fixed: a fold's figure
is the mean over a small grid, nothing is chosen, and its balanced error is at probability one half. Defaults of the
choice (near ties, the measure it goes by, the cut-off) are compared by choosing from the grid inside each training
set; the balanced error is at the cut-off. How often an end of the grid of penalties is chosen is counted on the way.
"""

from __future__ import annotations

import time
from typing import NamedTuple

import numpy as np
import pandas as pd

from graphiht.solver import Settings
from study.cv.learners import make_learner
from study.cv.nested import choose, inner_errors, out_of_fold_scores, standardiser
from study.cv.outcome import Outcome
from study.cv.splits import Splits, generator, make_splits
from study.data.studyfile import Study
from study.methods import ITERATIVE, METHODS, uses_network
from study.errors import StudyError
from study.stats.paired import paired_difference
from study.stats.scores import auc, balanced_error, best_threshold

GRID = {"sparsities": [20, 50, 100], "lambdas": [0.1, 1], "epochs": [10, 30], "n_blocks": [2]}
LAMBDAS = [0.01, 0.1, 1, 10]
CUT_OFFS = {
    "least error": best_threshold,
    "midpoint": lambda y, score, weights: midpoint(y, score, weights),
    "one half": lambda y, score, weights: 0.0,
}
CUT_OFF = "least error"
ALL = "all"


class Choice(NamedTuple):
    """A default: its name, the values that are compared, the methods it concerns, and the metric that decides."""

    name: str
    values: tuple
    methods: tuple[str, ...]
    judged_by: str = "auc"


_EIGHT = tuple(name for name in ITERATIVE if not METHODS[name].fits)
_NETWORK = tuple(name for name in _EIGHT if uses_network(name))
_SCSG = tuple(name for name in _EIGHT if METHODS[name].gradient == "scsg")
_CHOOSING = ("iht", "graph-iht", "t-top")
OF_FITS = (
    Choice("head", ("identity", "half", "2s"), _NETWORK),
    Choice("intercept", ("gradient", "newton", "exact", "none"), _EIGHT),
    Choice("scsg_inner_steps", (2, 4, 8), _SCSG),
    Choice("slack", (0.0, 0.1, 0.2), _NETWORK),
)
OF_CHOOSING = (
    Choice("near_tie", (0.0, 0.005, 0.02), _CHOOSING),
    Choice("choose_by", ("auc", "balanced_error"), _CHOOSING),
    Choice("cut_off", tuple(CUT_OFFS), _CHOOSING, "balanced_error"),
)
CHOICES = (*OF_FITS, *OF_CHOOSING)


def midpoint(y: np.ndarray, score: np.ndarray, weights: np.ndarray | None = None) -> float:
    """Return the point half-way between the mean scores of the two classes."""
    means = [np.average(score[part], weights=None if weights is None else weights[part]) for part in (y == 1, y != 1)]
    return float(sum(means) / 2)


def current_values(settings: dict) -> dict:
    """Return the value of each default now: of the configuration, or the library's where it has no key."""
    fixed = {"intercept": Settings().intercept, "cut_off": CUT_OFF}
    values = {}
    for choice in CHOICES:
        now = fixed[choice.name] if choice.name in fixed else settings[choice.name]
        if now not in choice.values:
            allowed = ", ".join(map(str, choice.values))
            raise StudyError(f"config: {choice.name}: expected one of {allowed}, which are compared, found {now}.")
        values[choice.name] = choice.values[choice.values.index(now)]
    return values


def compare_in_trial(study: Study, settings: dict, trial: int) -> list[dict]:
    """Return what every value of every default does in the folds of a trial: a row per fold, method and value.

    Parameters
    ----------
    settings : dict
        The keys seed, folds, inner_folds and those that fits need of the configuration.
    """
    outcome = Outcome.of(study, settings)
    splits = make_splits(outcome.y, settings["seed"], trial, settings["folds"], settings["inner_folds"])
    rows = []
    for fold in range(1, settings["folds"] + 1):
        done = _compare_fits(study, outcome, splits, settings, trial, fold)
        done += _compare_choosing(study, outcome, splits, settings, trial, fold)
        rows += [{"trial": trial, "fold": fold, **row} for row in done]
    return rows


def _learner(name: str, study: Study, settings: dict, **grid):
    wanted = settings | GRID | grid
    return make_learner(METHODS[name], wanted | {"n_blocks": METHODS[name].blocks(wanted["n_blocks"])}, study)


def _models(learner, study: Study, outcome: Outcome, splits: Splits, seed: int, trial: int, fold: int) -> dict:
    """Return a model per point, fitted on the training set."""
    train = splits.train(trial, fold)
    rows, weights = outcome.weigh(train, train)
    X = standardiser(study, train)(study.X[rows])
    return learner.fit_grid(X, outcome.y[rows], generator(seed, trial, fold, "refit"), weights)


class _Test:
    """The test fold: scores a model."""

    def __init__(self, study: Study, outcome: Outcome, splits: Splits, trial: int, fold: int):
        train = splits.train(trial, fold)
        rows, self.weights = outcome.weigh(splits.test(trial, fold), train)
        self.X, self.y = standardiser(study, train)(study.X[rows]), outcome.y[rows]

    def __call__(self, model, threshold: float = 0.0) -> tuple[float, float]:
        scores = model.scores(self.X)
        return auc(self.y, scores, self.weights), balanced_error(self.y, scores, threshold, self.weights)


def _compare_fits(study: Study, outcome: Outcome, splits: Splits, settings: dict, trial: int, fold: int) -> list[dict]:
    """Return a row per default of fits, value, method and penalty, over the rest of the grid."""
    test, now = _Test(study, outcome, splits, trial, fold), current_values(settings)

    def measured(name: str, changed: dict) -> list[dict]:
        learner = _learner(name, study, settings | changed)
        learner.options |= {key: value for key, value in changed.items() if key == "intercept"}
        start = time.process_time()
        models = _models(learner, study, outcome, splits, settings["seed"], trial, fold)
        seconds = time.process_time() - start
        rows = []
        for lam in learner.lambdas:
            areas, errors = zip(*(test(model) for point, model in models.items() if point.lam == lam), strict=True)
            rows.append({"lambda": lam, "auc": np.mean(areas), "balanced_error": np.mean(errors), "seconds": seconds})
        return rows

    unchanged = {name: measured(name, {}) for name in _EIGHT}
    return [
        {"choice": choice.name, "variant": value, "method": name, **row}
        for choice in OF_FITS
        for value in choice.values
        for name in choice.methods
        for row in (unchanged[name] if value == now[choice.name] else measured(name, {choice.name: value}))
    ]


def _compare_choosing(
    study: Study, outcome: Outcome, splits: Splits, settings: dict, trial: int, fold: int
) -> list[dict]:
    """Return a row per default of the choice, value and method: how the model chosen inside does in the test fold."""
    test, now, seed = _Test(study, outcome, splits, trial, fold), current_values(settings), settings["seed"]
    train = splits.train(trial, fold)
    known, weights = outcome.weigh(train, train)
    result = []
    for name in _CHOOSING:
        learner = _learner(name, study, settings, lambdas=LAMBDAS)
        scores = out_of_fold_scores(learner, study, outcome, splits, trial, fold, seed)
        models = _models(learner, study, outcome, splits, seed, trial, fold)
        errors = {by: inner_errors(scores, outcome, splits, trial, fold, by) for by in ("auc", "balanced_error")}
        for choice in OF_CHOOSING:
            for value in choice.values:
                rules = now | {choice.name: value}
                best = choose(learner.points, errors[rules["choose_by"]], rules["near_tie"])
                threshold = CUT_OFFS[rules["cut_off"]](outcome.y[known], scores[best][known], weights)
                point = learner.points[best]
                area, error = test(models[point], threshold)
                figures = {"auc": area, "balanced_error": error, "lambda": point.lam}
                result.append({"choice": choice.name, "variant": value, "method": name, **figures})
    return result


def picked(current: object, differences: dict, lower_is_better: bool = False) -> object:
    """Return the value that the rule picks.

    Parameters
    ----------
    differences : dict
        By value other than the current one its `paired_difference` to it.
    """
    sign = -1 if lower_is_better else 1
    gains = {value: sign * row["difference"] for value, row in differences.items()}
    better = [value for value, gain in gains.items() if gain > max(differences[value]["error"], 0.0)]
    return max(better, key=gains.__getitem__, default=current)


def defaults_table(rows: list[dict], settings: dict) -> pd.DataFrame:
    """Return a row per default, value and method (`all`: their mean), beside the current value.

    Parameters
    ----------
    rows : list of dict
        What `compare_in_trial` returned of all trials.
    settings : dict
        As there.
    """
    frame, now = pd.DataFrame(rows).astype({"variant": str}), current_values(settings)
    table = []
    for choice in CHOICES:
        own, current = frame[frame["choice"] == choice.name], str(now[choice.name])
        for name in (ALL, *choice.methods):
            group = own if name == ALL else own[own["method"] == name]
            values = [_compared(group, str(value), current, settings["folds"]) for value in choice.values]
            other = {row["variant"]: row[choice.judged_by] for row in values if row["variant"] != current}
            pick = picked(current, other, choice.judged_by == "balanced_error") if name == ALL else None
            for row in values:
                said = {"choice": choice.name, "variant": row["variant"], "method": name, "folds": row["folds"]}
                said |= {"current": row["variant"] == current, "picked": row["variant"] == pick}
                table.append(said | _flat(row) | {"seconds": row["seconds"]})
    return pd.DataFrame(table)


def _compared(group: pd.DataFrame, value: str, current: str, folds: int) -> dict:
    """Return the means of a value over folds, and its differences to the current one."""
    here, there = (
        group[group["variant"] == wanted].groupby(["trial", "fold"])[["auc", "balanced_error"]].mean()
        for wanted in (value, current)
    )
    own = group[group["variant"] == value]
    seconds = own.groupby(["method", "trial", "fold"])["seconds"].first().groupby("method").median().mean()
    row: dict = {"variant": value, "folds": len(here), "seconds": seconds}
    for metric in ("auc", "balanced_error"):
        difference = paired_difference(here[metric].to_numpy(), there[metric].to_numpy(), folds)
        row[metric] = {"mean": here[metric].mean(), **difference}
    return row


def _flat(row: dict) -> dict:
    keys = {"": "mean", "_difference": "difference", "_error": "error", "_low": "low", "_high": "high"}
    return {
        f"{metric}{ending}": row[metric][key] for metric in ("auc", "balanced_error") for ending, key in keys.items()
    }


def penalties_table(rows: list[dict], settings: dict) -> pd.DataFrame:
    """Return a row per method and penalty of the grid: the share of folds in which it is chosen, as things are now."""
    frame, now = pd.DataFrame(rows), current_values(settings)
    chosen = frame[(frame["choice"] == "choose_by") & (frame["variant"] == now["choose_by"])]
    return pd.DataFrame(
        {"method": name, "lambda": lam, "share": (chosen.loc[chosen["method"] == name, "lambda"] == lam).mean()}
        for name in _CHOOSING
        for lam in LAMBDAS
    )
