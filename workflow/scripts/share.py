"""Score the one-block fits that several methods share, on the folds of one trial."""

import time

from study.command import command
from study.cv.learners import make_learner
from study.cv.model import write_scores
from study.cv.nested import n_fits, out_of_fold_scores, timing
from study.cv.outcome import Outcome
from study.cv.splits import Splits, trial_and_fold
from study.data.pooled import on_platform
from study.data.studyfile import Study
from study.io import write_json
from study.methods import METHODS, PARTS


def main(part: str, study: str, splits: str, settings: dict, scores: list, timings: list) -> None:
    patients, folds = Study.load(study), Splits.load(splits)
    known, own_grid = patients, settings | {"n_blocks": [1]}
    learner = make_learner(METHODS[PARTS[part]], own_grid, known)
    outcome = Outcome.of(patients, settings)
    for path, timing_path in zip(scores, timings, strict=True):
        trial, fold = trial_and_fold(path)
        start = time.perf_counter()
        if patients.is_pooled:
            known, _ = on_platform(patients, folds.test(trial, fold))
            learner = make_learner(METHODS[PARTS[part]], own_grid, known)
        write_scores(
            path, learner.points, out_of_fold_scores(learner, known, outcome, folds, trial, fold, settings["seed"])
        )
        fits = n_fits(learner) * folds.n_inner(trial, fold)
        write_json(timing_path, timing(f"shared-{part}", trial, fold, fits, time.perf_counter() - start))


command(main)
