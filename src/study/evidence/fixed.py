"""Cross-validation at one setting fixed in advance: nothing is chosen inside, so nothing can be chosen too well."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from study.cv.learners import make_learner
from study.cv.model import Model, Point
from study.cv.nested import Standardiser
from study.cv.outcome import Outcome
from study.cv.splits import Splits, generator
from study.data.studyfile import Study
from study.methods import Method


def fixed_learner(method: Method, point: Point, study: Study, settings: dict):
    """Return the learner of a method that knows a single point; the settings are those that the learner needs."""
    grid = {
        "lambdas": [point.lam],
        "sparsities": [point.sparsity],
        "n_blocks": [point.n_blocks],
        "epochs": [point.epochs],
    }
    return make_learner(method, settings | grid, study)


def fold_fits(
    learner, point: Point, X: np.ndarray, outcome: Outcome, splits: Splits, trials: int, seed: int, purpose: str
) -> Iterator[tuple[np.ndarray, Model, np.ndarray]]:
    """Yield the test rows, the model and the test scores of every fold of the first `trials` trials.

    X is that of the study, or with its rows permuted against the outcome.
    """
    for trial in range(1, trials + 1):
        for fold in range(1, splits.n_outer + 1):
            train, test = splits.train(trial, fold), splits.test(trial, fold)
            standardise = Standardiser(X[train], str(outcome.cohort.missing))
            rng = generator(seed, trial, fold, purpose)
            rows, weights = outcome.weigh(train, train)
            model = learner.fit(standardise(X[rows]), outcome.y[rows], point, rng, weights)
            yield test, model, model.scores(standardise(X[test]))
