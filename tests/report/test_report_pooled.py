"""The report of pooled cohorts, and the page that compares runs."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score

from report_cases import (
    METHODS,
    N_PATIENTS,
    configuration,
    crossed,
    make_evidence,
    make_run,
    make_study,
    plain,
    read_run,
    write_tables,
)
from study import tables
from study.data.registry import COHORTS
from study.evidence.left_out import ALL
from study.methods import COMPANION
from study.report.comparison import comparison_files
from study.report.page import report_files
from study.report.sections import left_out
from study.report.sections.left_out import METRICS
from study.report.templates import render

POOLED = next(name for name, row in COHORTS.items() if row.is_pooled)
NAMES = list(COHORTS["nki"].external)


@pytest.fixture
def pooled(tmp_path):
    """A run whose folds are the cohorts that NKI models are tested in."""
    run, rng = make_run(tmp_path), np.random.default_rng(0)
    make_evidence(run)
    source = np.array([NAMES[i % len(NAMES)] for i in range(N_PATIENTS)])
    replace(make_study(), source=source).save(run / "study.npz")
    symbols = [f"G{i:02d}" for i in range(6)]
    everything = {"round": "all", "method": METHODS}
    sizes = {"n_nonzero": 20, "patients": 20, "events": 9, "events_by_horizon": 7}
    over = crossed(
        "left_out_summary",
        **everything,
        metric=list(METRICS),
        of=["value", "difference"],
        cohorts=ALL,
        low=0.6,
        high=0.8,
    )
    mean = np.where(over["of"] == "value", np.where(over["method"] == "graph-iht", 0.75, 0.65), -0.015)
    frames = {
        "left_out": crossed("left_out", **everything, cohort=NAMES, metric=list(METRICS), value=0.7),
        "left_out_models": crossed("left_out_models", **everything, cohort=NAMES, **sizes),
        "left_out_summary": over.assign(mean=mean, estimate=mean, tau=0.02, i2=0.3),
        "left_out_genes": crossed(
            "left_out_genes", round="all", method=["graph-iht", COMPANION], symbol=symbols, models=3
        ).assign(mean_weight=rng.normal(size=12)),
    }
    write_tables(run, {f"evidence/{name}": table for name, table in frames.items()})
    outcome = {"horizon": 5, "censoring": "ipcw"}
    config = configuration() | {"cohort": POOLED, "folds": len(NAMES), "trials": 1, "outcome": outcome}
    return read_run(run, config)


def test_page_of_pooled_cohorts_answers_by_cohort_left_out(pooled):
    inputs, study = pooled, make_study()
    files = report_files(inputs, "")
    for text in (plain(files["report.html"]), files["summary.md"]):
        assert "an AUC of 0.750 over cohorts (95 % interval 0.600 to 0.800" in text
        assert "GSE1992 0.70, GSE3143 0.70 and GSE4335 0.70" in text
        assert "Ridge on all 40 genes has 0.650 (0.600 to 0.800); the difference is −0.015" in text
        assert f"one of {len(METHODS)} contrasts with ridge that are not corrected" in text
        worse = re.search(r"In all 3 models of GraphIHT: (.*?) \(higher expression, more events\)", text)[1]
        alone = {f"G{i:02d}": roc_auc_score(study.y, study.X[:, i]) for i in range(6)}
        assert set(re.findall(r"G\d\d", worse)) == {name for name, auc in alone.items() if auc > 0.5}
        assert "In all 3 models of GraphHTP" not in text, "it was not run"
        assert "</p>" not in text
    text = plain(files["report.html"])
    assert "3 cohorts left out in turn" in text
    assert "No better than chance" not in text
    inputs.summary = pd.concat([inputs.summary, inputs.summary.iloc[-1:].assign(method=COMPANION)])
    assert [row["method"] for row in left_out.answer(inputs, "graph-iht")["in_all"]] == ["graph-iht", COMPANION]
    inputs.evidence["left_out_summary"] = inputs.evidence["left_out_summary"].assign(low=0.4)
    numbers = left_out.answer(inputs, "graph-iht")
    screen = plain(render("left_out_screen.html.j2", inputs=inputs, **numbers))
    assert screen.startswith("No better than chance: GraphIHT in cohorts left out. Each cohort was left out in turn")


def test_page_that_compares_runs_has_the_numbers_of_its_tables():
    runs, symbols = ["nki/scnet", "gse1992/scnet"], ["G1", "G2"]
    numbers = {"patients": 50, "events": 20, "n_genes": 40, "n_edges": 60, "n_nonzero": 10, "network": "scnet"}
    areas = {f"{metric}{end}": 0.7 for metric in ("auc", "balanced_error") for end in ("", "_low", "_high")}
    given = {
        "runs": [{"run": run, "cohort": run.split("/")[0], "method": "graph-iht"} | numbers | areas for run in runs],
        "recurrence": [
            {"symbol": symbol, "entrez": 1, "method": "graph-iht", "frequent_in": 2, "frequent_cohorts": 2}
            | {"measured_in": 2, "chance": 0.01, "same_sign": 1}
            | {f"{kind} {run}": 0.8 for kind in ("frequency", "weight") for run in runs}
            for symbol in symbols
        ],
        "recurrent": [{"runs": 2, "observed": 2, "expected": 0.4, "p": 0.01}],
        "overlaps": [{"run_a": runs[0], "run_b": runs[1], "overlap": 2, "genes": "G1;G2", "same_patients": 0}],
        "transfer": [
            {"run": run, "cohort": cohort, "method": "graph-iht", "own": int(run.startswith(cohort)), "auc": 0.66}
            | {"low": 0.55, "high": 0.75, "patients": 50, "events": 20}
            for run in runs
            for cohort in ("nki", "gse1992")
        ],
        "patients": [
            {"cohort": cohort, "patient": f"P{i}", "event": i % 2, "run": run, "own": 0, "percentile": i / 5}
            for cohort in ("nki", "gse1992")
            for run in runs
            for i in range(6)
        ],
    }
    by_name = {}
    for name, rows in given.items():
        frame = pd.DataFrame(rows)
        declared = tables.columns(f"compare/{name}")
        by_name[f"compare/{name}"] = frame.reindex(columns=list(dict.fromkeys([*declared, *frame.columns])))
    files = comparison_files(by_name, "2 runs")
    text = plain(files["report.html"])
    assert "Cohort nki and gse1992 on network scnet: 2 runs." in text
    assert "2 are selected in at least half of the folds of at least two runs, where 0.4 are expected by chance" in text
    assert "an AUC of 0.66 to 0.66 in the patients of another; beyond chance in 2 of 2 tests" in text
    assert "correlation of 1.00." in text
    assert '<a href="nki-scnet/report.html">nki/scnet</a>' in files["report.html"]
    assert {"figures/recurrent-genes.svg", "figures/run-matrix.svg", "figures/patients-by-model.svg"} < set(files)
