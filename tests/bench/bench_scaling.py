"""Measure how fits of graph-iht and graph-htp scale with nodes and patients; draw log-log plots with slopes.

    python tests/bench/bench_scaling.py

Processor seconds and peak memory of a fit with the library's defaults on one thread, each in a process of its own. The
data are random, with a connected network of five edges a node. Writes docs/measured/scaling.csv and docs/scaling.svg,
and fails if graph-iht on the largest network takes more than LIMITS.
"""

import resource
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from graphiht.fitting import fit
from graphiht.losses import balanced_logistic
from graphiht.network import Network

METHODS = {"graph-iht": "#004D7A", "graph-htp": "#B3003C"}
NODES = [1_000, 10_000, 100_000, 1_000_000]
PATIENTS = [100, 300, 1_000, 3_000, 10_000]
# What is varied: its values, and the (patients, nodes) of each.
SIZES = {
    "nodes, of 200 patients": (NODES, [(200, n) for n in NODES]),
    "patients, of 2,000 nodes": (PATIENTS, [(n, 2_000) for n in PATIENTS]),
    "both": ([10_000], [(10_000, 20_000)]),
}
LIMITS = {"nodes": 1_000_000, "seconds": 15.0, "peak GB": 4.0}


def problem(n_rows, n_nodes):
    """Return (loss, network): twenty neighbouring nodes carry the signal."""
    rng = np.random.default_rng(0)
    one = rng.integers(0, n_nodes, 5 * n_nodes)
    edges = np.column_stack([one, (one + 1 + rng.integers(0, n_nodes - 1, 5 * n_nodes)) % n_nodes])
    edges[: n_nodes - 1] = np.column_stack([np.arange(n_nodes - 1), np.arange(1, n_nodes)])
    X = rng.standard_normal((n_rows, n_nodes), dtype=np.float32)
    y = X[:, :20].sum(axis=1) + rng.standard_normal(n_rows) > 0
    return balanced_logistic(X, y, dtype=np.float32), Network(edges, n_nodes)


def run(method, n_rows, n_nodes):
    """Return what a fit of 50 nodes takes; a small one warms up."""
    with threadpool_limits(1):
        small, network = problem(60, 100)
        fit(method, small, sparsity=5, network=network)
        loss, network = problem(n_rows, n_nodes)
        start = time.process_time()
        result = fit(method, loss, sparsity=50, network=network)
        seconds = time.process_time() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    return {"seconds": seconds, "forests": result.n_solves, "peak GB": memory}


def measured(method, n_rows, n_nodes):
    """Return a row: what `run` returns in a process of its own, the median of three where fits are short."""
    rows = []
    for _ in range(3 if n_rows * n_nodes < 10**7 else 1):
        with ProcessPoolExecutor(1, get_context("spawn")) as process:
            rows.append(process.submit(run, method, n_rows, n_nodes).result())
    return {"method": method, "patients": n_rows, "nodes": n_nodes, **pd.DataFrame(rows).median()}


def main():
    from common import shown, write  # here, because each process of `measured` imports this file

    tables = {
        varied: pd.DataFrame([measured(method, *size) for method in METHODS for size in sizes])
        for varied, (_, sizes) in SIZES.items()
    }
    mpl.use("svg")
    mpl.rcParams |= {"svg.hashsalt": "scaling", "svg.fonttype": "none", "font.size": 9}
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 2, figsize=(7.5, 2.8), layout="constrained", sharey=True)
    for axis, (varied, (values, _)) in zip(axes, SIZES.items(), strict=False):
        for method, rows in tables[varied].groupby("method", sort=False):
            slope = np.polyfit(np.log(values), np.log(rows["seconds"]), 1)[0]  # the exponent of a power law
            axis.loglog(values, rows["seconds"], "o-", color=METHODS[method], label=f"{method}, slope {slope:.2f}")
        axis.set_xlabel(varied)
        axis.legend(frameon=False)
    axes[0].set_ylabel("processor seconds of a fit")
    figure.savefig(Path(__file__).parents[2] / "docs/scaling.svg", metadata={"Date": None})

    table = pd.concat(tables.values())
    counts = {name: table[name].map("{:,.0f}".format) for name in ("patients", "nodes", "forests")}
    numbers = {name: table[name].map(lambda value: shown(value, 2)) for name in ("seconds", "peak GB")}
    method = table["method"].map("`{}`".format)
    write("scaling", table.assign(method=method, **counts, **numbers).to_dict("records"))
    largest = table[(table["method"] == "graph-iht") & (table["nodes"] == LIMITS["nodes"])].iloc[0]
    if largest["seconds"] > LIMITS["seconds"] or largest["peak GB"] > LIMITS["peak GB"]:
        sys.exit(f"error: the largest network took {largest['seconds']:.1f} s and {largest['peak GB']:.1f} GB")


if __name__ == "__main__":
    main()
