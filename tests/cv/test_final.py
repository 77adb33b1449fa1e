"""The model of all patients: the fit at a setting chosen from the definition."""

import math

import numpy as np
import pytest

from graphiht.signature import Signature
from small import SETTINGS, study_of
from study.cv.final import final_model
from study.cv.learners import make_learner
from study.cv.model import GridPoint, Model
from study.cv.nested import Standardiser
from study.cv.splits import generator, stratified
from study.methods import METHODS
from study.stats.scores import balanced_error


def test_final_model_is_the_fit_of_all_patients_at_a_chosen_setting():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(60, 36))
    study = study_of(X, (X[:, :8].sum(axis=1) + 0.5 * rng.normal(size=60) > 0).astype(np.int8))
    settings = SETTINGS | {"lambdas": [0.1, 1.0], "sparsities": [1, 8], "seed": 1}
    settings |= {"inner_folds": 4, "scoring": "balanced_error"}
    row = METHODS["t-top"]
    learner = make_learner(row, settings, study)
    model = final_model(row, learner, study, settings)
    assert model == final_model(row, learner, study, settings)
    point = GridPoint(model.settings["lambda"], model.settings["sparsity"])
    assert point in learner.points[1:], "the first would be found without looking"
    again = learner.fit(Standardiser(study.X)(study.X), study.y, point, None)
    assert model.weights == again.weights.tolist()
    assert model.symbol == study.symbol[again.genes].tolist()
    # The choice again, from the definition: the point of least mean error over the inner folds.
    seed = int(generator(1, 0, 0, "final model").integers(2**31))
    inner = stratified(study.y, 4, generator(seed, 1, 1, "inner folds"))
    errors, held_out_scores = {}, {}
    for tried in learner.points:
        values, scores = [], np.empty(60)
        for number in range(1, 5):
            fitting, held_out = inner != number, inner == number
            standardise = Standardiser(study.X[fitting])
            fitted = learner.fit(standardise(study.X[fitting]), study.y[fitting], tried, None)
            scores[held_out] = fitted.scores(standardise(study.X[held_out]))
            values.append(balanced_error(study.y[held_out], scores[held_out]))
        errors[tried], held_out_scores[tried] = np.mean(values), scores
    assert model.training["inner_error"] == pytest.approx(min(errors.values()))
    assert errors[point] == pytest.approx(min(errors.values()))
    # No other cut-off does better on patients held out, and it is not that of the patients fitted to.
    scores = held_out_scores[point]
    least = min(balanced_error(study.y, scores, cut) for cut in [-np.inf, *scores])
    assert balanced_error(study.y, scores, model.cut_off) == least


@pytest.mark.parametrize("method", ["graph-iht", "ridge"])
def test_the_file_gives_the_training_patients_the_scores_of_the_fit(tmp_path, method):
    rng = np.random.default_rng(4)
    X = rng.normal(5, 3, size=(60, 36))
    study = study_of(X, (X[:, :8].sum(axis=1) > 40).astype(np.int8))
    settings = SETTINGS | {"lambdas": [0.1, 1.0], "sparsities": [8], "n_blocks": [1], "epochs": [10], "inner_folds": 3}
    row = METHODS[method]
    learner = make_learner(row, settings, study)
    signature = final_model(row, learner, study, settings)
    read = Signature.read(signature.write(tmp_path / "one")[0])
    Z = Standardiser(study.X)(study.X)
    genes = [study.symbol.tolist().index(name) for name in signature.symbol]
    terms = (Z[:, genes] * np.array(signature.weights)).tolist()
    scores = read.score(study.X, study.symbol).scores
    assert scores.tolist() == [math.fsum([signature.intercept, *row]) for row in terms]
    model = Model(np.array(genes), np.array(signature.weights), signature.intercept)
    np.testing.assert_allclose(scores, model.scores(Z), rtol=1e-12, atol=1e-12)
    inside = {frozenset(edge) for edge in signature.edges}
    ring = {frozenset((f"G{i}", f"G{(i + 1) % 36}")) for i in range(36)}
    wanted = {edge for edge in ring if edge <= set(signature.symbol)} if method == "graph-iht" else set()
    assert inside == wanted


def test_pooled_patients_leave_the_scaling_to_the_new_ones():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(90, 12))
    study = study_of(X, (X[:, :3].sum(axis=1) > 0).astype(np.int8), source=np.repeat(["a", "b", "c"], 30))
    settings = SETTINGS | {"lambdas": [1.0], "sparsities": [3]}
    row = METHODS["t-top"]
    signature = final_model(row, make_learner(row, settings, study), study, settings)
    assert (signature.mean, signature.scale, signature.scaling) == (None, None, "within")
