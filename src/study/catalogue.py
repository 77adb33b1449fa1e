"""Which learner a method name stands for, and the fits that several methods have in common."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

from graphiht.methods import METHODS
from graphiht.network import Network
from study.cv.learners import IHT, TStatistics
from study.cv.model import Point
from study.cv.nested import out_of_fold_scores
from study.cv.splits import Splits
from study.cv.stability_selection import Stability
from study.cv.trials import timing
from study.data.studyfile import Study
from study.plan import own_blocks
from study.run.files import read_arrays, write_arrays

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
