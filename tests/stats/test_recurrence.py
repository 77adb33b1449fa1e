"""Genes that several runs choose: against all possible draws, on planted and on random sets."""

from itertools import chain, combinations, product

import numpy as np
import pytest

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
