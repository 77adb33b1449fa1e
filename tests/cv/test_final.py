"""The model of all patients: the fit at a setting chosen from the definition."""

import numpy as np
import pytest

from small import study_of
from study.cv.model import Point, make_learner
from study.cv.nested import Standardiser, final_model
from study.cv.splits import generator, stratified
from study.methods import METHODS
from study.stats.scores import auc


def test_final_model_is_the_fit_of_all_patients_at_a_chosen_setting():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(60, 36))
    study = study_of(X, (X[:, :8].sum(axis=1) + 0.5 * rng.normal(size=60) > 0).astype(np.int8))
    settings = {"n_components": 1, "lambdas": [0.1, 1.0], "sparsities": [1, 8], "seed": 1}
    settings |= {"near_tie": 0.0, "inner_folds": 4}
    row = METHODS["t-top"]
    learner = make_learner(row, settings, study)
    model = final_model(row, learner, study, settings)
    assert model == final_model(row, learner, study, settings)
    point = Point(model["lambda"], model["sparsity"])
    assert point in learner.points[1:], "the first would be found without looking"
    again = learner.fit(Standardiser(study.X)(study.X), study.y, point, None)
    assert model["weights"] == again.weights.tolist()
    assert model["symbol"] == study.symbol[again.genes].tolist()
    # The choice again, from the definition: the point of least mean error over the inner folds.
    seed = int(generator(1, 0, 0, "final model").integers(2**31))
    inner = stratified(study.y, 4, generator(seed, 1, 1, "inner folds"))
    errors = {}
    for tried in learner.points:
        values = []
        for number in range(1, 5):
            fitting, held_out = inner != number, inner == number
            standardise = Standardiser(study.X[fitting])
            fitted = learner.fit(standardise(study.X[fitting]), study.y[fitting], tried, None)
            values.append(1 - auc(study.y[held_out], fitted.scores(standardise(study.X[held_out]))))
        errors[tried] = np.mean(values)
    assert model["inner_error"] == pytest.approx(min(errors.values()))
    assert errors[point] == pytest.approx(min(errors.values()))
