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
    Case,
    Claim,
    Comparison,
    conclude,
    judge,
    level_of,
)


def below(values, **options):
    return Comparison("a/b", np.asarray(values, dtype=float), high=0.0, **options)


@pytest.mark.parametrize("level", [0.95, 0.999])
@pytest.mark.parametrize("quantile", [0.5, 0.75])
@pytest.mark.parametrize("negative", range(0, 31, 3))
def test_below_is_the_exact_sign_test(negative, quantile, level):
    """Shown when significantly more seeds than the quantile are below zero, contradicted when fewer."""
    values = np.concatenate([-np.arange(1.0, negative + 1), np.arange(1.0, 31 - negative)])
    more, fewer = (binomtest(negative, 30, quantile, alternative=side).pvalue for side in ("greater", "less"))
    error = (1 - level) / 2
    expected = SHOWN if more <= error else CONTRADICTED if fewer <= error else UNDECIDED
    assert below(values, quantile=quantile).state(level) == expected


@pytest.mark.parametrize(
    ("values", "state"),
    [([-0.01] * 20, SHOWN), ([0.0] * 20, CONTRADICTED), ([0.01] * 20, CONTRADICTED), ([-1.0, 1.0] * 10, UNDECIDED)],
)
def test_a_tie_is_no_advantage(values, state):
    assert below(values).state(0.95) == state


@pytest.mark.parametrize(
    ("middle", "state"), [(0.0, SHOWN), (0.19, UNDECIDED), (0.5, CONTRADICTED), (-0.5, CONTRADICTED)]
)
def test_equivalence_needs_the_whole_interval_inside(middle, state):
    spread = np.linspace(-0.1, 0.1, 25)
    assert Comparison("a/b", middle + spread, low=-0.2, high=0.2).state(0.99) == state


def test_few_seeds_have_no_interval():
    assert below([-1.0] * 4).interval(0.95) == (-np.inf, np.inf)
    assert below([-1.0] * 4).state(0.95) == UNDECIDED


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
    assert conclude(dict(enumerate(by_reading))) == verdict


@pytest.mark.parametrize(
    ("comparisons", "state"),
    [
        ([[-1] * 20, [-1] * 20], SHOWN),
        ([[-1] * 20, [1] * 20], CONTRADICTED),
        ([[-1] * 20, [-1, 1] * 10], UNDECIDED),
        ([[1] * 20, [-1, 1] * 10], CONTRADICTED),
    ],
)
def test_a_case_needs_all_its_comparisons(comparisons, state):
    assert Case("", "", "", tuple(map(below, comparisons))).state(0.99) == state


def test_the_level_counts_every_comparison():
    case = Case("", "", "", (below([1.0]), below([1.0])))
    claims = [Claim("f", "c", (case, case), 1), Claim("f", "d", (case,), 1)]
    assert level_of(claims) == pytest.approx(1 - 0.05 / 6)


def test_a_table_of_chances_has_an_error_in_less_than_one_of_twenty():
    """40 comparisons without any difference: how often one of them is not undecided."""
    rng = np.random.default_rng(0)
    wrong = 0
    for _ in range(200):
        case = Case("", "", "", tuple(map(below, rng.standard_normal((40, 50)))))
        level = level_of([Claim("f", "c", (case,), 50)])
        wrong += any(comparison.state(level) != UNDECIDED for comparison in case.comparisons)
    assert wrong <= 10


def test_found_names_the_fewer_places_and_detail_the_least_favourable():
    good, bad = [-1.0] * 20, [0.301] * 20
    cases = [Case("one", "in epochs", place, (below(bad if place == "c" else good),)) for place in "abc"]
    cases.append(Case("two", "in epochs", "a", (below(good),)))
    found = judge(Claim("f", "c", tuple(cases), 20), 0.99)
    assert found.verdict == IN_PART
    assert found.found == (
        "one: holds in part (in epochs contradicted at (c), shown elsewhere); two: holds (in epochs shown)"
    )
    assert found.detail == (
        "Least favourable, with its interval: one: in epochs a/b 2.00 [2.00, 2.00] at (c); "
        "two: in epochs a/b 0.10 [0.10, 0.10] at (a)."
    )
