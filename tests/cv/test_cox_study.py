"""Cox's model and covariates in the study: tuning, refits and baselines against scikit-survival and statsmodels."""

import numpy as np
import pytest
from sksurv.linear_model import CoxPHSurvivalAnalysis
from sksurv.metrics import concordance_index_censored
from sksurv.util import Surv
from statsmodels.api import GLM, add_constant, families

import small
from small import learner_of, study_of
from study.config import complete, load_schema, runnable, runs
from study.cv.final import final_model
from study.cv.nested import Standardiser, inner_errors, out_of_fold_scores, score_fold
from study.cv.newton import balanced_weights
from study.cv.outcome import Outcome
from study.cv.splits import make_splits
from study.data.studyfile import Study
from study.errors import StudyError
from study.methods import METHODS

COX = small.SETTINGS | {"outcome": {"model": "cox"}, "sparsities": [2, 4], "lambdas": [0.03, 0.3], "inner_folds": 3}
STATUS = {key: value for key, value in COX.items() if key != "outcome"}
LEARN = ["htp", "graph-htp", "ridge"]


def cohort(covariates=True, n=90):
    """Patients whose hazard depends on two neighbouring genes and on their age; ages are far from zero."""
    rng = np.random.default_rng(8)
    X, age = rng.normal(5, 2, (n, 12)), rng.normal(60, 10, n)
    failure = rng.exponential(np.exp(-0.5 * (X[:, 3] + X[:, 4] - 10) - 0.08 * (age - 60)))
    lost = rng.exponential(1.5, n)
    study = study_of(X, failure <= lost, time=np.ceil(20 * np.minimum(failure, lost)))
    if not covariates:
        return study
    beside = {"covariates": np.column_stack([age, rng.integers(0, 2, n)]), "covariate_names": np.array(["age", "er"])}
    return Study(**vars(study) | beside)


def harrell(study, rows, risk):
    return concordance_index_censored(study.y[rows] == 1, study.time[rows], risk)[0]


def surv(study, rows):
    return Surv.from_arrays(study.y[rows] == 1, study.time[rows])


@pytest.mark.parametrize("method", LEARN)
def test_settings_are_chosen_and_folds_judged_by_harrells_concordance(method):
    study = cohort(covariates=False)
    splits, outcome = make_splits(study.y, 3, 1, 3, 3), Outcome.of(study, COX)
    learner = learner_of(method, COX, study)
    scores = out_of_fold_scores(learner, study, outcome, splits, 1, 2, COX["seed"])
    held_out = [splits.validation(1, 2, inner) for inner in (1, 2, 3)]
    expected = [1 - np.mean([harrell(study, rows, score[rows]) for rows in held_out]) for score in scores]
    np.testing.assert_allclose(inner_errors(scores, outcome, splits, 1, 2), expected, rtol=1e-12)
    result = score_fold(METHODS[method], learner, study, splits, 1, 2, COX)
    assert result["inner_error"] == pytest.approx(min(expected), rel=1e-12)
    test = np.array(result["test_patients"])
    assert result["concordance"] == pytest.approx(harrell(study, test, np.array(result["test_scores"])), rel=1e-12)


@pytest.mark.parametrize("method", LEARN)
def test_models_are_those_of_scikit_survival(method):
    """On the genes selected, with covariates that are not penalised; its penalty is n times ours."""
    study = cohort(covariates=method != "ridge")
    splits = make_splits(study.y, 3, 1, 3, 3)
    result = score_fold(METHODS[method], learner_of(method, COX, study), study, splits, 1, 1, COX)
    train = splits.train(1, 1)
    standardise = Standardiser(study.design[train])
    columns = [*result["genes"], *range(12, study.design.shape[1])]
    alpha = np.zeros(len(columns))
    alpha[: len(result["genes"])] = 1 / result["C"] if method == "ridge" else len(train) * result["lambda"]
    oracle = CoxPHSurvivalAnalysis(alpha=alpha, tol=1e-12, n_iter=500)
    oracle.fit(standardise(study.design[train])[:, columns], surv(study, train))
    ours = [*result["weights"], *result.get("covariates", [])]
    np.testing.assert_allclose(ours, oracle.coef_, atol=1e-6)
    test = np.array(result["test_patients"])
    risk = oracle.predict(standardise(study.design[test])[:, columns])
    np.testing.assert_allclose(result["test_scores"], risk, atol=1e-5)


@pytest.mark.parametrize("settings", [COX, STATUS], ids=["cox", "status"])
def test_covariates_alone_are_the_unpenalised_model(settings):
    study = cohort()
    splits = make_splits(study.y, 3, 1, 3, 3)
    result = score_fold(METHODS["covariates"], learner_of("covariates", settings, study), study, splits, 1, 1, settings)
    train = splits.train(1, 1)
    C = Standardiser(study.covariates[train])(study.covariates[train])
    if settings is COX:
        expected = CoxPHSurvivalAnalysis(tol=1e-12, n_iter=500).fit(C, surv(study, train)).coef_
    else:
        k = balanced_weights(study.y[train])
        fit = GLM(study.y[train], add_constant(C), families.Binomial(), freq_weights=k).fit(tol=1e-12)
        expected = fit.params[1:]
        assert result["intercept"] == pytest.approx(fit.params[0], abs=1e-6)
    np.testing.assert_allclose(result["covariates"], expected, atol=1e-6)
    assert result["genes"] == []
    assert result["n_nonzero"] == 0


