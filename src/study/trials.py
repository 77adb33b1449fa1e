"""The work of one job: a method, or what methods share, on the folds of one trial."""

from __future__ import annotations

import platform
import time
from pathlib import Path

import numpy as np

from graphiht.methods import METHODS
from graphiht.network import Network
from study.files import read_arrays, write_arrays, write_json
from study.learners import IHT, Point, TStatistics
from study.nested import out_of_fold_scores, score_fold
from study.plan import own_blocks
from study.splits import Splits
from study.stability import Stability
from study.studyfile import Study

FULL_GRADIENT = {"iht": "top", "graph-iht": "graph"}


def make_network(study: Study, settings: dict) -> Network:
    """Return the network of a study with the configured edge costs."""
    return Network(study.edges, study.X.shape[1], study.costs(settings["edge_cost"]))


def make_learner(method: str, study: Study, settings: dict):
    """Return the learner of a method, without the points that are fitted elsewhere (`study.plan`)."""
    network = make_network(study, settings)
    if method in METHODS:
        return IHT(method, settings, network, own_blocks(method, settings["n_blocks"]))
    if method == "graph-stability":
        return Stability(settings, network)
    return TStatistics(settings, network if method == "t-graph" else None)


def score_shared(
    part: str, study: Study, splits: Splits, trial: int, settings: dict, output: str | Path
) -> dict:
    """Write the out-of-fold scores of the full-gradient method, one block; return what it took."""
    method = next(name for name, its_part in FULL_GRADIENT.items() if its_part == part)
    learner = IHT(method, settings, make_network(study, settings), [1])
    scores, seconds = [], []
    for fold in range(1, splits.n_outer + 1):
        start = time.perf_counter()
        scores.append(out_of_fold_scores(learner, study.X, study.y, splits, trial, fold, settings["seed"]))
        seconds.append(time.perf_counter() - start)
    write_arrays(output, {"points": np.array(learner.points), "scores": np.array(scores)})
    return timing(f"shared-{part}", trial, len(learner.points) * splits.n_inner, seconds)


def read_shared(path: str | Path) -> tuple[list[Point], np.ndarray]:
    """Return (points, scores by fold) that `score_shared` wrote."""
    stored = read_arrays(path, ("points", "scores"))
    points = [Point(lam, int(size), int(blocks), *rest) for lam, size, blocks, *rest in stored["points"]]
    return points, stored["scores"]


def score_trial(
    method: str,
    learner,
    study: Study,
    splits: Splits,
    trial: int,
    settings: dict,
    outputs: list[str],
    shared: tuple[list[Point], np.ndarray] | None = None,
) -> dict:
    """Write the result file of every fold of a trial; return what it took."""
    seconds = []
    for fold, output in enumerate(outputs, start=1):
        start = time.perf_counter()
        there = (shared[0], shared[1][fold - 1]) if shared else ((), None)
        if method not in METHODS:
            settings = settings | {"refit": False}
        result = score_fold(method, learner, study.X, study.y, splits, trial, fold, settings, there)
        write_json(output, result)
        seconds.append(time.perf_counter() - start)
    return timing(method, trial, len(learner.points) * splits.n_inner + 1, seconds)


def timing(method: str, trial: int, fits_per_fold: int, seconds: list[float]) -> dict:
    """Return what goes to the timings: the only files that may differ between equal runs."""
    return {
        "method": method,
        "trial": trial,
        "fits_per_fold": fits_per_fold,
        "seconds": seconds,
        "host": platform.node(),
        "finished": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
    }
