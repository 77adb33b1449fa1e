"""One figure from several cohorts, and how much they disagree."""

from typing import NamedTuple

import numpy as np
from scipy.stats import t
from statsmodels.stats.meta_analysis import combine_effects

from study.stats.discrimination import LEVEL, Z


class Combined(NamedTuple):
    """A random-effects estimate with its 95 % interval, and the heterogeneity between cohorts.

    `tau` is the standard deviation of the true figures between cohorts, `i2` the share of the variation that is not
    chance, `p` that of the test of no difference between cohorts (Cochran's Q).
    """

    estimate: float
    low: float
    high: float
    tau: float
    i2: float
    p: float


def random_effects(values: np.ndarray, errors: np.ndarray) -> Combined:
    """Return the random-effects estimate from the cohorts' figures and standard errors.

    The variance between cohorts is that of Paule and Mandel. The interval is that of Hartung, Knapp, Sidik and
    Jonkman, made for few cohorts, but never narrower than with the usual standard error (cohorts can agree by chance).
    Of one cohort it is that cohort's own, with the normal interval.
    """
    values, errors = np.asarray(values, float), np.asarray(errors, float)
    if len(values) == 1:
        reach = Z * errors[0]
        return Combined(values[0], values[0] - reach, values[0] + reach, 0.0, 0.0, 1.0)
    with np.errstate(divide="ignore"):
        combined = combine_effects(values, errors**2, method_re="iterated", use_t=True)
    error = max(combined.sd_eff_w_re_hksj, combined.sd_eff_w_re)
    mean, reach = combined.mean_effect_re, t.ppf(0.5 + LEVEL / 2, len(values) - 1) * error
    spread, share = np.sqrt(max(combined.tau2, 0.0)), max(combined.i2, 0.0)
    p = combined.test_homogeneity().pvalue
    return Combined(*(float(value) for value in (mean, mean - reach, mean + reach, spread, share, p)))
