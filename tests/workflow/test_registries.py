"""Cohorts of the registry go through the workflow; methods, cohorts, networks and gene sets are added as documented."""

import csv
import json
import re
import shutil

import numpy as np
import pytest

from conftest import REPOSITORY
from sandbox import make_sandbox, snakemake

pytestmark = pytest.mark.workflow

LEARNER = """
import numpy as np

from study.cv.model import Learner, GridPoint
from study.cv.newton import ridge_model


class GapTop(Learner):
    def __init__(self, method, settings, study):
        self.points = [GridPoint(lam, s) for lam in settings["lambdas"] for s in settings["sparsities"]]

    def models(self, X, y, points, rng, weights):
        order = np.argsort(-np.abs(X[y == 1].mean(axis=0) - X[y != 1].mean(axis=0)))
        return {point: ridge_model(X, y, np.sort(order[: point.sparsity]), point.lam, weights) for point in points}
"""
COHORT = """
import numpy as np

from study.data.studyfile import Cohort


def read_toy(spec, table):
    header, *rows = [line.split(",") for line in open(table).read().split()]
    genes, n = np.array(header[2:]), len(rows)
    return Cohort(
        X=np.array([row[2:] for row in rows], float),
        y=np.array([row[1] for row in rows], np.int8),
        time=np.full(n, np.nan),
        patients=np.array([row[0] for row in rows]),
        entrez=np.array([595, 890, 891, 898, 983, 1017, 1869, 9133]),  # of the cell cycle
        symbol=genes,
        counts=np.full(3, len(genes)),
    )
"""
NETWORK = """
import numpy as np


def read_chain(cohort, settings):
    first = np.arange(cohort.X.shape[1] - 1)
    return np.column_stack([first, first + 1]), np.ones(len(first))
"""
PLACES = {
    "src/study/methods.py": "ROWS = (\n",
    "src/study/data/registry.py": "COHORTS = {\n",
    "src/study/data/registry.py ": "NETWORKS = {\n",
    "src/study/data/registry.py  ": "GENE_SETS = {\n",
}
# Where readers and learners are named, and what the schema allows.
SCHEMA = "workflow/schemas/config.schema.yaml"
NAMED = [
    (
        "src/study/cv/learners.py",
        "    else:\n        raise",
        '    elif method.learner == "gap_top":\n        from study.cv.gap_top import GapTop as Learner\n'
        "    else:\n        raise",
    ),
    (
        "src/study/data/readers.py",
        "READERS: dict[str, Callable[..., Cohort]] = {\n",
        "from study.data import chain, toy\n\n"
        "READERS: dict[str, Callable[..., Cohort]] = {\n    'toy': toy.read_toy,\n",
    ),
    (
        "src/study/data/readers.py",
        "NETWORK_READERS: dict[str, Callable[..., tuple]] = {\n",
        "NETWORK_READERS: dict[str, Callable[..., tuple]] = {\n    'chain': chain.read_chain,\n",
    ),
    (SCHEMA, "else: {enum: [nki,", "else: {enum: [toy, nki,"),
    (SCHEMA, "else: {enum: [scnet,", "else: {enum: [chain, scnet,"),
    (SCHEMA, "items: {type: string, enum: [iht,", "items: {type: string, enum: [gap-top, iht,"),
]


def test_toy_method_cohort_network_and_gene_sets_run_through_the_workflow(tmp_path):
    folder = make_sandbox(tmp_path / "toy")
    # The library is the installed one, whose compiled code is cached where it lies.
    (folder / "src").unlink()
    shutil.copytree(REPOSITORY / "src/study", folder / "src/study", ignore=shutil.ignore_patterns("__pycache__"))
    documented = re.findall(r"```python\n(.*?)```", (folder / "CONTRIBUTING.md").read_text(), flags=re.S)
    for (file, place), row in zip(PLACES.items(), documented, strict=True):
        path = folder / file.strip()
        path.write_text(path.read_text().replace(place, place + row, 1))
    for file, place, line in NAMED:
        path = folder / file
        assert place in path.read_text(), file
        path.write_text(path.read_text().replace(place, line, 1))
    for name, text in {"cv/gap_top": LEARNER, "data/toy": COHORT, "data/chain": NETWORK}.items():
        (folder / f"src/study/{name}.py").write_text(text)
    rng = np.random.default_rng(3)
    X = rng.normal(size=(40, 8))
    y = (X[:, 2] + X[:, 3] + rng.normal(size=40) > 0).astype(int)
    lines = [",".join(["patient", "event", *(f"T{i}" for i in range(8))])]
    lines += [f"P{i},{y[i]}," + ",".join(f"{value:.6f}" for value in X[i]) for i in range(40)]
    (folder / "data/toy.csv").write_text("\n".join(lines) + "\n")
    config = {
        "cohort": "toy",
        "network": "chain",
        "methods": ["gap-top", "graph-iht"],
        "trials": 1,
        "folds": 3,
    }
    config |= {"inner_folds": 3, "sparsities": [2, 3], "lambdas": [1], "n_blocks": [1]}
    (folder / "config/toy.json").write_text(json.dumps(config))

    snakemake(folder, "--cores", "2", config="config/toy.json")
    run = folder / "results/toy/chain"
    with open(run / "metrics.csv", newline="") as stream:
        metrics = list(csv.DictReader(stream))
    assert [row["method"] for row in metrics] == ["gap-top"] * 3 + ["graph-iht"] * 3
    for fold in (1, 2, 3):
        result = json.loads((run / f"fits/gap-top/trial-01/fold-{fold}.json").read_text())
        train = np.setdiff1d(np.arange(40), result["test_patients"])
        Z = (X[train] - X[train].mean(axis=0)) / X[train].std(axis=0)
        gap = np.abs(Z[y[train] == 1].mean(axis=0) - Z[y[train] == 0].mean(axis=0))
        assert result["genes"] == sorted(np.argsort(-gap)[: result["sparsity"]].tolist())
        graph = json.loads((run / f"fits/graph-iht/trial-01/fold-{fold}.json").read_text())
        assert np.ptp(graph["genes"]) == len(graph["genes"]) - 1, "a piece of the chain"
    with open(run / "evidence/pathways.csv", newline="") as stream:
        found = {(row["collection"], row["pathway"], row["genes_in_network"]) for row in csv.DictReader(stream)}
    assert ("kegg", "KEGG_CELL_CYCLE", "8") in found
    page = (folder / "reports/toy-chain/report.html").read_text()
    assert "#8C6D31" in page
    assert "a chain of genes" in page
