"""Run the nested cross-validation of one method on folds of one trial, or score the fits that several methods share."""

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
from study.run.command import command
from study.run.files import read_arrays, write_arrays, write_json
from study.run.jobs import end_now, start_numba_without_scipy
from study.run.progress import report


def read_shared(path: str) -> tuple[list[Point], np.ndarray]:
    """Return (points, out-of-fold scores) of the fits that several methods share."""
    stored = read_arrays(path, ("points", "scores"))
    # An array of numbers has one type, and a fit counts in whole ones.
    points = [
        point._replace(**{name: int(getattr(point, name)) for name in ("sparsity", "n_blocks", "epochs")})
        for point in map(Point._make, stored["points"].tolist())
    ]
    return points, stored["scores"]


def main(study, splits, name, trial, shared, settings, folds, timings, progress):
    """Write a file per fold: the result of a method, or, of a shared part, the scores of its points."""
    part = name.removeprefix(SHARED) if name.startswith(SHARED) else None
    method = METHODS[PARTS[part] if part else name]
    if method.iterates:
        start_numba_without_scipy()
    blocks = [1] if part else method.own_blocks(settings.get("n_blocks", [1]))
    study, splits = Study.load(study), Splits.load(splits)
    outcome = Outcome.of(study, settings)
    learner = make_learner(method, settings | {"n_blocks": blocks}, study)
    scored = {Path(path).stem: path for path in shared}
    for file, timing_file in zip(folds, timings, strict=True):
        fold = int(re.fullmatch(r"fold-(\d+)", Path(file).stem)[1])
        start = time.perf_counter()
        if part:
            scores = out_of_fold_scores(learner, study, outcome, splits, trial, fold, settings["seed"])
            write_arrays(file, {"points": np.array(learner.points), "scores": scores})
        else:
            taken_over = read_shared(scored[Path(file).stem]) if shared else None
            write_json(file, score_fold(method, learner, study, splits, trial, fold, settings, taken_over))
        # Numbers of epochs are iterates of one fit.
        own = len({point._replace(epochs=0) for point in learner.points})
        fits = own * splits.n_inner(trial, fold) + (part is None)
        write_json(timing_file, timing(name, trial, fold, fits, time.perf_counter() - start))
    report(progress)


if __name__ == "__main__":
    command(
        main,
        name="a method, or a shared part",
        trial=(int, "number of the trial, from 1"),
        shared=["scores of the fits that methods share, a file per fold"],
        folds=["a file per fold to write, named fold-<number>"],
        timings=["file for what a fold cost, in the same order"],
    )
    end_now()
