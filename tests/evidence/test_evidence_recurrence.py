"""The comparison of runs, on made-up runs whose answers are known."""

import numpy as np
import pandas as pd
import pytest

from small import study_of
from study.evidence.recurrence import Run, comparison_tables, gene_keys, runs_table
from study.stats.paired import corrected_error

RNG = np.random.default_rng(0)


def make_run(name, symbols, frequent, entrez=None, methods=("iht", "graph-iht"), sign=1.0):
    """A run whose method graph-iht selects the genes of `frequent` in so many of ten folds."""
    study = study_of(RNG.normal(size=(20, len(symbols))), np.arange(20) % 2)
    ids = np.zeros(len(symbols), np.int64) if entrez is None else np.array(entrez)
    study = type(study)(**(vars(study) | {"symbol": np.array(symbols), "entrez": ids}))
    metrics = pd.DataFrame(
        [
            {"method": method, "trial": trial, "fold": fold, "auc": 0.6 + fold / 50, "balanced_error": 0.3}
            | {"n_nonzero": 4, "status": "converged"}
            for method in methods
            for trial in (1, 2)
            for fold in range(1, 6)
        ]
    )
    rows = [
        (method, symbol, share, sign * (1 if i % 2 else -1))
        for method in methods
        for i, (symbol, share) in enumerate(frequent.items())
    ]
    frequencies = pd.DataFrame(rows, columns=["method", "symbol", "frequency", "mean_weight"])
    return Run(name, *name.split("/"), study, metrics, frequencies, None, None)


def test_genes_are_found_by_id_and_without_one_by_symbol():
    """An alias of a gene with an id is that gene; a symbol whose id is taken in its own run stays itself."""
    first = make_run("a/x", ["TP53", "MKI67", "NEW"], {}, [7157, 4288, 0])
    second = make_run("b/x", ["P53", "MKI67", "NEW"], {}, [7157, 0, 0])
    third = make_run("c/x", ["TP53", "P53-LIKE"], {}, [0, 7157])
    keys = gene_keys([first, second, third])
    assert keys[0] == keys[1] == [(7157, ""), (4288, ""), (0, "NEW")]
    assert keys[2] == [(0, "TP53"), (7157, "")]


def test_accuracy_is_that_of_the_folds_with_a_corrected_interval():
    table = runs_table([make_run("a/x", ["A", "B", "C"], {})], folds=5)
    values = np.tile(0.6 + np.arange(1, 6) / 50, 2)
    half = 2.262157 * corrected_error(values.std(ddof=1), 10, 5)
    row = table.iloc[0]
    assert (row["cohort"], row["network"], row["patients"], row["events"], row["n_genes"]) == ("a", "x", 20, 10, 3)
    assert row["auc"] == pytest.approx(values.mean())
    assert (row["auc_low"], row["auc_high"]) == pytest.approx((values.mean() - half, values.mean() + half))
    assert row["n_nonzero"] == 4


def test_recurrence_says_where_a_gene_is_measured_frequent_and_of_which_sign():
    names = [f"G{i}" for i in range(20)]
    runs = [
        make_run("a/x", names, {"G0": 1.0, "G1": 0.5, "G2": 0.4}),
        make_run("a/y", names[:10], {"G0": 0.9, "G1": 0.6}),
        make_run("b/x", names[1:], {"G3": 0.7, "G1": 0.5}, sign=-1.0),
    ]
    by_name = comparison_tables(runs, folds=5, seed=1)
    table = by_name["compare/recurrence"].set_index("symbol")
    assert table.index.tolist() == ["G1", "G0", "G3", "G2"], "most runs first, then by frequency; never selected: none"
    assert (table["method"] == "graph-iht").all()
    assert table["measured_in"].to_dict() == {"G1": 3, "G0": 2, "G3": 3, "G2": 3}
    assert table["frequent_in"].to_dict() == {"G1": 3, "G0": 2, "G3": 1, "G2": 0}
    assert table["frequent_cohorts"].to_dict() == {"G1": 2, "G0": 1, "G3": 1, "G2": 0}
    assert table.loc[["G1", "G0"], "same_sign"].tolist() == [0, 1]
    assert table["same_sign"].isna().tolist() == [False, False, True, True]
    assert np.isnan(table.loc["G0", "frequency b/x"])
    assert table.loc["G2", "frequency b/x"] == 0
    # Of the nine genes of all three runs the runs have one, one and two; the gene of a/x and a/y is chosen by both.
    assert table.loc["G1", "chance"] == pytest.approx(1 / 9 * 1 / 9 * 2 / 9)
    pairs = by_name["compare/overlaps"].set_index(["run_a", "run_b"])
    assert pairs["same_patients"].tolist() == [1, 0, 0]
    assert pairs["overlap"].tolist() == [2, 1, 1]
    assert pairs.loc[("a/x", "a/y"), "genes"] == "G0;G1"
    assert pairs["same_sign"].tolist() == [2, 0, 0]
    assert by_name["compare/recurrent"]["observed"].tolist() == [2, 1]


def test_runs_without_a_selecting_method_in_common_have_empty_tables_of_genes():
    runs = [
        make_run("a/x", ["A", "B"], {"A": 1.0}, methods=["iht"]),
        make_run("b/x", ["A", "B"], {"A": 1.0}, methods=["l1"]),
    ]
    by_name = comparison_tables(runs, folds=5, seed=1)
    assert len(by_name["compare/runs"]) == 2
    assert all(by_name[f"compare/{name}"].empty for name in ("recurrence", "recurrent", "overlaps"))
