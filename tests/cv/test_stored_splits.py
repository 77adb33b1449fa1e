"""The outer folds of the published study: read as stored, every mistake named, inner folds drawn without a leak."""

import numpy as np
import pytest

from published_data import N_FOLDS, N_TRIALS, cell, halves, write_overlap, write_published
from study.cv.splits import draw_inner
from study.cv.stored_splits import read_outer
from study.errors import StudyError


@pytest.fixture
def data(tmp_path):
    return write_published(tmp_path) | {"folder": tmp_path / "data"}


def outer_folds(data, trial=0):
    return read_outer(data["folder"] / f"overlap_data_{trial:02d}.mat", data["y"], data["entrez"])


@pytest.mark.parametrize("trial", range(N_TRIALS))
def test_outer_folds_are_the_stored_ones(data, trial):
    outer = outer_folds(data, trial)
    for number, fold in enumerate(data["folds"][trial], start=1):
        assert np.flatnonzero(outer == number).tolist() == sorted(fold.tolist())


def test_inner_folds_are_ours_and_see_no_test_patient(data):
    outer, y = np.array([outer_folds(data, trial) for trial in range(N_TRIALS)]), data["y"]
    splits = draw_inner(outer, y, seed=3, inner_folds=4)
    np.testing.assert_array_equal(splits.outer, outer)
    assert (splits.n_outer, splits.n_inner(1, 1)) == (N_FOLDS, 4)
    for trial in range(1, N_TRIALS + 1):
        for fold in range(1, N_FOLDS + 1):
            parts = [splits.validation(trial, fold, inner) for inner in range(1, 5)]
            np.testing.assert_array_equal(np.sort(np.concatenate(parts)), splits.train(trial, fold))
            events = [y[part].sum() for part in parts]
            assert max(events) - min(events) <= 1
            for inner in range(1, 5):
                assert not set(splits.fitting(trial, fold, inner)) & set(splits.test(trial, fold))


def with_first(data, **changes):
    """The stored folds with changes of the first."""
    first, *others = (halves(fold, np.arange(60)) for fold in data["folds"][0])
    return {"data_splits": cell([first | changes, *others])}


def with_tests(data, *tests):
    return {"data_splits": cell([halves(test, np.arange(60)) for test in tests])}


def flipped(data):
    labels = np.where(data["y"] == 1, 1.0, -1.0)[:, None]
    labels[7] *= -1
    return labels


FOLD_MISTAKES = {
    "shared patient": (
        lambda data, a, b, c: with_tests(data, a, np.r_[b, a[0]], c),
        r"data_splits 2 tests patients of an earlier fold again",
    ),
    "patient left out": (lambda data, a, b, c: with_tests(data, a[1:], b, c), r"1 patients are in no test fold"),
    "wrong training set": (
        lambda data, a, b, c: with_first(data, train=halves(b, np.arange(60))["train"]),
        r"train and test of data_splits 1 do not hold every patient once",
    ),
    "one class": (
        lambda data, a, b, c: with_tests(data, np.flatnonzero(data["y"] == 1), np.flatnonzero(data["y"] == 0)),
        r"the test fold of data_splits 1 has one class only",
    ),
    "labels": (lambda data, *_: {"data_Y": flipped(data)}, r"the labels in data_Y are not those of vant.mat"),
    "genes": (lambda data, *_: {"data_entrez": np.arange(1, 31)}, r"data_entrez lacks genes of the study"),
}


@pytest.mark.parametrize("mistake", FOLD_MISTAKES)
def test_mistake_in_the_stored_folds_is_named(data, mistake):
    change, message = FOLD_MISTAKES[mistake]
    path = data["folder"] / "overlap_data_00.mat"
    stored = [data[key] for key in ("X", "y", "edges", "pathways", "entrez")]
    write_overlap(path, *stored, data["folds"][0], **change(data, *data["folds"][0]))
    with pytest.raises(StudyError, match=rf"overlap_data_00\.mat: .*{message}"):
        outer_folds(data)


def test_too_many_inner_folds_are_named(data):
    outer = outer_folds(data)[None]
    with pytest.raises(StudyError, match=r"config: inner_folds: 50 are more than the \d+ patients"):
        draw_inner(outer, data["y"], 1, 50)
