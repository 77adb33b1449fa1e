"""Pooled cohorts, from the real wheels: who and what is in them, and how genes are brought together."""

from dataclasses import replace

import networkx as nx
import numpy as np
import pytest

from study.cv.learners import make_learner
from study.cv.model import GridPoint
from study.cv.outcome import Outcome
from study.cv.splits import leave_cohorts_out
from study.data.networks import join, read_scnet
from study.data.pooled import on_platform
from study.data.readers import read_pooled, read_pooled_clinical
from study.data.registry import COHORTS, files_of
from study.data.sources import inputs_of
from study.methods import METHODS
from study.stats.scores import auc

NAMES = ["nki", "gse1992", "gse3143", "gse4335", "tcga"]
SIZES = {"nki": (295, 79), "gse1992": (124, 35), "gse3143": (158, 50), "gse4335": (115, 38), "tcga": (767, 101)}


@pytest.fixture(scope="module")
def inputs(wheels, repository):
    files = files_of("pooled", NAMES)
    places = {"wheel": lambda name: wheels[name].path, "data": lambda name: repository / "data" / name}
    paths = [str(places[kind](name)) for kind, name in (place.split(":", 1) for place in files.values())]
    return inputs_of(files, paths, repository / "data/sources.csv", repository / "data/published_files.csv")


@pytest.fixture(scope="module")
def pooled(inputs):
    return read_pooled(COHORTS["pooled"], **inputs)


def test_everybody_is_there_once(pooled):
    assert len(pooled.y) == 1459
    for name, (patients, events) in SIZES.items():
        own = pooled.source == name
        assert (own.sum(), pooled.y[own].sum()) == (patients, events)
    assert len(set(pooled.patients.tolist())) == 1459
    # Years: nobody was followed for longer than a career.
    assert 1 < np.median(pooled.time) < 10
    assert pooled.time.max() < 30


def test_genes_are_those_of_all_cohorts_but_one_at_most(pooled):
    assert len(pooled.entrez) == 4487
    lacking = np.array([(pooled.X[pooled.source == name] == 0).all(axis=0) for name in NAMES])
    assert lacking.sum(axis=0).max() == 1
    assert (lacking.sum(axis=0) == 0).sum() == 1140


def test_each_gene_is_standardised_within_each_cohort(pooled):
    for name in NAMES:
        X = pooled.X[pooled.source == name]
        measured = (X != 0).any(axis=0)
        np.testing.assert_allclose(X[:, measured].mean(axis=0), 0, atol=1e-10)
        np.testing.assert_allclose(X[:, measured].std(axis=0), 1, atol=1e-10)


def test_clinical_columns_are_those_of_the_same_patients(inputs, pooled):
    table = read_pooled_clinical(COHORTS["pooled"], **inputs)
    assert set(table["patient"]) <= set(pooled.patients)
    assert not table["patient"].duplicated().any()
    known = table.set_index("patient").notna().groupby(lambda name: name.partition(":")[0]).sum()
    assert known.loc["tcga", "subtype"] == 767
    assert known.loc[["nki", "gse1992", "gse3143", "gse4335"], "subtype"].sum() == 0
    assert known.loc["nki", "er"] == 144


def test_a_cohort_left_out_lends_its_genes_and_nothing_else(pooled, wheels):
    study = join(pooled, *read_scnet(pooled, {}, wheels["scnet"]), 0.5, "scnet")
    whole = nx.Graph(study.edges.tolist())
    for name in NAMES:
        rows = np.flatnonzero(study.source == name)
        known, genes = on_platform(study, rows)
        measured = np.flatnonzero([bool(column.any()) for column in study.X[rows].T])
        expected = max(nx.connected_components(whole.subgraph(measured.tolist())), key=len)
        assert set(genes.tolist()) == expected
        assert 1000 < len(genes) < len(study.symbol)
        back = {tuple(sorted(pair)) for pair in genes[known.edges].tolist()}
        assert back == {tuple(sorted(pair)) for pair in whole.subgraph(expected).edges}
        np.testing.assert_array_equal(known.X, study.X[:, genes])
        assert known.symbol.tolist() == study.symbol[genes].tolist()
        again, same = on_platform(replace(study, y=1 - study.y, X=np.sign(study.X)), rows)
        assert (same == genes).all()
        assert (again.confidence == known.confidence).all()


def test_permuted_outcomes_within_cohorts_say_nothing_of_the_one_left_out(pooled, wheels):
    """Mean AUC over permutations is one half, within four standard errors; the real outcomes are far above."""
    study = join(pooled, *read_scnet(pooled, {}, wheels["scnet"]), 0.5, "scnet")
    splits = leave_cohorts_out(study.source, NAMES, [NAMES])
    settings = {"n_components": 1, "tolerance": 1e-3, "edge_cost": "unit"}
    settings |= {"lambdas": [1.0], "sparsities": [50], "n_blocks": [1], "epochs": [10]}
    settings |= {"outcome": {"horizon": 3.0, "censoring": "ipcw"}}
    point = GridPoint(lam=1.0, sparsity=50, n_blocks=1, epochs=10)
    learner = make_learner(METHODS["graph-iht"], settings, study)
    outcome = Outcome.of(study, settings)

    def mean_auc(order):
        """The mean over cohorts left out, with expression permuted against outcomes."""
        areas = []
        for fold in range(1, 6):
            rows, weights = outcome.ipcw_weights(splits.train(1, fold), splits.train(1, fold))
            model = learner.fit(study.X[order][rows], outcome.y[rows], point, np.random.default_rng(0), weights)
            test, judged = outcome.ipcw_weights(splits.test(1, fold), splits.test(1, fold))
            areas.append(auc(outcome.y[test], model.scores(study.X[order][test]), judged))
        return np.mean(areas)

    rng, permuted = np.random.default_rng(0), []
    for _ in range(10):
        order = np.arange(len(study.y))
        for name in NAMES:
            own = np.flatnonzero(study.source == name)
            order[own] = rng.permutation(own)
        permuted.append(mean_auc(order))
    error = np.std(permuted, ddof=1) / np.sqrt(len(permuted))
    assert abs(np.mean(permuted) - 0.5) < 4 * error
    assert mean_auc(np.arange(len(study.y))) > max(permuted)
