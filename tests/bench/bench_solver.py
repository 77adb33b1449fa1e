"""Measure what a fit of each method costs on a training set of the study, and how many of its line searches fail.

Processor time. `fit`: 50 genes, 40 epochs without early stop; `default`: with it, ten epochs at most; `grid`: mean over
sparsities and penalties. Of graph methods also the share of `fit` inside projections, and how many times as long the
fit takes with the plain search on pcst_fast (`common.plain_search`) in place of our projection.
"""

import time
from itertools import product

import numpy as np
import pandas as pd
from common import bench_parser, best_of, library, plain_projection, projecting, training_set, write_section

from graphiht import projection
from graphiht.fitting import fit, fit_path
from graphiht.losses import balanced_logistic
from graphiht.methods import STEP_METHODS as METHODS
from study.data.studyfile import Study

GRID = {"sparsities": list(range(10, 101, 10)), "lambdas": [1e-3, 0.1, 0.3, 1.0]}


def seconds_inside(function):
    """Return the processor time of one call inside projections."""
    seconds = []

    def timed(*arguments, project=projection.project_unchecked):
        start = time.process_time()
        result = project(*arguments)
        seconds.append(time.process_time() - start)
        return result

    with projecting(timed):
        function()
    return sum(seconds)


def measure(method, n_blocks, loss, network):
    """Return a row of the table."""

    def single(**settings):
        options = {"network": network, "n_blocks": n_blocks, "rng": np.random.default_rng(0), **settings}
        return fit(method, loss, sparsity=50, lam=0.1, **options)

    def full():
        return single(max_epochs=40, tol=-1.0)

    def grid():
        return fit_path(method, loss, **GRID, network=network, n_blocks=n_blocks, rng=np.random.default_rng(0))

    fits = pd.DataFrame(map(vars, grid().values()))
    seconds = {"fit": best_of(full), "default": best_of(single), "grid": best_of(grid, 1) / len(fits)}
    row = {"method": method, "blocks": n_blocks} | {f"{name}, ms": 1e3 * value for name, value in seconds.items()}
    row |= {"steps": full().n_steps, "solves": full().n_solves}
    failed = fits["n_line_searches_failed"]
    row |= {"searches failed": failed.sum() / fits["n_line_searches"].sum()}
    row |= {"at worst": (failed / fits["n_line_searches"]).max(), "epochs": fits["epochs"].mean()}
    row |= {"converged": (fits["status"] == "converged").mean()}
    if METHODS[method].uses_network:
        row["in projections"] = seconds_inside(full) / seconds["fit"]
        if library():
            with projecting(plain_projection):
                row["plain search x"] = best_of(single, 1) / seconds["default"]
    return row


def main():
    arguments = bench_parser(__doc__).parse_args()
    X, y, network = training_set(Study.load(arguments.study))
    loss = balanced_logistic(X, y)
    table = pd.DataFrame([measure(method, n_blocks, loss, network) for method, n_blocks in product(METHODS, (1, 2))])
    print(f"{len(X)} patients, {X.shape[1]} genes, {network.n_edges} edges")
    print(table.to_string(index=False, float_format="%.3g"))
    write_section(arguments.output, "solver", table.astype(object).where(table.notna(), None).to_dict("records"))


if __name__ == "__main__":
    main()
