"""The outer folds of the published study: read as stored, every mistake named, inner folds drawn without a leak."""

import numpy as np
import pytest
from scipy.io import loadmat, savemat

from published_data import N_FOLDS, N_TRIALS, cell, halves, write_overlap, write_published
from study.cv.splits import draw_inner, make_splits
from study.cv.stored_splits import read_outer
from study.errors import StudyError


@pytest.fixture
def data(tmp_path):
    return write_published(tmp_path) | {"folder": tmp_path / "data"}


def outer_folds(data, trial=0):
    return read_outer(data["folder"] / f"overlap_data_{trial:02d}.mat", data["y"], data["entrez"])


def test_file_has_the_structure_that_the_published_code_reads(data):
    """The made file answers to the very expressions with which the authors' code takes one apart."""
    save_data = loadmat(data["folder"] / "overlap_data_00.mat")["save_data"][0][0]
    for i, fold in enumerate(data["folds"][0]):
        assert (save_data["data_splits"][0][i][0][0]["test"][0] - 1).tolist() == fold.tolist()
        assert len(save_data["data_subsplits"][0][i][0][0]["train"][0][0][0]) == 26
    assert save_data["data_Y"].shape == (60, 1)


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


def test_inner_folds_within_our_own_outer_ones_are_our_own(data):
    """Given the outer folds we would draw, the inner ones are those we would draw, to the bit."""
    ours = make_splits(data["y"], seed=3, trials=2, folds=3, inner_folds=4)
    again = draw_inner(ours.outer, data["y"], seed=3, inner_folds=4)
    np.testing.assert_array_equal(again.inner, ours.inner)


def splits(data, *tests):
    return {"data_splits": cell([halves(test, np.arange(60)) for test in tests])}


def with_first(data, **changes):
    """The stored folds with changes of the first."""
    first, *others = (halves(fold, np.arange(60)) for fold in data["folds"][0])
    return {"data_splits": cell([first | changes, *others])}


def flipped(data):
    labels = np.where(data["y"] == 1, 1.0, -1.0)[:, None]
    labels[7] *= -1
    return labels


def patient_twice(data):
    a, b, c = data["folds"][0]
    return splits(data, a, np.r_[b, a[0]], c)


def patient_missing(data):
    a, b, c = data["folds"][0]
    return splits(data, a[1:], b, c)


def counted_from_zero(data):
    everybody = np.arange(60)
    return {"data_splits": cell([{k: v - 1 for k, v in halves(f, everybody).items()} for f in data["folds"][0]])}


FOLD_MISTAKES = {
    "shared patient": (patient_twice, r"patient {a} is in the test folds 1 and 2"),
    "patient left out": (patient_missing, r"patient {a} is in no test fold \(1 such"),
    "wrong training set": (
        lambda data: with_first(data, train=halves(data["folds"][0][1], np.arange(60))["train"]),
        r"train and test of data_splits 1 do not hold every patient once",
    ),
    "row outside": (
        lambda data: with_first(data, test=np.array([[61.0]])),
        r"data_splits 1 test holds 61, not row numbers 1\.\.60",
    ),
    "counted from 0": (counted_from_zero, r"data_splits \d (test|train) holds 0, not row numbers 1\.\.60"),
    "one class": (
        lambda data: splits(data, np.flatnonzero(data["y"] == 1), np.flatnonzero(data["y"] == 0)),
        r"the test fold of data_splits 1 has one class only",
    ),
    "no test": (
        lambda data: {"data_splits": cell([{"train": 1.0}] * 3)},
        r"the fields train instead of a struct with the field test",
    ),
    "no folds": (lambda data: {"data_splits": np.eye(3)}, r"data_splits is no cell of two or more folds"),
    "labels": (
        lambda data: {"data_Y": flipped(data)},
        r"the label of patient 8 in data_Y is not that of vant.mat \(1 differ",
    ),
    "fewer labels": (lambda data: {"data_Y": flipped(data)[:50]}, r"data_Y has 50 labels for 60 patients"),
    "genes": (lambda data: {"data_entrez": np.arange(1, 31)}, r"data_entrez has 0 of the study's 30 genes"),
}


@pytest.mark.parametrize("mistake", FOLD_MISTAKES)
def test_mistake_in_the_stored_folds_is_named(data, mistake):
    change, message = FOLD_MISTAKES[mistake]
    message = message.replace("{a}", str(data["folds"][0][0][0] + 1))
    path = data["folder"] / "overlap_data_00.mat"
    stored = [data[key] for key in ("X", "y", "edges", "pathways", "entrez")]
    write_overlap(path, *stored, data["folds"][0], **change(data))
    with pytest.raises(StudyError, match=rf"overlap_data_00\.mat: .*{message}"):
        outer_folds(data)


def test_file_without_the_struct_is_named(data):
    savemat(data["folder"] / "overlap_data_00.mat", {"save_data": np.eye(2)})
    with pytest.raises(StudyError, match=r"float64 values instead of a struct with the field data_Y"):
        outer_folds(data)


def test_too_many_inner_folds_are_named(data):
    outer = outer_folds(data)[None]
    with pytest.raises(StudyError, match=r"config: inner_folds: expected at most the \d+ patients .* found 50"):
        draw_inner(outer, data["y"], 1, 50)
