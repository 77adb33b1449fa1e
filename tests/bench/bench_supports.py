"""Quality against time of projections: how far supports are from the best connected one, and what that takes.

    python tests/bench/bench_supports.py --study results/nki/scnet/study.npz

Writes docs/measured/projections.csv for docs/performance.md. On the study's network and the first and the last
vector of fits of graph-iht: this package's tail projection, pcst_fast with the plain search, and the optimum by HiGHS
(`exact.py`). With equal edge costs an answer of pcst_fast depends on the order of the edges.
"""

import time

import numpy as np
import pandas as pd
from common import folds_of, library, plain_search, shown, study_argument, timed, write
from exact import Optimum
from scipy.special import expit

from graphiht.fitting import fit
from graphiht.network import Network
from graphiht.projection import tail, window
from graphiht.solver import SLACK, Settings

ORDERS = 5


def vectors_of_fits(problems, size):
    """Yield the vector that graph-iht projects first, and the one it would project next, in fits of ten epochs."""
    for p in problems:
        result = fit("graph-iht", p.X, p.y, sparsity=size, lam=0.3, network=p.network)
        for w, c in ((np.zeros(p.X.shape[1]), 0.0), (result.weights, result.intercept)):
            gradient = p.X.T @ (p.k * (expit(p.X @ w + c) - p.y)) / len(p.y) + 0.3 * w
            yield w - Settings.shrink**result.n_shrinks * gradient


def measured(v, network, shuffled, size):
    """Yield what each solver makes of one vector: a gap is to the best connected set of as many genes."""
    low, high = window(size, SLACK, network.n_nodes)
    prizes = (v / np.abs(v).max()) ** 2
    start = time.process_time()
    optimum = Optimum(network.edges, network.n_nodes, prizes, high).solve()[1]
    proven = optimum is not None
    yield "HiGHS, proven" if proven else "HiGHS, not proven", high, 0.0, time.process_time() - start, np.nan
    solvers = {"graphiht": lambda graph: tail(v, graph, size).support}
    if library():
        solvers["pcst_fast, plain search"] = lambda graph: plain_search(v, graph, low, high)
    for name, solve in solvers.items():
        chosen, seconds = timed(lambda solve=solve: solve(network), 3)
        others = [solve(graph) for graph in shuffled]
        shared = np.mean([len(np.intersect1d(chosen, one)) / len(np.union1d(chosen, one)) for one in others])
        bound = Optimum(network.edges, network.n_nodes, prizes, len(chosen)).solve()[0]
        yield name, len(chosen), 1 - prizes[chosen].sum() / bound, seconds, shared


def main():
    problems = list(folds_of(study_argument(__doc__)))
    network, rng = problems[0].network, np.random.default_rng(0)
    shuffled = [Network(rng.permutation(network.edges), network.n_nodes) for _ in range(ORDERS)]
    rows = []
    for size in (10, 30, 50, 100):
        found = [row for v in vectors_of_fits(problems, size) for row in measured(v, network, shuffled, size)]
        table = pd.DataFrame(found, columns=["solver", "selected", "gap", "seconds", "shared"])
        for solver, here in table.groupby("solver"):
            mean, optimal = here.mean(numeric_only=True), (here["gap"] <= 1e-6).sum()
            row = {"s": size, "solver": solver, "genes, mean": shown(mean["selected"])}
            row |= {"optimal": f"{optimal} of {len(here)}", "mean gap": f"{mean['gap']:.1%}"}
            row |= {"largest gap": f"{here['gap'].max():.0%}", "ms": shown(1e3 * here["seconds"].median(), 2)}
            rows.append(row | {"shared by orders": "" if np.isnan(mean["shared"]) else f"{mean['shared']:.0%}"})
    write("projections", rows)


if __name__ == "__main__":
    main()
