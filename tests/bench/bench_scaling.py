"""Measure how a fit of graph-iht scales with nodes, patients and cores; draw log-log plots with slopes.

    python tests/bench/bench_scaling.py

Nodes and patients: processor seconds of a step and peak memory, each size in a process of its own, on random data
with a connected network of five edges a node. Cores: wall seconds of the same number of fits, spread over processes.
"""

import resource
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import matplotlib as mpl
import numpy as np
from threadpoolctl import threadpool_limits

from graphiht.fitting import fit
from graphiht.losses import balanced_logistic
from graphiht.network import Network

NODES = [1_000, 10_000, 100_000, 1_000_000]
PATIENTS = [100, 300, 1_000, 3_000, 10_000]
CORES = [1, 2, 4, 8]
FITS = 3_200  # of the comparison of cores


def problem(n_rows, n_nodes):
    """Return (loss, network): twenty neighbouring nodes carry the signal."""
    rng = np.random.default_rng(0)
    one = rng.integers(0, n_nodes, 5 * n_nodes)
    edges = np.column_stack([one, (one + 1 + rng.integers(0, n_nodes - 1, 5 * n_nodes)) % n_nodes])
    edges[: n_nodes - 1] = np.column_stack([np.arange(n_nodes - 1), np.arange(1, n_nodes)])
    X = rng.standard_normal((n_rows, n_nodes), dtype=np.float32)
    y = X[:, :20].sum(axis=1) + rng.standard_normal(n_rows) > 0
    return balanced_logistic(X, y, dtype=np.float32), Network(edges, n_nodes)


def run(n_rows, n_nodes, n_fits=3):
    """Return processor seconds a step and peak memory in GB of fits of one size; the first, not counted, warms up."""
    loss, network = problem(n_rows, n_nodes)
    # Steps on large networks take seconds.
    n_fits, max_epochs = (n_fits, 10) if n_nodes < 100_000 else (1, 3)
    with threadpool_limits(1):
        fit("graph-iht", loss, sparsity=50, network=network, max_epochs=1)
        start, steps = time.process_time(), 0
        for _ in range(n_fits):
            steps += fit("graph-iht", loss, sparsity=50, network=network, tol=-1.0, max_epochs=max_epochs).n_steps
        seconds = (time.process_time() - start) / steps
    return seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def processes(number=1):
    """Return a pool of new processes."""
    return ProcessPoolExecutor(number, get_context("spawn"))


def measured(n_rows, n_nodes):
    """Return (seconds a step, GB) of a process of its own."""
    with processes() as one:
        return one.submit(run, n_rows, n_nodes).result()


def wall(number):
    """Return the wall seconds of the fits spread over processes."""
    start = time.perf_counter()
    with processes(number) as pool:
        list(pool.map(run, [200] * number, [2_000] * number, [FITS // number] * number))
    return time.perf_counter() - start


def main():
    panels = {
        "nodes (200 patients)": (NODES, [measured(200, n) for n in NODES]),
        "patients (2,000 nodes)": (PATIENTS, [measured(n, 2_000) for n in PATIENTS]),
        f"processes ({FITS:,} fits)": (CORES, [(wall(n), 0.0) for n in CORES]),
    }
    mpl.use("svg")
    mpl.rcParams |= {"svg.hashsalt": "scaling", "svg.fonttype": "none"}
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 3, figsize=(10, 3.2), layout="constrained")
    for axis, (label, (sizes, results)) in zip(axes, panels.items(), strict=True):
        seconds = [second for second, _ in results]
        slope = np.polyfit(np.log(sizes), np.log(seconds), 1)[0]  # the exponent of a power law
        axis.loglog(sizes, seconds, "o-", color="#004D7A")
        axis.set(xlabel=label, title=f"slope {slope:.2f}")
        axis.set_ylabel("wall seconds" if "fits" in label else "processor seconds a step")
        for size, (second, gigabytes) in zip(sizes, results, strict=True):
            print(f"{label:24s} {size:>10,} {second:12.6f} s {gigabytes:8.2f} GB")
        print(f"{'':24s} slope {slope:.2f}", flush=True)
    figure.savefig(Path(__file__).parents[2] / "docs/scaling.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
