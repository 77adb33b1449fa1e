"""The outer folds that the published study used, with inner folds of our own.

The published files hold inner folds too. Those are not used: their numbers are positions in the outer training set,
but the published code takes them for row numbers of the whole matrix, so that some of the rows it tunes on are
patients of the outer test fold (see docs/published.md).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from study.cv.splits import Splits, draw_inner
from study.data.published import check_entrez, check_labels, numbers, read_mat
from study.data.studyfile import Study
from study.errors import StudyError


def _field(record: np.ndarray, name: str, path: str | Path) -> np.ndarray:
    """Return a field of a 1 x 1 MATLAB struct."""
    record = np.asarray(record)
    names = record.dtype.names or ()
    if record.size != 1 or name not in names:
        found = ", ".join(names) or f"a {record.dtype.name} array"
        raise StudyError(f"{path}: expected a struct with the field {name}, found {found} ({record.size}).")
    return record[name].ravel()[0]


def _rows(value: object, n_patients: int, path: str | Path, what: str) -> np.ndarray:
    """Return 0-based row numbers from a vector of 1-based ones."""
    rows = numbers(value, path, what).ravel()
    if not len(rows) or not ((rows >= 1) & (rows <= n_patients) & (rows == np.floor(rows))).all():
        raise StudyError(f"{path}: expected row numbers 1..{n_patients} in {what}, found {_odd(rows, n_patients)}.")
    return rows.astype(np.int64) - 1


def _odd(rows: np.ndarray, n_patients: int) -> str:
    """Return the first entry that is no row number."""
    odd = rows[~((rows >= 1) & (rows <= n_patients) & (rows == np.floor(rows)))]
    return f"{odd[0]:g}" if len(odd) else "none at all"


def read_outer(path: str | Path, y: np.ndarray, entrez: np.ndarray) -> np.ndarray:
    """Return the outer fold, from 1, of every patient in one overlap_data file.

    Parameters
    ----------
    path : path
        MATLAB file with the struct `save_data`: data_Y, data_entrez and data_splits, a cell of one struct (train,
        test) per fold.
    y : int array (patients,)
        Outcome 0/1 of the study, which the file's labels must agree with row by row.
    entrez : int array (genes,)
        Genes of the study, which must be among the file's: it is a file of the same data set.

    Raises
    ------
    StudyError
        When the test folds do not hold every patient exactly once, a training set is not the rest, or a fold
        lacks a class.
    """
    record = read_mat(path, ["save_data"])["save_data"]
    labels = numbers(_field(record, "data_Y", path), path, "data_Y").ravel()
    if len(labels) != len(y):
        raise StudyError(f"{path}: expected {len(y)} labels in data_Y, found {len(labels)}.")
    differing = np.flatnonzero((check_labels(labels, path, "data_Y") > 0) != (y == 1))
    if len(differing):
        raise StudyError(
            f"{path}: expected the labels of vant.mat in data_Y, found another one for patient "
            f"{differing[0] + 1} ({len(differing)} differ)."
        )
    genes = check_entrez(_field(record, "data_entrez", path), path)
    if not np.isin(entrez, genes).all():
        raise StudyError(
            f"{path}: expected the study's genes in data_entrez, found {np.isin(entrez, genes).sum():,} of "
            f"{len(entrez):,}."
        )
    folds = np.asarray(_field(record, "data_splits", path)).ravel()
    if folds.dtype != object or len(folds) < 2:
        raise StudyError(f"{path}: expected a cell of two or more folds in data_splits, found {len(folds)}.")
    outer = np.zeros(len(y), np.int8)
    for number, fold in enumerate(folds, start=1):
        where = f"data_splits {number}"
        test = _rows(_field(fold, "test", path), len(y), path, f"{where} test")
        train = _rows(_field(fold, "train", path), len(y), path, f"{where} train")
        rest = np.setdiff1d(np.arange(len(y)), test)
        if len(np.unique(test)) != len(test) or not np.array_equal(np.sort(train), rest):
            raise StudyError(
                f"{path}: expected every patient once in {where}, in train or in test, found {len(train)} + "
                f"{len(test)} rows of {len(np.unique(np.r_[train, test]))} patients."
            )
        if outer[test].any():
            patient = test[outer[test] > 0][0]
            raise StudyError(
                f"{path}: expected test folds that share no patient, found patient {patient + 1} in the folds "
                f"{outer[patient]} and {number}."
            )
        if len(np.unique(y[test])) < 2:
            raise StudyError(f"{path}: expected both classes in {where} test, found one.")
        outer[test] = number
    if not outer.all():
        raise StudyError(
            f"{path}: expected every patient in a test fold, found none for patient "
            f"{np.flatnonzero(outer == 0)[0] + 1} ({(outer == 0).sum()} such patients)."
        )
    return outer


def read_stored(path: str, study: Study, settings: dict, trial: int) -> Splits:
    """Return the outer folds of an overlap_data file, as those of a trial, with inner folds of our own."""
    outer = read_outer(path, study.y, study.entrez)
    if outer.max() != settings["folds"]:
        raise StudyError(f"config: folds: expected {outer.max()}, as stored in {path}, found {settings['folds']}.")
    return draw_inner(outer[None], study.y, settings["seed"], settings["inner_folds"], trial)
