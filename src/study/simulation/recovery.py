"""Support recovery: how many observations each method needs, and what noise and the graph's shape do to it.

Every fit has a fixed step of 0.2 from zero, blocks of n/2 rows (SCSG: B = n/2, b = B/4), the whole gradient as head,
and at most 500 steps, whatever the method; a run whose support and loss have settled (to 0.01 % over three epochs)
stops.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd

from graphiht.fitting import fit
from graphiht.methods import STEP_METHODS as METHODS
from graphiht.methods import find_method
from graphiht.network import Network
from graphiht.solver import DIVERGED
from study.cv.splits import generator
from study.io import say
from study.simulation.graphs import SIDE, Problem, grid, make_network, planted

OPTIONS = {"step": 0.2, "head": "identity", "tol": 1e-4, "intercept": "none"}
MAX_STEPS = 500
STEPS_PER_EPOCH = {"full": 1, "block": 2, "svrg": 2, "scsg": 4}
RECOVERED = 0.01
REAL = "network of the study"


class Sizes(NamedTuple):
    """Sizes of the phase transition (side of the grid, numbers of observations), and of the problems with noise.

    `trials` problems per point; a noise level is the norm of the noise over that of the signal.
    """

    side: int = SIDE
    rows: tuple[int, ...] = (24, 48, 72, 96, 120, 144, 168, 192, 216, 240)
    trials: int = 30
    noise_levels: tuple[float, ...] = (0, 0.1, 0.2, 0.5)
    noise_sparsity: int = 20
    noise_rows: int = 128


SIZES = Sizes()


def f1(chosen: np.ndarray, true: np.ndarray) -> float:
    """Return the harmonic mean of precision and recall of a node set."""
    return 2.0 * len(np.intersect1d(chosen, true)) / (len(chosen) + len(true))


def sampling(method: str, n_rows: int) -> dict:
    """Return the sizes of what a method samples."""
    is_scsg = find_method(method).gradient == "scsg"
    return {"n_blocks": 2, "mini_batch": -(-n_rows // 8) if is_scsg else None}


def measure(method: str, problem: Problem, rng: np.random.Generator) -> dict:
    """Return F1 of the support, relative estimation error, and whether the error is at most 1 %.

    The support is that of the s largest weights, because a graph projection may keep a tenth more nodes.
    """
    size = len(problem.support)
    epochs = MAX_STEPS // STEPS_PER_EPOCH[find_method(method).gradient]
    options = OPTIONS | sampling(method, len(problem.y)) | {"rng": rng, "max_epochs": epochs}
    result = fit(method, problem.loss, sparsity=size, network=problem.network, **options)
    weights = result.weights
    largest = np.sort(np.argsort(-np.abs(weights), kind="stable")[:size])
    error = float(np.linalg.norm(weights - problem.x) / np.linalg.norm(problem.x))
    if not np.isfinite(error):
        error = np.inf
    return {
        "f1": f1(largest[weights[largest] != 0], problem.support),
        "error": error,
        "recovered": int(error <= RECOVERED),
        "status": result.status,
    }


def transition(master_seed: int, sparsity: int, sizes: Sizes = SIZES) -> pd.DataFrame:
    """Return a row per number of observations, trial and method, for one sparsity on the grid."""
    rows = []
    for n_rows in sizes.rows:
        for trial in range(1, sizes.trials + 1):
            rng = generator(master_seed, trial, n_rows, f"recovery s={sparsity}")
            problem = planted(grid(sizes.side), sparsity, n_rows, rng)
            for method in METHODS:
                rng = generator(master_seed, trial, n_rows, "recovery rows")
                key = {"sparsity": sparsity, "n_rows": n_rows, "trial": trial, "method": method}
                rows.append(key | measure(method, problem, rng))
        say(f"recovery, s = {sparsity}: n = {n_rows} done")
    return pd.DataFrame(rows)


def families(master_seed: int, family: str, real: Network | None = None, sizes: Sizes = SIZES) -> pd.DataFrame:
    """Return a row per noise level, trial and method, on graphs of one family; of `REAL`, on the network `real`."""
    rows = []
    for trial in range(1, sizes.trials + 1):
        graph_rng = generator(master_seed, trial, 0, f"graph {family}")
        network = real if family == REAL else make_network(family, sizes.side, graph_rng)
        for noise in sizes.noise_levels:
            # The same draws at every level: only the noise grows.
            rng = generator(master_seed, trial, 0, f"planted {family}")
            problem = planted(network, sizes.noise_sparsity, sizes.noise_rows, rng, noise)
            for method in METHODS:
                rng = generator(master_seed, trial, 0, "recovery rows")
                key = {"family": family, "nodes": network.n_nodes, "noise": noise, "trial": trial, "method": method}
                rows.append(key | measure(method, problem, rng))
        say(f"{family}: trial {trial} done")
    return pd.DataFrame(rows)


def summary(trials: pd.DataFrame, by: list[str]) -> pd.DataFrame:
    """Return per group and method: share of trials recovered with its standard error, median F1 and error."""
    groups = trials.groupby([*by, "method"], sort=False, as_index=False)
    return groups.agg(
        trials=("recovered", "size"),
        recovered=("recovered", "mean"),
        standard_error=("recovered", lambda recovered: recovered.std(ddof=0) / np.sqrt(len(recovered))),
        f1=("f1", "median"),
        error=("error", "median"),
        diverged=("status", lambda status: (status == DIVERGED).sum()),
    )


def needed(table: pd.DataFrame) -> pd.DataFrame:
    """Return per sparsity and method the least n from which on at least half of the trials recover; NaN if none."""
    keys, half = ["sparsity", "method"], table.assign(half=table["recovered"] >= 0.5)
    # From which on: a single lucky point below a failing one does not count.
    lasting = half.sort_values("n_rows", ascending=False).groupby(keys)["half"].cummin().astype(bool)
    return table.assign(n_rows=table["n_rows"].where(lasting)).groupby(keys, sort=False, as_index=False)["n_rows"].min()
