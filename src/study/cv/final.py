"""The model that a method would hand over: trained on all patients, its settings chosen by cross-validation."""

from __future__ import annotations

import numpy as np

from study.cv.nested import Standardiser, choose, inner_errors, out_of_fold_scores
from study.cv.splits import Splits, generator, stratified
from study.data.studyfile import Study


def final_model(method: str, learner, study: Study, settings: dict) -> dict:
    """Return the model of all patients: its settings, and the Entrez id, symbol and weight of each gene.

    The settings are chosen as in every outer training set of the study, by one inner cross-validation, here of all the
    patients; folds and draws come from a seed of their own, so they are not those of any fold of the study.
    """
    seed = int(generator(settings["seed"], 0, 0, "final model").integers(2**31))
    inner = stratified(study.y, settings["inner_folds"], generator(seed, 1, 1, "inner folds"))
    splits = Splits(np.zeros((1, len(study.y)), np.int8), inner[None, None])
    scores = out_of_fold_scores(learner, study.X, study.y, splits, 1, 1, seed)
    errors = inner_errors(scores, study.y, splits, 1, 1)
    best = choose(learner.points, errors, settings["near_tie"])
    point = learner.points[best]
    X = Standardiser(study.X)(study.X)
    model = learner.fit(X, study.y, point, generator(seed, 1, 1, "refit"))
    return {
        "method": method,
        "sparsity": point.sparsity or None,
        "lam": point.lam,
        "n_blocks": point.n_blocks or None,
        "inner_error": float(errors[best]),
        "status": model.status,
        "intercept": model.intercept,
        "entrez": study.entrez[model.genes].tolist(),
        "symbol": study.symbol[model.genes].tolist(),
        "weights": model.weights.tolist(),
    }
