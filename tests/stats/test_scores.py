"""Metrics against scikit-learn."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import balanced_accuracy_score, roc_auc_score

from study.stats.scores import auc, balanced_error, best_threshold

labels_and_scores = st.lists(st.tuples(st.integers(0, 1), st.integers(-3, 3)), min_size=2, max_size=40).filter(
    lambda rows: len({label for label, _ in rows}) == 2
)


@given(labels_and_scores, st.integers(-3, 3))
def test_balanced_error_is_one_minus_balanced_accuracy(rows, threshold):
    y, score = map(np.array, zip(*rows, strict=True))
    expected = 1 - balanced_accuracy_score(y, score > threshold)
    assert balanced_error(y, score, threshold) == pytest.approx(expected, abs=1e-12)


@given(labels_and_scores)
def test_auc_is_scikit_learns_also_with_ties(rows):
    y, score = map(np.array, zip(*rows, strict=True))
    assert auc(y, score) == pytest.approx(roc_auc_score(y, score), abs=1e-12)


@given(labels_and_scores)
def test_best_threshold_is_best_by_brute_force(rows):
    y, score = map(np.array, zip(*rows, strict=True))
    candidates = np.arange(-4.5, 4.6, 0.5)
    least = min(balanced_error(y, score, threshold) for threshold in candidates)
    assert balanced_error(y, score, best_threshold(y, score)) == pytest.approx(least, abs=1e-12)


def test_best_threshold_prefers_the_nearest_to_zero():
    y = np.array([0, 0, 1, 1])
    assert best_threshold(y, np.array([-3.0, -1.0, 0.5, 2.0])) == -0.25
    assert best_threshold(y, np.array([-3.0, -2.0, -1.0, -0.5])) == -1.5
