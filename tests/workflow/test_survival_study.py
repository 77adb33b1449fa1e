"""`graphiht study --survival --covariates`, for real: from words for events to concordance on the first screen."""

import json
import os
import subprocess

import numpy as np
import pandas as pd
import pytest

from sandbox import make_sandbox

pytestmark = pytest.mark.workflow


def test_a_survival_study_with_covariates(tmp_path):
    """The hazard depends on five neighbouring genes and on age; a value of size is missing."""
    clone = make_sandbox(tmp_path / "clone")
    X = pd.read_csv(clone / "own/expression.csv", index_col=0)
    rng = np.random.default_rng(5)
    age, size = rng.normal(60, 8, len(X)), rng.uniform(1, 5, len(X))
    failure = rng.exponential(20 * np.exp(-X.iloc[:, :5].sum(axis=1) - 0.1 * (age - 60)))
    lost = rng.exponential(60, len(X))
    outcome = pd.DataFrame({"patient": X.index, "os_status": np.where(failure <= lost, "DEAD", "ALIVE")})
    outcome = outcome.assign(months=np.minimum(failure, lost), age=age, size=size)
    outcome.loc[3, "size"] = np.nan
    outcome.to_csv(tmp_path / "clinical.csv", index=False)
    X.assign(age=age).to_csv(tmp_path / "expression.csv")
    call = [str(clone / ".venv/bin/graphiht"), "study", "--expression", "expression.csv", "--outcome", "clinical.csv"]
    call += ["--network", str(clone / "own/edges.tsv"), "--out", "mine", "--trials", "1", "--cores", "2"]
    call += ["--event-values", "DEAD=1,ALIVE=0", "--event-means", "death", "--time-unit", "months"]
    call += ["--survival", "--covariates", "age,size", "--missing", "mean"]
    call += ["--methods", "iht", "graph-htp"]
    environment = {**os.environ, "PYTHONPATH": str(clone / "src")}
    done = subprocess.run(call, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "iht is left out: only htp, graph-htp, ridge learn Cox's model" in done.stdout
    results = tmp_path / "mine/results/mine/own"
    metrics = pd.read_csv(results / "metrics.csv")
    assert metrics["method"].unique().tolist() == ["graph-htp", "covariates"]
    assert metrics.groupby("method")["concordance"].mean()["graph-htp"] > 0.65
    assert (metrics.loc[metrics["method"] == "covariates", "n_nonzero"] == 0).all()
    summary = pd.read_csv(results / "summary.csv").query("trial == 'all'").set_index("method")
    # Covariates are in the signature, beside the genes, and never among them.
    assert not set(pd.read_csv(results / "genes.csv")["symbol"]) & {"age", "size"}
    assert not set(pd.read_csv(results / "evidence/final_models.csv")["symbol"]) & {"age", "size"}
    signature = json.loads((results / "signatures/graph-htp.json").read_text())
    assert signature["covariates"] == signature["symbol"][-2:] == ["age", "size"]
    text = (tmp_path / "mine/report/mine-own/summary.md").read_text()
    value = summary["concordance_mean"]["graph-htp"]
    assert f"has a concordance of {value:.3f} (95 % interval" in text
    difference = (
        pd.read_csv(results / "evidence/differences.csv")
        .query("metric == 'concordance' and method_a == 'graph-htp' and method_b == 'covariates'")
        .iloc[0]
    )
    assert "Do the genes add to age and size?" in text
    assert f"minus the covariates alone, the concordance differs by {difference['difference']:+.3f} (95 %" in text
    predict = [call[0], "predict", "--signature", str(results / "signatures/graph-htp.json")]
    predict += ["--expression", "expression.csv", "--clinical", "clinical.csv"]
    subprocess.run(predict, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
