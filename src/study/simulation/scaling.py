"""What a step costs as the graph grows: seconds of processor time and Steiner solves, and the slope of their growth."""

import math
import time
from typing import NamedTuple

import numpy as np
import pandas as pd

from graphiht.fitting import fit
from graphiht.methods import STEP_METHODS as METHODS
from graphiht.network import Network
from study.cv.splits import generator
from study.io import say
from study.simulation.graphs import grid_edges, planted
from study.simulation.recovery import sampling

OPTIONS = {"step": 0.1, "head": "identity", "tol": -1.0, "intercept": "none"}


class Sizes(NamedTuple):
    """Sizes of the grids on which a step is timed, and how often it is timed."""

    nodes: tuple[int, ...] = (100, 300, 1000, 3000, 10_000, 30_000, 100_000)
    rows: int = 100
    sparsity: int = 32
    epochs: int = 5
    runs: int = 2


SIZES = Sizes()


def shape(n_nodes: int) -> tuple[int, int]:
    """Return the sides of the most nearly square grid of exactly `n_nodes` nodes."""
    rows = next(r for r in range(math.isqrt(n_nodes), 0, -1) if n_nodes % r == 0)
    return rows, n_nodes // rows


def measure(master_seed: int, sizes: Sizes = SIZES) -> pd.DataFrame:
    """Return a row per number of nodes and method: seconds and solves of a step, the best of `runs` runs.

    Processor time, and the least of the runs: other work on the machine disturbs both little. Times differ from
    run to run and from machine to machine; nothing else here does.
    """
    rows = []
    for n_nodes in sorted(sizes.nodes):
        network = Network(grid_edges(*shape(n_nodes)), n_nodes)
        rng = generator(master_seed, 1, 0, f"scaling {n_nodes}")
        problem = planted(network, sizes.sparsity, sizes.rows, rng)
        for method in METHODS:
            options = OPTIONS | sampling(method, sizes.rows)
            options |= {"sparsity": sizes.sparsity, "max_epochs": sizes.epochs}
            seconds = []
            # Compiled code is loaded in a first run, on the smallest graph.
            for _ in range(sizes.runs + (n_nodes == min(sizes.nodes))):
                rng = generator(master_seed, 1, 0, "scaling rows")
                start = time.process_time()
                result = fit(method, problem.loss, network=network, rng=rng, **options)
                seconds.append(time.process_time() - start)
            step = min(seconds[-sizes.runs :]) / result.n_steps
            row = {"nodes": n_nodes, "edges": network.n_edges, "rows": sizes.rows, "sparsity": sizes.sparsity}
            row |= {"method": method, "steps": result.n_steps, "solves_per_step": result.n_solves / result.n_steps}
            rows.append(row | {"seconds_per_step": step})
        say(f"scaling: {n_nodes:,} nodes done")
    return with_solves_and_slopes(pd.DataFrame(rows))


def with_solves_and_slopes(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table with seconds per Steiner solve, and per method the exponents of growth of a step and a solve."""
    solves = table["solves_per_step"]
    table = table.assign(seconds_per_solve=table["seconds_per_step"] / solves.where(solves > 0))
    for measured, name in (("seconds_per_step", "slope"), ("seconds_per_solve", "slope_of_solve")):
        slopes = {method: slope(runs["nodes"], runs[measured]) for method, runs in table.groupby("method")}
        table = table.assign(**{name: table["method"].map(slopes)})
    return table


def slope(nodes, seconds, above: int = 1000) -> float:
    """Return the exponent of growth: the least-squares slope of log seconds on log nodes, from `above` nodes on.

    Below, the cost of calling a step hides that of the nodes. NaN with fewer than two sizes.
    """
    logs = np.log(np.array([nodes, seconds], dtype=float)[:, np.asarray(nodes) >= above])
    if logs.shape[1] < 2 or not np.isfinite(logs).all():
        return math.nan
    return float(np.polyfit(*logs, 1)[0])
