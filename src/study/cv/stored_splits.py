"""Read the outer folds of the published study, and draw inner folds for them.

The inner folds in the published files are not used. They are positions in the outer training set, but the published
code takes them for rows of the whole matrix, so that it tunes on patients of the outer test fold (docs/published.md).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from study.cv.splits import Splits, draw_inner
from study.data.published import OTHER, check_entrez, check_labels, numbers, read_mat
from study.data.studyfile import Study
from study.errors import StudyError


def _field(record: np.ndarray, name: str, path: str | Path) -> np.ndarray:
    """Return a field of a 1 x 1 MATLAB struct."""
    record = np.asarray(record)
    names = record.dtype.names or ()
    if record.size != 1 or name not in names:
        content = f"the fields {', '.join(names)}" if names else f"{record.dtype.name} values"
        raise StudyError(f"{path}: {content} instead of a struct with the field {name}. {OTHER}")
    return record[name].ravel()[0]


def _rows(value: object, n_patients: int, path: str | Path, what: str) -> np.ndarray:
    """Return the 0-based row numbers of a vector of 1-based ones."""
    rows = numbers(value, path, what).ravel()
    odd = rows[~((rows >= 1) & (rows <= n_patients) & (rows == np.floor(rows)))]
    if len(odd) or not len(rows):
        content = f"{odd[0]:g}" if len(odd) else "nothing"
        raise StudyError(f"{path}: {what} holds {content}, not row numbers 1..{n_patients}. {OTHER}")
    return rows.astype(np.int64) - 1


def read_outer(path: str | Path, y: np.ndarray, entrez: np.ndarray) -> np.ndarray:
    """Return the outer fold, from 1, of every patient in one overlap_data file.

    Parameters
    ----------
    path : path
        MATLAB file with the struct `save_data`: data_Y, data_entrez and data_splits, a cell of one struct (train,
        test) per fold.
    y : int array (patients,)
        Outcome 0/1 of the study; the labels in the file must agree.
    entrez : int array (genes,)
        Genes of the study; the file must have them all.

    Raises
    ------
    StudyError
        If the test folds do not hold every patient exactly once, a training set is not the rest, or a fold lacks a
        class.
    """
    record = read_mat(path, ["save_data"])["save_data"]
    labels = numbers(_field(record, "data_Y", path), path, "data_Y").ravel()
    if len(labels) != len(y):
        raise StudyError(f"{path}: data_Y has {len(labels)} labels for {len(y)} patients. {OTHER}")
    differing = np.flatnonzero((check_labels(labels, path, "data_Y") > 0) != (y == 1))
    if len(differing):
        raise StudyError(
            f"{path}: the label of patient {differing[0] + 1} in data_Y is not that of vant.mat ({len(differing)} "
            f"differ). {OTHER}"
        )
    genes = check_entrez(_field(record, "data_entrez", path), path)
    if not np.isin(entrez, genes).all():
        n_found = np.isin(entrez, genes).sum()
        raise StudyError(f"{path}: data_entrez has {n_found:,} of the study's {len(entrez):,} genes. {OTHER}")
    folds = np.asarray(_field(record, "data_splits", path)).ravel()
    if folds.dtype != object or len(folds) < 2:
        raise StudyError(f"{path}: data_splits is no cell of two or more folds. {OTHER}")
    outer = np.zeros(len(y), np.int8)
    for number, fold in enumerate(folds, start=1):
        where = f"data_splits {number}"
        test = _rows(_field(fold, "test", path), len(y), path, f"{where} test")
        train = _rows(_field(fold, "train", path), len(y), path, f"{where} train")
        rest = np.setdiff1d(np.arange(len(y)), test)
        if len(np.unique(test)) != len(test) or not np.array_equal(np.sort(train), rest):
            raise StudyError(
                f"{path}: train and test of {where} do not hold every patient once, but {len(train)} + {len(test)} "
                f"rows of {len(np.unique(np.r_[train, test]))} patients. {OTHER}"
            )
        if outer[test].any():
            patient = test[outer[test] > 0][0]
            raise StudyError(
                f"{path}: patient {patient + 1} is in the test folds {outer[patient]} and {number}. {OTHER}"
            )
        if len(np.unique(y[test])) < 2:
            raise StudyError(f"{path}: the test fold of {where} has one class only. {OTHER}")
        outer[test] = number
    if not outer.all():
        missing = np.flatnonzero(outer == 0)
        raise StudyError(f"{path}: patient {missing[0] + 1} is in no test fold ({len(missing)} such patients). {OTHER}")
    return outer


def read_stored(path: str, study: Study, settings: dict, trial: int) -> Splits:
    """Return the outer folds of an overlap_data file, with drawn inner folds, as the splits of one trial."""
    outer = read_outer(path, study.y, study.entrez)
    if outer.max() != settings["folds"]:
        raise StudyError(f"config: folds: expected {outer.max()}, as stored in {path}, found {settings['folds']}.")
    return draw_inner(outer[None], study.y, settings["seed"], settings["inner_folds"], trial)
