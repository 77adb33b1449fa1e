"""The whole study where there is nothing to find: outcomes permuted, and everything repeated, tuning included.

A repetition is a trial like those of the study, on folds of its own: settings chosen inside every training set from the
study's grid, refitted, and scored once. What is left out of a fold's result is what no table uses.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from study.cv.model import make_learner
from study.cv.nested import score_fold
from study.cv.outcome import Outcome
from study.cv.splits import generator, make_splits
from study.data.studyfile import Study
from study.methods import METHODS

KEPT = ("auc", "balanced_error_tuned", "balanced_error", "n_nonzero", "status", "genes", "test_patients", "test_scores")


def permute(study: Study, seed: int) -> Study:
    """Return the study with the outcomes, times included, given to other patients' expression.

    It is the rows of the expression that move, so that a patient's number still means her outcome.
    """
    return replace(study, X=study.X[generator(seed, 0, 0, "permute outcomes").permutation(len(study.y))])


def permuted_trial(method: str, study: Study, settings: dict, repetition: int) -> dict:
    """Return one repetition: its number, and the results of its folds.

    Permutation, folds and draws come from a seed of the repetition, which is the same for every method: the same bits
    whatever else is run, and methods that can be compared repetition by repetition.

    Parameters
    ----------
    settings : dict
        The keys of the configuration that fits of the study use, and folds, inner_folds.
    """
    seed = int(generator(settings["seed"], 0, repetition, "permuted trial").integers(2**31))
    row, own = METHODS[method], settings | {"seed": seed, "refit": False}
    changed = permute(study, seed)
    splits = make_splits(Outcome.of(study, own).y, seed, 1, settings["folds"], settings["inner_folds"])
    learner = make_learner(row, own | {"n_blocks": row.blocks(settings["n_blocks"])}, changed)
    folds = [score_fold(row, learner, changed, splits, 1, fold, own) for fold in range(1, splits.n_outer + 1)]
    return {"method": method, "repetition": repetition, "folds": [{key: fold[key] for key in KEPT} for fold in folds]}


def patients_scores(folds: list[dict]) -> np.ndarray:
    """Return each patient's score from the fold of a trial that left her out."""
    scores = np.empty(sum(len(fold["test_patients"]) for fold in folds))
    for fold in folds:
        scores[fold["test_patients"]] = fold["test_scores"]
    return scores
