"""What there is to fit: which points each method has, and which fits several methods have in common.

Imports nothing heavy, because the Snakefile reads it each time snakemake starts.
"""

from __future__ import annotations

PEER_GRIDS = {
    # kind: (least and largest C as powers of ten, how many, shares of L1 in the penalty)
    "ridge": (-5.0, -0.5, 10, (0.0,)),
    "l1": (-1.75, 0.5, 10, (1.0,)),
    "elastic-net": (-3.5, 0.0, 8, (0.1, 0.5, 0.9)),
}
PEER_SOLVERS = {
    "ridge": "scikit-learn's newton-cholesky",
    "l1": "scikit-learn's liblinear",
    "elastic-net": "skglm's proximal Newton",
}
N_STABILITY_THRESHOLDS = 5
# Beyond the study: each is a target of its own, and part of tables and report once it has been run.
EXTRAS = {"stability": "graph-stability", "peers_full": "elastic-net"}
_ONE_BLOCK = {
    "iht": "top",
    "sto-iht": "top",
    "svrg-iht": "top",
    "graph-iht": "graph",
    "graph-sto-iht": "graph",
    "graph-svrg-iht": "graph",
}


def distinct_blocks(method: str, n_blocks: list[int]) -> list[int]:
    """Return the numbers of blocks that make a difference to a method: the full gradient knows only one."""
    return [1] if method in ("iht", "graph-iht") else sorted(n_blocks)


def shared_part(method: str, n_blocks: list[int]) -> str | None:
    """Return the projection (`top`, `graph`) whose one-block fits a method takes over, or None.

    Over one block every estimator is the full gradient, SCSG's apart.
    """
    return _ONE_BLOCK.get(method) if 1 in distinct_blocks(method, n_blocks) else None


def own_blocks(method: str, n_blocks: list[int]) -> list[int]:
    """Return the numbers of blocks that a method fits itself."""
    shared = shared_part(method, n_blocks)
    return [number for number in distinct_blocks(method, n_blocks) if not (shared and number == 1)]


def n_points(name: str, config: dict) -> int:
    """Return how many points of a grid the job `name` (a method, or shared-top, shared-graph) fits."""
    if name in PEER_GRIDS:
        _, _, n_values, ratios = PEER_GRIDS[name]
        return n_values * len(ratios)
    path = len(config["sparsities"]) * len(config["lambdas"])
    if name == "graph-stability":
        return len(config["lambdas"]) * N_STABILITY_THRESHOLDS
    if name in ("t-top", "t-graph") or name.startswith("shared-"):
        return path
    return path * len(own_blocks(name, config["n_blocks"]))


def n_fits(name: str, config: dict) -> int:
    """Return how many fits a job makes in all its trials and folds, the refits included."""
    refit = not name.startswith("shared-")
    return config["trials"] * config["folds"] * (config["inner_folds"] * n_points(name, config) + refit)
