"""What the benchmarks share: arguments, training set and clock; pcst_fast, and loops to compare with."""

import argparse
import copy
import functools
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from graphiht import fitting, projection, solver
from graphiht.backend import require_sound_pcst_fast
from graphiht.network import Network
from study.cv.nested import Standardiser
from study.cv.splits import make_splits


def bench_parser(doc):
    """Return a parser of the argument --study."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--study", type=Path, default=Path("results/nki/scnet/study.npz"), help="study file")
    return parser


def training_set(study):
    """Return (X, y, network) of an inner training set, standardised."""
    rows = make_splits(study.y, seed=0, trials=1, folds=5, inner_folds=5).fitting(1, 1, 1)
    return Standardiser(study.X[rows])(study.X[rows]), study.y[rows], Network(study.edges, study.X.shape[1])


def best_of(function, repeats=5):
    """Return the smallest processor time of some calls after one that compiles and fills the caches."""
    function()
    seconds = []
    for _ in range(repeats):
        start = time.process_time()
        function()
        seconds.append(time.process_time() - start)
    return min(seconds)


@contextmanager
def readable_loop():
    """Let `fit` and `fit_path` run `solver.solve`: the same fits, to the bit (tests/graphiht/test_loop.py)."""

    def solve(loss, draws, *rest):
        # Every fit of a path has an estimator of its own loss, which draws from the same state of the generator.
        draws.rewind(0)
        known = {id(draws.estimator.loss): loss, id(draws._rng): draws._rng}
        return solver.solve(loss, copy.deepcopy(draws.estimator, known), *rest)

    compiled, fitting.solve = fitting.solve, solve
    try:
        yield
    finally:
        fitting.solve = compiled


@contextmanager
def projecting(project):
    """Replace the projection of the readable loop."""
    original, projection.project_unchecked = projection.project_unchecked, project
    try:
        with readable_loop():
            yield
    finally:
        projection.project_unchecked = original


def projected_vectors(network, loss, sparsity, **options):
    """Return (vector, wanted size of its support) for each projection of one fit of graph-iht."""
    seen = []

    def spy(v, network, low, high, *rest, project=projection.project_unchecked):
        seen.append((v.copy(), low))
        return project(v, network, low, high, *rest)

    with projecting(spy):
        fitting.fit("graph-iht", loss, sparsity=sparsity, network=network, **options)
    return seen


@functools.cache
def library():
    """Return the function of pcst_fast, or None, once with the reason, where it cannot be used."""
    try:
        return require_sound_pcst_fast()
    except RuntimeError as error:
        print(f"comparisons with pcst-fast left out: {error}", file=sys.stderr)
        return None


def plain_search(v, network, low, high, max_solves=50):
    """Return (support, number of solves) of the plain search: bisect in [0, 2 max prize] on pcst_fast.

    If the window is not reached: the largest support found below it.
    """
    edges, prizes = network.edges.astype(np.int64), v**2
    small, large = 0.0, 2.0 * prizes.max()
    best, size, n_solves = np.empty(0, np.int64), 0, 0
    while not low <= size <= high and n_solves < max_solves:
        multiplier = 0.5 * (small + large)
        support = library()(edges, prizes, multiplier * network.costs, -1, 1, "strong", 0)[0]
        size = len(support)
        if len(best) < size <= high:
            best = support
        small, large = (multiplier, large) if size > high else (small, multiplier)
        n_solves += 1
    return best, n_solves


def plain_projection(v, network, low, high, n_components, warm):
    """Return what the loop's projection returns, by the plain search."""
    support, n_solves = plain_search(v, network, low, high)
    return projection.Projection(np.sort(support).astype(np.int64), n_solves, np.nan, low <= len(support) <= high)
