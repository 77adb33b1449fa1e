"""Cross-validate ridge on all genes of the cohort, in the network or not, on the folds of the study."""

import numpy as np
import pandas as pd

from study.command import command
from study.cv.learners import make_learner
from study.cv.nested import score_fold
from study.cv.splits import Splits
from study.data.studyfile import Cohort, Study
from study.methods import METHODS, REFERENCE
from study.metrics import metrics_of
from study.tables import write


def main(cohort: str, splits: list, settings: dict, table: str) -> None:
    patients, row = vars(Cohort.load(cohort)), METHODS[REFERENCE]
    study = Study(**patients, edges=np.empty((0, 2), np.int64), confidence=np.empty(0))
    learner, rows = make_learner(row, settings, study), []
    for trial in map(Splits.load, splits):
        for fold in range(1, trial.n_outer + 1):
            result = score_fold(row, learner, study, trial, trial.first, fold, settings)
            rows.append((trial.first, fold, study.X.shape[1], result[metrics_of(result)[0]]))
    write(table, pd.DataFrame(rows, columns=["trial", "fold", "n_genes", "value"]))


command(main)
