"""Fits by the readable loop, whose projections can be watched or replaced, for comparisons with the compiled one."""

from contextlib import contextmanager

from graphiht import fitting, solver


@contextmanager
def readable_loop():
    """Let `fit` and `fit_path` run `solver.solve`."""

    def solve(loss, draws, *rest):
        draws.rewind(0)  # every fit of a path draws from the same state of the generator
        return solver.solve(loss, draws.estimator, *rest)

    compiled, fitting.solve = fitting.solve, solve
    try:
        yield
    finally:
        fitting.solve = compiled
