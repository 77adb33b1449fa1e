"""Run the nested cross-validation of one method on some folds, or score the fits that several methods share."""

import re
import time
from pathlib import Path

import numpy as np

from study.cv.model import Point, make_learner
from study.cv.nested import out_of_fold_scores, score_fold, timing
from study.cv.outcome import Outcome
from study.cv.splits import Splits
from study.data.studyfile import Study
from study.methods import METHODS, PARTS, SHARED
from study.command import command
from study.io import read_arrays, write_arrays, write_json
from study.run.jobs import end_now, start_numba_without_scipy


def read_shared(path: str) -> tuple[list[Point], np.ndarray]:
    """Return (points, out-of-fold scores) of the fits that several methods share."""
    stored = read_arrays(path, ("points", "scores"))
    # An array of numbers has one type, and a fit counts in whole ones.
    points = [
        point._replace(**{name: int(getattr(point, name)) for name in ("sparsity", "n_blocks", "epochs")})
        for point in map(Point._make, stored["points"].tolist())
    ]
    return points, stored["scores"]


def place(path: str) -> tuple[int, int]:
    """Return the trial and the fold that a file is named after."""
    trial, fold = re.fullmatch(r"trial-(\d+)/fold-(\d+)", f"{Path(path).parent.name}/{Path(path).stem}").groups()
    return int(trial), int(fold)


def main(study: str, splits: list, name: str, shared: list, settings: dict, folds: list, timings: list) -> None:
    """Write a file per fold: the result of a method, or, of a shared part, the scores of its points."""
    part = name.removeprefix(SHARED) if name.startswith(SHARED) else None
    method = METHODS[PARTS[part] if part else name]
    if method.iterates:
        start_numba_without_scipy()
    blocks = [1] if part else method.own_blocks(settings.get("n_blocks", [1]))
    study = Study.load(study)
    drawn = {trial.first: trial for trial in map(Splits.load, splits)}
    outcome = Outcome.of(study, settings)
    learner = make_learner(method, settings | {"n_blocks": blocks}, study)
    scored = {place(path): path for path in shared}
    # Numbers of epochs are iterates of one fit.
    own = len({point._replace(epochs=0) for point in learner.points})
    for file, timing_file in zip(folds, timings, strict=True):
        trial, fold = place(file)
        start, tried_beyond = time.perf_counter(), 0
        if part:
            scores = out_of_fold_scores(learner, study, outcome, drawn[trial], trial, fold, settings["seed"])
            write_arrays(file, {"points": np.array(learner.points), "scores": scores})
        else:
            taken_over = read_shared(scored[trial, fold]) if shared else None
            result = score_fold(method, learner, study, drawn[trial], trial, fold, settings, taken_over)
            write_json(file, result)
            tried_beyond = len(result["lambdas_beyond"]) * method.n_points(settings | {"lambdas": [1]}, shared=True)
        fits = (own + tried_beyond) * drawn[trial].n_inner(trial, fold) + (part is None)
        write_json(timing_file, timing(name, trial, fold, fits, time.perf_counter() - start))


if __name__ == "__main__":
    command(main)
