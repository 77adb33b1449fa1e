"""Cross-validate one method on some folds."""

import time

from study.command import command
from study.cv.learners import make_learner
from study.cv.nested import n_fits, score_fold, timing
from study.cv.shared import read_scores
from study.cv.splits import Splits, trial_and_fold
from study.data.studyfile import Study
from study.io import write_json
from study.methods import METHODS


def main(method: str, study: str, splits: list, shared: list, settings: dict, folds: list, timings: list) -> None:
    row, patients = METHODS[method], Study.load(study)
    splits_of = {trial.first: trial for trial in map(Splits.load, splits)}
    scores_of = {trial_and_fold(path): path for path in shared}
    own_blocks = row.own_blocks(settings["n_blocks"])
    learner = make_learner(row, settings | {"n_blocks": own_blocks}, patients)
    for path, timing_path in zip(folds, timings, strict=True):
        trial, fold = trial_and_fold(path)
        start = time.perf_counter()
        scores = read_scores(scores_of[trial, fold]) if shared else None
        result = score_fold(row, learner, patients, splits_of[trial], trial, fold, settings, scores)
        write_json(path, result)
        fits = 1 + (n_fits(learner) + len(result["lambdas_beyond"])) * splits_of[trial].n_inner(trial, fold)
        write_json(timing_path, timing(method, trial, fold, fits, time.perf_counter() - start))


command(main)
