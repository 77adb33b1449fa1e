"""Read the outer folds of the published study, and draw inner folds for them.

The inner folds in the published files are not used. They are positions in the outer training set, but the published
code takes them for rows of the whole matrix, so that it tunes on patients of the outer test fold (docs/paper.md).
"""

from pathlib import Path

import numpy as np

from study.cv.splits import Splits, draw_inner
from study.data.published import OTHER, read_mat
from study.data.studyfile import Study
from study.errors import StudyError


def read_outer(path: str | Path, y: np.ndarray, entrez: np.ndarray) -> np.ndarray:
    """Return the outer fold, from 1, of every patient in one overlap_data file.

    The file has the struct `save_data`: data_Y, data_entrez and data_splits, a cell of one struct (train, test) per
    fold, with row numbers from 1.

    Raises
    ------
    StudyError
        If the labels are not `y`, a gene of `entrez` is missing, the test folds do not hold every patient exactly once,
        a training set is not the rest, or a fold lacks a class.
    """
    data = read_mat(path, ["save_data"])["save_data"][0, 0]
    if not np.array_equal(data["data_Y"].ravel() > 0, y == 1):
        raise StudyError(f"{path}: the labels in data_Y are not those of vant.mat. {OTHER}")
    if not np.isin(entrez, data["data_entrez"]).all():
        raise StudyError(f"{path}: data_entrez lacks genes of the study. {OTHER}")
    outer = np.zeros(len(y), np.int8)
    for number, fold in enumerate(data["data_splits"].ravel(), start=1):
        test, train = (fold[0, 0][name].ravel().astype(np.int64) - 1 for name in ("test", "train"))
        if not np.array_equal(np.sort(np.r_[test, train]), np.arange(len(y))):
            raise StudyError(f"{path}: train and test of data_splits {number} do not hold every patient once. {OTHER}")
        if len(np.unique(y[test])) < 2:
            raise StudyError(f"{path}: the test fold of data_splits {number} has one class only. {OTHER}")
        if outer[test].any():
            raise StudyError(f"{path}: data_splits {number} tests patients of an earlier fold again. {OTHER}")
        outer[test] = number
    if not outer.all():
        raise StudyError(f"{path}: {(outer == 0).sum()} patients are in no test fold. {OTHER}")
    return outer


def read_stored(path: str, study: Study, settings: dict, trial: int) -> Splits:
    """Return the outer folds of an overlap_data file, with drawn inner folds, as the splits of one trial."""
    outer = read_outer(path, study.y, study.entrez)
    if outer.max() != settings["folds"]:
        raise StudyError(
            f"config: folds: {path} stores {outer.max()} folds, not {settings['folds']}. Set folds: {outer.max()}."
        )
    return draw_inner(outer[None], study.y, settings["seed"], settings["inner_folds"], trial)
