"""Folds: disjoint, complete, balanced, reproducible, and nested without a leak."""

import numpy as np
import pytest

from study.cv.splits import Splits, generator, make_splits
from study.errors import StudyError


@pytest.fixture(scope="module")
def y():
    return np.random.default_rng(0).permutation(np.repeat([1, 0], [88, 207]))


@pytest.fixture(scope="module")
def splits(y):
    return make_splits(y, seed=1, trials=20, folds=5, inner_folds=5)


def pairs(splits):
    trials, folds, _ = splits.inner.shape
    return [(t, f) for t in range(1, trials + 1) for f in range(1, folds + 1)]


def test_outer_folds_partition_the_patients_and_inner_ones_the_training_set(splits, y):
    for trial, fold in pairs(splits):
        train = splits.train(trial, fold)
        np.testing.assert_array_equal(np.sort(np.r_[splits.test(trial, fold), train]), np.arange(len(y)))
        held_out = np.concatenate([splits.validation(trial, fold, inner) for inner in range(1, 6)])
        np.testing.assert_array_equal(np.sort(held_out), train)
        for inner in range(1, 6):
            both = np.r_[splits.validation(trial, fold, inner), splits.fitting(trial, fold, inner)]
            np.testing.assert_array_equal(np.sort(both), train)
    tests = [splits.test(trial, fold) for trial, fold in pairs(splits)]
    assert np.bincount(np.concatenate(tests)).tolist() == [20] * len(y), "in one test fold of each trial"


def test_classes_and_sizes_differ_by_at_most_one(splits, y):
    for trial, fold in pairs(splits):
        events = [y[splits.test(trial, f)].sum() for f in range(1, 6)]
        sizes = [len(splits.test(trial, f)) for f in range(1, 6)]
        inner_events = [y[splits.validation(trial, fold, i)].sum() for i in range(1, 6)]
        for counts in (events, sizes, inner_events):
            assert max(counts) - min(counts) <= 1


def test_folds_of_a_trial_depend_on_the_seed_and_its_number_alone(y, splits):
    fewer = make_splits(y, seed=1, trials=3, folds=5, inner_folds=5)
    np.testing.assert_array_equal(fewer.outer, splits.outer[:3])
    np.testing.assert_array_equal(fewer.inner, splits.inner[:3])
    for trial in (1, 3, 20):
        alone = make_splits(y, seed=1, trials=1, folds=5, inner_folds=5, first=trial)
        np.testing.assert_array_equal(alone.outer[0], splits.outer[trial - 1])
        np.testing.assert_array_equal(alone.inner[0], splits.inner[trial - 1])
    other = make_splits(y, seed=2, trials=3, folds=5, inner_folds=5)
    assert (other.outer != splits.outer[:3]).any()
    assert len({row.tobytes() for row in splits.outer}) == 20
    assert len({row.tobytes() for row in splits.inner.reshape(100, -1)}) == 100


def test_file_holds_everything(splits, tmp_path):
    for position in range(len(splits.outer)):
        one = Splits(splits.outer[[position]], splits.inner[[position]], position + 1)
        one.save(tmp_path / "trial.npz")
        loaded = Splits.load(tmp_path / "trial.npz")
        np.testing.assert_array_equal(loaded.test(position + 1, 2), splits.test(position + 1, 2))
        np.testing.assert_array_equal(loaded.fitting(position + 1, 1, 2), splits.fitting(position + 1, 1, 2))


def test_draws_differ_by_purpose():
    streams = [generator(1, 2, 3, purpose).integers(2**60) for purpose in ("a", "b")]
    assert streams[0] != streams[1]
    assert generator(1, 2, 3, "a").integers(2**60) == streams[0]


@pytest.mark.parametrize("events", [3, 5])
def test_too_few_patients_for_the_folds(events):
    y = np.array([1] * events + [0] * 40, np.int8)
    with pytest.raises(
        StudyError, match=f"{events} patients with the event are too few for 5 folds with 5 inner folds"
    ):
        make_splits(y, seed=1, trials=1, folds=5, inner_folds=5)
