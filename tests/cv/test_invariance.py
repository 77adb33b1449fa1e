"""The same data, the same genes: real patients on the real network, their tables in any order."""

import numpy as np
import pytest

from graph_cases import needs_pcst_fast
from graphiht.fitting import fit
from graphiht.losses import balanced_logistic
from graphiht.methods import METHODS
from graphiht.network import Network
from graphiht.projection import tail
from study.cv.nested import Standardiser
from study.cv.t_statistics import t_statistics
from study.data.networks import join, read_scnet

CHANGES = ("edges", "genes", "patients", "noise")
SAMPLING = [name for name, row in METHODS.items() if row.gradient != "full" and row.uses_network]


@pytest.fixture(scope="module")
def real(nki, wheels):
    study = join(nki, *read_scnet(nki, {}, wheels["scnet"]), 0.5, "scnet")
    return study.X, study.y, study.edges, study.symbol


def changed(table, changes, rng):
    """The same cohort with its rows of edges, genes or patients shuffled, or its last bits changed."""
    X, y, edges, names = table
    if "edges" in changes:
        edges = edges[rng.permutation(len(edges))]
        edges = np.where(rng.random((len(edges), 1)) < 0.5, edges, edges[:, ::-1])
    if "genes" in changes:
        order = rng.permutation(len(names))
        X, names, edges = X[:, order], names[order], np.argsort(order)[edges]
    if "patients" in changes:
        order = rng.permutation(len(y))
        X, y = X[order], y[order]
    if "noise" in changes:
        X = X * (1 + 1e-12 * rng.standard_normal(X.shape))
    return X, y, edges, names


def genes(table, method="graph-iht", sparsity=50, dtype=np.float32, seed=0, **options):
    """The names of the genes that a method selects."""
    X, y, edges, names = table
    loss = balanced_logistic(Standardiser(X)(X), y, dtype=dtype)
    network = Network(edges, len(names), names=names)
    rng = np.random.default_rng(seed)
    result = fit(method, loss, sparsity=sparsity, lam=0.3, network=network, rng=rng, **options)
    return set(names[result.support])


MANY = [pytest.param(sparsity, 100, marks=pytest.mark.long) for sparsity in (20, 50)]


@pytest.mark.parametrize(("sparsity", "draws"), [(10, 5), (20, 15), (50, 15), (100, 5), *MANY])
def test_genes_do_not_depend_on_order_or_rounding(real, sparsity, draws):
    rng = np.random.default_rng([200, sparsity])
    expected = genes(real, sparsity=sparsity)
    assert len(expected) == round(1.1 * sparsity)
    for _ in range(draws):
        assert genes(changed(real, CHANGES, rng), sparsity=sparsity) == expected


@pytest.mark.parametrize("method", SAMPLING)
def test_sampling_methods_may_depend_on_the_order_of_patients_and_on_nothing_else(real, method):
    """Which rows are drawn goes by their numbers; on the same rows nothing else matters."""
    rng = np.random.default_rng(6)
    expected = genes(real, method, n_blocks=2)
    for change in ("edges", "genes", "noise"):
        assert genes(changed(real, change, rng), method, n_blocks=2) == expected


@pytest.mark.parametrize("backend", ["native", pytest.param("pcst_fast", marks=needs_pcst_fast)])
@pytest.mark.parametrize("n_components", [1, 3])
def test_projections_of_both_backends_do_not_depend_on_order(real, backend, n_components):
    rng = np.random.default_rng(8)

    def projected(table):
        X, y, edges, names = table
        # Rounded, so that many genes have exactly the same statistic and their names must decide.
        v = np.round(t_statistics(X, y), 1)
        network = Network(edges, len(names), names=names)
        return set(names[tail(v, network, 40, n_components, backend=backend).support])

    expected = projected(real)
    for _ in range(3):
        assert projected(changed(real, ("edges", "genes"), rng)) == expected
