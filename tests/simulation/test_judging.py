"""Intervals against the sign test, the errors of a whole table, and every way a claim can come out."""

import numpy as np
import pytest
from scipy.stats import binomtest

from study.simulation.judging import (
    CONTRADICTED,
    HOLDS,
    IN_PART,
    OPEN,
    REFUTED,
    SHOWN,
    UNDECIDED,
    Comparison,
    conclude,
    judge,
)


def below(values, **options):
    return Comparison(np.asarray(values, dtype=float), "a/b", high=0.0, **options)


def state(comparison, level):
    return comparison.judge(level)["state"]


@pytest.mark.parametrize("level", [0.95, 0.999])
@pytest.mark.parametrize("quantile", [0.5, 0.75])
@pytest.mark.parametrize("negative", range(0, 31, 3))
def test_below_is_the_exact_sign_test(negative, quantile, level):
    """Shown when significantly more seeds than the quantile are below zero, contradicted when fewer."""
    values = np.concatenate([-np.arange(1.0, negative + 1), np.arange(1.0, 31 - negative)])
    more, fewer = (binomtest(negative, 30, quantile, alternative=side).pvalue for side in ("greater", "less"))
    error = (1 - level) / 2
    expected = SHOWN if more <= error else CONTRADICTED if fewer <= error else UNDECIDED
    assert state(below(values, quantile=quantile), level) == expected


@pytest.mark.parametrize(
    ("values", "expected"),
    [([-0.01] * 20, SHOWN), ([0.0] * 20, CONTRADICTED), ([0.01] * 20, CONTRADICTED), ([-1.0, 1.0] * 10, UNDECIDED)],
)
def test_a_tie_is_no_advantage(values, expected):
    assert state(below(values), 0.95) == expected


@pytest.mark.parametrize(
    ("middle", "expected"), [(0.0, SHOWN), (0.19, UNDECIDED), (0.5, CONTRADICTED), (-0.5, CONTRADICTED)]
)
def test_equivalence_needs_the_whole_interval_inside(middle, expected):
    spread = np.linspace(-0.1, 0.1, 25)
    assert state(Comparison(middle + spread, low=-0.2, high=0.2), 0.99) == expected


def test_few_seeds_have_no_interval():
    assert state(below([-1.0] * 4), 0.95) == UNDECIDED
    assert below([-1.0] * 4).judge(0.95)["words"] == "a/b 0.10 [under 1/1,000, over 1,000]"


@pytest.mark.parametrize(
    ("by_reading", "verdict"),
    [
        ([[SHOWN, SHOWN], [SHOWN]], HOLDS),
        ([[SHOWN], [CONTRADICTED]], IN_PART),
        ([[SHOWN], [UNDECIDED]], IN_PART),
        ([[CONTRADICTED, UNDECIDED], [CONTRADICTED]], REFUTED),
        # Refuted under one reading alone is not refuted.
        ([[CONTRADICTED], [UNDECIDED]], OPEN),
        ([[UNDECIDED], [UNDECIDED]], OPEN),
    ],
)
def test_a_claim_is_refuted_only_under_every_reading(by_reading, verdict):
    assert conclude(by_reading) == verdict


def test_a_table_of_chances_has_an_error_in_less_than_one_of_twenty():
    """Two claims of 20 comparisons without any difference: how often one of them is not undecided."""
    rng = np.random.default_rng(0)
    wrong = 0
    for _ in range(100):
        claims = {("f", claim): list(map(below, rng.standard_normal((20, 50)))) for claim in "cd"}
        wrong += judge(claims)["found"].str.contains(f"{SHOWN}|{CONTRADICTED}").any()
    assert wrong <= 5


def test_found_names_the_fewer_places_and_detail_the_least_favourable():
    good, bad = [-1.0] * 20, [0.301] * 20
    comparisons = [
        below(bad if place == "c" else good, reading="one", group="in epochs", place=place) for place in "abc"
    ]
    comparisons.append(below(good, reading="two", group="in epochs", place="a"))
    found = judge({("f", "c"): comparisons}).iloc[0]
    assert found.verdict == IN_PART
    assert found.found == (
        "one: holds in part (in epochs contradicted at (c), shown elsewhere); two: holds (in epochs shown)"
    )
    assert found.detail == (
        "Least favourable, with its interval: one: in epochs a/b 2.00 [2.00, 2.00] at (c); "
        "two: in epochs a/b 0.10 [0.10, 0.10] at (a)."
    )
