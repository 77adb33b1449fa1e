"""Pooled cohorts through the real workflow, on the three small cohorts and a small grid."""

import json
import shutil

import pandas as pd
import pytest

from conftest import REPOSITORY
from sandbox import make_sandbox, once, snakemake

pytestmark = [pytest.mark.workflow]

COHORTS = ["gse1992", "gse3143", "gse4335"]
CONFIG = {
    "cohort": "pooled",
    "pooled": {"cohorts": COHORTS, "without": []},
    "methods": ["graph-iht", "ridge"],
    "sparsities": [10, 30],
    "lambdas": [1],
    "n_blocks": [1],
    "scoring": "auc",
}
RUN = "results/pooled/scnet"


def _make(folder):
    make_sandbox(folder, CONFIG)
    for pattern in ("survset-*", "scnet-*"):
        for wheel in (REPOSITORY / "data/downloads").glob(f"{pattern}.whl"):
            if not (folder / "data/downloads" / wheel.name).exists():
                shutil.copy2(wheel, folder / "data/downloads")
    snakemake(folder, "--cores", "1")


@pytest.fixture(scope="session")
def pooled(tmp_path_factory):
    return once(tmp_path_factory.getbasetemp(), "pooled study", _make)


def test_every_cohort_is_left_out_by_every_method(pooled):
    table = pd.read_csv(pooled / RUN / "evidence/left_out.csv")
    assert set(table["cohort"]) == set(COHORTS)
    assert set(table["method"]) == set(CONFIG["methods"])
    assert len(table) == 3 * 2 * 5
    assert table["value"].between(0, 1).all()
    assert (table["low"] <= table["value"]).mean() > 0.9
    summary = pd.read_csv(pooled / RUN / "evidence/left_out_summary.csv")
    assert set(summary["method"]) == set(CONFIG["methods"])


def test_folds_are_cohorts_and_models_connected(pooled):
    for fold in (1, 2, 3):
        result = json.loads((pooled / RUN / f"fits/graph-iht/trial-01/fold-{fold}.json").read_text())
        metrics = pd.read_csv(pooled / RUN / "metrics.csv")
        row = metrics[(metrics["method"] == "graph-iht") & (metrics["fold"] == fold)].iloc[0]
        left_out = pd.read_csv(pooled / RUN / "evidence/left_out.csv")
        same = left_out[(left_out["cohort"] == COHORTS[fold - 1]) & (left_out["method"] == "graph-iht")]
        assert row["auc"] == result["auc"]
        assert same.loc[same["metric"] == "auc_horizon", "value"].iloc[0] == pytest.approx(result["auc"], abs=1e-9)
        assert result["n_nonzero"] <= 33


def test_the_page_answers_and_says_how_it_was_done(pooled):
    page = (pooled / "reports/pooled-scnet/report.html").read_text()
    for text in (
        "Each cohort was left out in turn",
        "GSE1992",
        "random effects",
        "by 3 years",
    ):
        assert text in page
    summary = (pooled / "reports/pooled-scnet/summary.md").read_text()
    table = pd.read_csv(pooled / RUN / "evidence/left_out_summary.csv")
    rows = table.query("method == 'ridge' and metric == 'auc_horizon' and of == 'value' and cohorts == 'all cohorts'")
    assert f"{rows['estimate'].iloc[0]:.3f}" in summary


def test_pooled_cohorts_run_alone(pooled):
    (pooled / "config/both.json").write_text(json.dumps(CONFIG | {"cohort": ["pooled", "nki"]}))
    said = snakemake(pooled, "-n", config="config/both.json", ok=False)
    assert "pooled cohorts run alone, on one network" in said
