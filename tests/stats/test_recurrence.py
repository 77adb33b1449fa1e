"""Genes that several runs choose: against all possible draws, on planted and on random sets."""

from itertools import chain, combinations, product

import numpy as np
import pytest
from scipy.stats import hypergeom, kstest

from study.stats.recurrence import at_least, chance_of_runs, chances, overlap_row, recurrent_counts

MEASURED = np.array([[1, 1, 1, 1, 1, 0], [0, 1, 1, 1, 1, 1], [1, 1, 1, 0, 0, 0]], bool)
CHOSEN = np.array([[0, 1, 1, 0, 0, 0], [0, 1, 1, 0, 0, 1], [1, 0, 1, 0, 0, 0]], bool)


def every_draw(measured, chosen):
    """All sets a run could have drawn: as many genes as it chose from those that as many runs have."""
    times = measured.sum(axis=0)
    options = []
    for own, picked in zip(measured, chosen, strict=True):
        pools = [np.flatnonzero(own & (times == n)) for n in np.unique(times)]
        parts = [list(combinations(pool, int(picked[pool].sum()))) for pool in pools]
        options.append([np.isin(np.arange(len(own)), [*chain(*draw)]) for draw in product(*parts)])
    return np.array([np.array(draws) for draws in product(*options)])


def test_pair_is_that_of_all_draws():
    weights = np.array([[0, 0.5, -1, 0, 0, 0], [0, 2.0, 1, 0, 0, 1]])
    row = overlap_row(MEASURED[:2], CHOSEN[:2], weights)
    draws = every_draw(MEASURED[:2], CHOSEN[:2])
    overlaps = draws.all(axis=1).sum(axis=1)
    shared = MEASURED[:2].all(axis=0)
    union = (draws.any(axis=1) & shared).sum(axis=1)
    assert (row["shared_genes"], row["frequent_a"], row["frequent_b"], row["overlap"]) == (4, 2, 2, 2)
    assert row["expected"] == pytest.approx(overlaps.mean())
    assert row["p"] == pytest.approx((overlaps >= 2).mean())
    assert row["jaccard_expected"] == pytest.approx((overlaps / union).mean())
    assert row["jaccard"] == 1
    assert (row["same_sign"], row["p_sign"]) == (1, 0.75)


def test_runs_without_a_shared_gene_agree_in_nothing():
    row = overlap_row(np.eye(2, dtype=bool), np.eye(2, dtype=bool), np.ones((2, 2)))
    assert (row["shared_genes"], row["overlap"], row["expected"], row["p"]) == (0, 0, 0, 1)
    assert np.isnan(row["jaccard"])


def test_expected_recurrence_and_its_p_are_those_of_all_draws():
    draws = every_draw(MEASURED, CHOSEN)
    by_draw = np.array([at_least(draw) for draw in draws])
    counts = recurrent_counts(MEASURED, CHOSEN, 4000, np.random.default_rng(1))
    for runs, observed, expected, p in counts:
        assert observed == (CHOSEN.sum(axis=0) >= runs).sum()
        assert expected == pytest.approx(by_draw[:, runs - 1].mean())
        assert p == pytest.approx((by_draw[:, runs - 1] >= observed).mean(), abs=0.03)
    chance = chances(MEASURED, CHOSEN)
    for number in (1, 2, 3):
        np.testing.assert_allclose(
            chance_of_runs(chance, number), (draws.sum(axis=1) >= number).mean(axis=0), atol=1e-12
        )


def random_sets(rng, n_runs=3, n_genes=300, size=40):
    measured = rng.random((n_runs, n_genes)) < 0.8
    chosen = np.zeros_like(measured)
    for row, own in zip(chosen, measured, strict=True):
        row[rng.choice(np.flatnonzero(own), size, replace=False)] = True
    return measured, chosen


@pytest.mark.parametrize("repetitions", [100, pytest.param(300, marks=pytest.mark.long)])
def test_random_sets_have_uniform_p(repetitions):
    """As uniform as numbers of genes can be: the p is spread at random over what its number of genes covers."""
    rng = np.random.default_rng(2)
    pairs, triples = [], []
    for _ in range(repetitions):
        measured, chosen = random_sets(rng)
        pair = overlap_row(measured[:2], chosen[:2], np.ones(measured[:2].shape))
        size, a, b = (pair[key] for key in ("shared_genes", "frequent_a", "frequent_b"))
        pairs.append(pair["p"] - rng.random() * hypergeom.pmf(pair["overlap"], size, a, b))
        triples.append(recurrent_counts(measured, chosen, 60, rng)[0][3])
    assert kstest(pairs, "uniform").pvalue > 0.01
    # That of draws is never too small, and not often near 1 alone.
    for level in (0.05, 0.2, 0.5):
        assert np.mean(np.array(triples) <= level) <= level + 3 * np.sqrt(level * (1 - level) / repetitions)
    assert np.mean(triples) < 0.65


def test_planted_overlap_is_found():
    measured, chosen = random_sets(np.random.default_rng(3))
    planted = np.flatnonzero(measured.all(axis=0))[:15]
    chosen[:, planted] = True
    weights = np.where(chosen, 1.0, np.nan)
    row = overlap_row(measured[:2], chosen[:2], weights[:2])
    assert row["overlap"] >= 15
    assert row["p"] < 1e-3
    assert row["p_sign"] < 1e-3
    three = recurrent_counts(measured, chosen, 1000, np.random.default_rng(4))[1]
    assert three[1] >= 15 > 3 * three[2]
    assert three[3] == 1 / 1001
