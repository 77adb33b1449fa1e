"""The test of differences over overlapping folds: by hand, undone, and under the null."""

import numpy as np
import pytest
from scipy.stats import ttest_1samp, ttest_rel

from study.stats.paired import paired_difference


def test_paired_difference_is_the_t_test_with_a_larger_error():
    rng = np.random.default_rng(0)
    a, b = rng.normal(0.02, 0.05, 100), rng.normal(0, 0.05, 100)
    found = paired_difference(a, b, folds=5)
    plain = ttest_1samp(a - b, 0)
    assert found["difference"] / found["error"] * np.sqrt(1 + 100 / 4) == pytest.approx(plain.statistic, rel=1e-10)
    low, high = plain.confidence_interval()
    assert (found["high"] - found["low"]) / (high - low) == pytest.approx(np.sqrt(26), rel=1e-10)
    assert found["p"] > plain.pvalue


def test_null_rejection_rate_on_overlapping_training_sets():
    """Two learners that are equally good by symmetry: the corrected test is conservative, the plain one is not.

    Each learner is least squares on its own half of the features, so the folds share training patients as in the
    study.
    """
    rng = np.random.default_rng(8)
    repetitions, corrected, plain = 600, 0, 0
    for _ in range(repetitions):
        X = rng.standard_normal((2, 60, 3))
        y = X.sum(axis=(0, 2)) + 2 * rng.standard_normal(60)
        tests = np.concatenate([rng.permutation(60).reshape(5, 12) for _ in range(4)])
        # Normal equations of a training set: those of all patients without the test fold's.
        held_out = X[:, tests]
        gram = X.transpose(0, 2, 1) @ X
        right = (X * y[:, None]).sum(axis=1)
        gram = gram[:, None] - held_out.transpose(0, 1, 3, 2) @ held_out
        right = right[:, None] - (held_out * y[tests][..., None]).sum(axis=2)
        weights = np.linalg.solve(gram, right[..., None])
        a, b = ((y[tests] - (held_out @ weights)[..., 0]) ** 2).mean(axis=2)
        corrected += paired_difference(a, b, folds=5)["p"] < 0.05
        plain += ttest_rel(a, b).pvalue < 0.05
    bound = 0.05 + 3 * np.sqrt(0.05 * 0.95 / repetitions)
    print(f"rejected at 0.05: corrected {corrected / repetitions:.3f}, plain {plain / repetitions:.3f}")
    assert corrected / repetitions <= bound
    assert plain / repetitions > bound, "the folds do not overlap enough for the correction to matter"
