"""With shuffled labels there is nothing to find: the nested error must be one half, on average over shuffles."""

from dataclasses import replace

import numpy as np
import pytest

from small import learner_of
from study.cv.nested import score_fold
from study.cv.splits import make_splits
from study.data.networks import join, read_scnet
from study.methods import METHODS

SETTINGS = {
    "seed": 11,
    "sparsities": [10, 50],
    "lambdas": [0.1, 1.0],
    "n_blocks": [1, 2],
    "epochs": [3, 10],
    "near_tie": 0.0,
    "n_components": 1,
    "tolerance": 1e-3,
    "scsg_inner_steps": 2,
    "scsg_option": 2,
}


@pytest.mark.long
@pytest.mark.parametrize("method", ["iht", "graph-iht", "graph-svrg-iht", "ridge"])
def test_shuffled_labels_give_an_error_of_one_half(nki, wheels, method):
    study = join(nki, *read_scnet(nki, {}, wheels["scnet"]), 0.5, "scnet")
    learner = learner_of(method, SETTINGS, study)
    errors = []
    for shuffle in range(20):
        y = np.random.default_rng([11, shuffle]).permutation(study.y)
        splits = make_splits(y, seed=shuffle, trials=1, folds=5, inner_folds=5)
        shuffled = replace(study, y=y)
        folds = [score_fold(METHODS[method], learner, shuffled, splits, 1, fold, SETTINGS) for fold in range(1, 6)]
        errors.append(np.mean([fold["balanced_error"] for fold in folds]))
    standard_error = np.std(errors, ddof=1) / np.sqrt(len(errors))
    assert abs(np.mean(errors) - 0.5) <= 3 * standard_error
    assert standard_error < 0.03, "too noisy to notice a leak"
