"""Cross-validate one method on some folds."""

import time

from study.command import command
from study.cv.learners import make_learner
from study.cv.model import read_scores
from study.cv.nested import n_fits, score_fold, timing
from study.cv.splits import Splits, trial_and_fold
from study.data.pooled import on_platform
from study.data.studyfile import Study
from study.io import write_json
from study.methods import METHODS


def main(method: str, study: str, splits: list, shared: list, settings: dict, folds: list, timings: list) -> None:
    row, patients = METHODS[method], Study.load(study)
    splits_of = {trial.first: trial for trial in map(Splits.load, splits)}
    scores_of = {trial_and_fold(path): path for path in shared}
    own_grid = settings | {"n_blocks": row.own_blocks(settings["n_blocks"])}
    learner = make_learner(row, own_grid, patients)
    for path, timing_path in zip(folds, timings, strict=True):
        trial, fold = trial_and_fold(path)
        start = time.perf_counter()
        scores = read_scores(scores_of[trial, fold]) if shared else None
        known, genes = patients, None
        if patients.is_pooled:
            # A cohort left out lends its list of genes, nothing else.
            known, genes = on_platform(patients, splits_of[trial].test(trial, fold))
            learner = make_learner(row, own_grid, known)
        result = score_fold(row, learner, known, splits_of[trial], trial, fold, settings, scores)
        if genes is not None:
            for part in (result, result["refit"]) if "refit" in result else (result,):
                part["genes"] = genes[part["genes"]].tolist()
        write_json(path, result)
        fits = 1 + (n_fits(learner) + len(result["lambdas_beyond"])) * splits_of[trial].n_inner(trial, fold)
        write_json(timing_path, timing(method, trial, fold, fits, time.perf_counter() - start))


command(main)
