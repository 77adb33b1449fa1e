"""The test of differences over overlapping folds: by hand, undone, and under the null."""

import numpy as np
import pytest
from scipy.stats import ttest_1samp

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
