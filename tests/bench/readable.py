"""Fits by the readable loop, whose projections can be watched or replaced, for comparisons with the compiled one."""

import copy
from contextlib import contextmanager

from graphiht import fitting, solver


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
