"""The work of one job: the nested cross-validation of a method on the folds of one trial."""

from __future__ import annotations

import platform
import time

import numpy as np

from study.cv.model import Point
from study.cv.nested import score_fold
from study.cv.splits import Splits
from study.data.studyfile import Study
from study.run.files import write_json


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
