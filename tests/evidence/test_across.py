"""The same patients by models of several runs: against direct computation."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score

from report_cases import make_study
from study.evidence.recurrence import Run, across_tables


def make(name, study, weights, risks):
    """A run with a model of some genes by symbol, and risks of its patients in any order."""
    models = pd.DataFrame({"method": "graph-iht", "symbol": list(weights), "weight": list(weights.values())})
    patients = pd.DataFrame({"method": "graph-iht", "patient": study.patients, "risk": risks})
    cohort, network = name.split("/")
    empty = pd.DataFrame({"method": ["graph-iht"]})
    return Run(name, cohort, network, study, empty, empty, models, patients.sample(frac=1, random_state=3))


@pytest.fixture(scope="module")
def runs():
    rng = np.random.default_rng(8)
    first = make_study()
    # Another cohort: other patients, genes in another order, the last three not measured.
    order = rng.permutation(len(first.symbol) - 3)
    second = replace(
        first,
        X=3 + 2 * rng.normal(size=(50, len(order))),
        y=(np.arange(50) % 4 == 0).astype(np.int8),
        time=np.linspace(1, 9, 50),
        patients=np.array([f"Q{i}" for i in range(50)]),
        entrez=first.entrez[order],
        symbol=first.symbol[order],
        edges=np.c_[np.arange(len(order) - 1), np.arange(1, len(order))],
        confidence=np.ones(len(order) - 1),
    )
    return [
        make("a/one", first, {"G00": 1.0, "G05": -0.5, "G39": 2.0}, rng.random(60)),
        make("a/two", first, {"G01": 1.0}, rng.random(60)),
        make("b/one", second, {"G02": 1.0, "G03": 0.25}, rng.random(50)),
    ]


def test_scores_are_out_of_fold_at_home_and_of_the_whole_model_elsewhere(runs):
    by_name = across_tables(runs)
    transfer = by_name["transfer"].set_index(["cohort", "run"])
    patients = by_name["patients"].set_index(["cohort", "run", "patient"])["percentile"]
    assert len(patients) == 3 * (60 + 50)
    home = runs[0].patients.set_index("patient")["risk"].loc[runs[0].study.patients]
    assert transfer.loc[("a", "a/one"), "auc"] == pytest.approx(roc_auc_score(runs[0].study.y, home))
    assert transfer.loc[("a", "a/one"), "own"] == 1
    assert patients.loc["a", "a/one"].loc[home.index].rank().tolist() == home.rank().tolist()
    study = runs[2].study
    Z = pd.DataFrame((study.X - study.X.mean(axis=0)) / study.X.std(axis=0), columns=study.symbol)
    score = Z["G00"] - 0.5 * Z["G05"]
    row = transfer.loc[("b", "a/one")]
    assert (row["genes_used"], row["genes_missing"], row["own"]) == (2, 1, 0)
    assert row["auc"] == pytest.approx(roc_auc_score(study.y, score))
    expected = (score.rank() - 0.5) / len(score)
    np.testing.assert_allclose(patients.loc["b", "a/one"].loc[study.patients], expected)


def test_runs_without_a_method_in_common_have_no_such_table(runs):
    other = replace(runs[2], models=runs[2].models.assign(method="l1"))
    assert all(table.empty for table in across_tables([runs[0], other]).values())