@pytest.mark.parametrize("missing", ["mean", "knn"])
@pytest.mark.parametrize("settings", [COX, STATUS], ids=["cox", "status"])
def test_patients_held_out_influence_no_model(settings, missing):
    """Their genes, covariates, missing values and outcomes."""
    study, rng = cohort(), np.random.default_rng(1)
    splits = make_splits(study.y, 3, 1, 3, 3)
    test, covariates = splits.test(1, 1), study.covariates.copy()
    covariates[rng.random(covariates.shape) < 0.1] = np.nan
    study = Study(**vars(study) | {"covariates": covariates, "missing": np.array(missing)})
    changed = {key: np.array(getattr(study, key)) for key in ("X", "covariates", "time")}
    changed["X"][test] += 3
    changed["covariates"][test] = rng.normal(size=(len(test), 2))
    changed["time"][test] = 1.0

    def model(study):
        result = score_fold(METHODS["htp"], learner_of("htp", settings, study), study, splits, 1, 1, settings)
        return [result[key] for key in ("genes", "weights", "covariates", "intercept", "inner_error", "threshold")]

    assert model(study) == model(Study(**vars(study) | changed))


def test_a_signature_gives_the_patients_the_scores_of_the_fit_and_cuts_at_a_median():
    study = cohort()
    model = final_model(METHODS["htp"], learner_of("htp", COX, study), study, COX)
    assert model.covariates == ["age", "er"]
    assert model.symbol[-2:] == model.covariates
    assert model.settings["survival"] is True
    scored = model.score(study.design, [*study.symbol, "age", "er"])
    Z = Standardiser(study.design)(study.design)
    places = [int(name[1:]) if name.startswith("G") else 12 + model.covariates.index(name) for name in model.symbol]
    np.testing.assert_allclose(scored.scores, Z[:, places] @ model.weights, atol=1e-12)
    assert 0.3 < scored.high.mean() < 0.7


def test_a_study_file_has_covariates_only_where_there_are_any(tmp_path):
    for study in (cohort(), cohort(covariates=False)):
        study.save(tmp_path / "study.npz")
        with np.load(tmp_path / "study.npz") as stored:
            assert ("covariates" in stored) == bool(study.covariates.size)
        again = Study.load(tmp_path / "study.npz")
        for key, value in vars(study).items():
            np.testing.assert_array_equal(getattr(again, key), value)


def test_many_lost_before_half_of_the_events_are_worth_a_warning():
    time, y = np.arange(1.0, 21.0), np.ones(20, int)
    y[:3] = 0
    study = study_of(np.zeros((20, 2)), y, time=time)
    assert Outcome.of(study, {}).warning.startswith(
        "15% of the patients are lost before 12, the median time of an event"
    )
    for outcome in ({"model": "cox"}, {"horizon": 5.0, "censoring": "none"}):
        assert not Outcome.of(study, {"outcome": outcome}).warning
    y[:3], y[-3:] = 1, 0
    assert not Outcome.of(study_of(np.zeros((20, 2)), y, time=time), {}).warning
    assert not Outcome.of(study_of(np.zeros((20, 2)), y), {}).warning


def test_methods_without_coxs_model_or_covariates_are_left_out_in_a_sentence(repository):
    def of(methods=("iht", "htp", "ridge"), own=None, **outcome):
        config = {"cohort": "own", "network": "scnet", "outcome": outcome, "methods": list(methods)}
        files = {"expression": "x.csv", "outcome": "y.csv"}
        return runnable(complete(config | {"own": files | (own or {})}, load_schema(repository)))

    config, note = of(model="cox")
    assert config["methods"] == ["htp", "ridge"]
    assert note == "config: methods: iht is left out: only htp, graph-htp, ridge learn Cox's model."
    (run,) = runs(config)
    assert run.config["scoring"] == "concordance"
    config, note = of(own={"covariates": ["age"]})
    assert config["methods"] == ["htp", "covariates"]
    assert note == "config: methods: iht, ridge are left out: only htp, graph-htp take covariates."
    assert of()[1] == ""
    with pytest.raises(StudyError, match=r"iht is left out: .* and no other method is named"):
        of(["iht"], model="cox")
    with pytest.raises(StudyError, match="covariates is left out: own: covariates names none"):
        of(["covariates"])
    with pytest.raises(StudyError, match="model: cox goes with neither a horizon nor pooled cohorts"):
        of(model="cox", horizon=5)
