"""Enrichment: by counting, by drawing sets, and under the null."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import hypergeom
from sklearn.metrics import average_precision_score
from statsmodels.stats.multitest import multipletests

from study.stats import enrichment
from study.stats.enrichment import LEAST_GENES, chance_precision, degree_bins, known_row, pathways_table


def mask(n, *genes):
    chosen = np.zeros(n, bool)
    chosen[list(genes)] = True
    return chosen


def overlap_p(selected, members):
    return enrichment.overlap_p(selected, members[None])[0]


def matched_p(selected, members, bins):
    return enrichment.matched_p(selected, members[None], bins)[0]


def test_p_by_counting():
    assert overlap_p(mask(4, 0, 1), mask(4, 1, 2)) == pytest.approx(5 / 6)
    assert overlap_p(mask(4, 0, 1), mask(4, 2, 3)) == 1
    assert overlap_p(mask(4), mask(4, 2, 3)) == 1
    # A whole bin selected leaves nothing to chance.
    selected, members = mask(6, 0, 1, 2), mask(6, 0, 1, 3)
    assert matched_p(selected, members, np.array([0, 0, 0, 1, 1, 1])) == pytest.approx(1)
    assert overlap_p(selected, members) == pytest.approx(10 / 20)


def test_bins_hold_similar_degrees_and_enough_genes():
    rng = np.random.default_rng(4)
    degree = np.minimum(rng.zipf(1.6, 1000), 400)
    bins = degree_bins(degree, 30)
    assert (np.bincount(bins) >= 30).all()
    by_degree = pd.Series(bins).groupby(degree)
    assert (by_degree.nunique() == 1).all()
    order = by_degree.first().sort_index()
    assert order.is_monotonic_decreasing
    # The hubs' bin is as small as it can be: without its least degree it would hold fewer than 30.
    hubs = degree[bins == 0]
    assert (hubs > hubs.min()).sum() < 30
    assert degree_bins(np.ones(5, int), 30).tolist() == [0] * 5


@pytest.mark.parametrize("seed", range(3))
def test_matched_p_is_what_drawing_matched_sets_tends_to(seed):
    rng = np.random.default_rng(seed)
    n_genes, n_sets = 90, 4000
    bins = np.sort(rng.integers(0, 4, n_genes))
    selected = rng.random(n_genes) < (0.1 + 0.2 * bins)
    members = rng.random(n_genes) < (0.05 + 0.15 * bins)
    overlap = (selected & members).sum()
    found = np.zeros(n_sets, int)
    for number in range(bins.max() + 1):
        genes = np.flatnonzero(bins == number)
        drawn = rng.permuted(np.tile(members[genes], (n_sets, 1)), axis=1)
        found += drawn[:, : selected[genes].sum()].sum(axis=1)
    estimate = ((found >= overlap).sum() + 1) / (n_sets + 1)
    exact = matched_p(selected, members, bins)
    assert abs(estimate - exact) <= 4 * np.sqrt(max(exact * (1 - exact), 1 / n_sets) / n_sets) + 1 / n_sets


def test_several_sets_are_tested_as_each_alone():
    rng = np.random.default_rng(6)
    bins = rng.integers(0, 5, 200)
    selected, members = rng.random(200) < 0.2, rng.random((40, 200)) < rng.random((40, 1)) * 0.3
    members[3] = False
    for test in (enrichment.overlap_p, lambda *sets: enrichment.matched_p(*sets, bins)):
        together = test(selected, members)
        np.testing.assert_array_equal(together, [test(selected, row[None])[0] for row in members])
        assert together[3] == 1
    assert len(enrichment.matched_p(selected, members[:0], bins)) == 0


@pytest.mark.parametrize("draws", [500, pytest.param(1500, marks=pytest.mark.long)])
def test_chance_precision_is_the_mean_over_random_known_genes(draws):
    rng = np.random.default_rng(3)
    frequency = np.r_[rng.integers(0, 20, 40) / 20, np.zeros(60)]
    known = np.arange(100) < 8
    drawn = [average_precision_score(rng.permutation(known), frequency) for _ in range(draws)]
    error = np.std(drawn) / np.sqrt(len(drawn))
    assert abs(np.mean(drawn) - chance_precision(frequency, 8)) <= 4 * error
    # Every gene alike: the share of known genes.
    assert chance_precision(np.ones(100), 8) == pytest.approx(0.08)


def test_known_row_by_hand():
    frequency = np.array([1.0, 0.6, 0.3, 0, 0, 0])
    known = mask(6, 0, 2, 5)
    row = known_row(frequency, frequency >= 0.5, known, np.zeros(6, int))
    assert (row["known_in_network"], row["union_found"], row["overlap"], row["genes_tested"]) == (3, 2, 1, 2)
    # Precision at the steps with a known gene: 1/1, 2/3, and 3/6 where the three genes never selected tie.
    assert row["average_precision"] == pytest.approx((1 + 2 / 3 + 3 / 6) / 3)
    assert row["p"] == pytest.approx(hypergeom.sf(0, 6, 3, 2))


def test_pathways_table_counts_every_tested_pathway_but_lists_those_hit():
    rng = np.random.default_rng(2)
    members = rng.random((30, 80)) < 0.2
    members[7] = mask(80, *range(LEAST_GENES - 1))  # too small to be tested
    members[8] = mask(80, *range(40, 50))  # not hit
    selected = mask(80, *range(12))
    names = {"pathway": [f"WP{i}" for i in range(30)], "name": [f"name {i}" for i in range(30)]}
    pathways = pd.DataFrame({"collection": "wikipathways", **names})
    symbols = np.array([f"G{i}" for i in range(80)])
    bins = np.repeat([0, 1], 40)
    table = pathways_table(selected, pathways, members, symbols, bins)
    assert not {"WP7", "WP8"} & set(table["pathway"])
    assert (table["pathways_tested"] == 29).all()
    tested = [i for i in range(30) if i != 7]
    p = np.array([hypergeom.sf((members[i] & selected).sum() - 1, 80, members[i].sum(), 12) for i in tested])
    q = dict(zip(tested, multipletests(p, method="fdr_bh")[1], strict=True))
    for row in table.itertuples():
        i = int(row.pathway[2:])
        assert row.q == pytest.approx(q[i], rel=1e-9)
        assert row.genes.split(";") == symbols[members[i] & selected].tolist()
        assert row.overlap == len(row.genes.split(";"))
        # All selected genes are in the first bin.
        assert row.expected == pytest.approx(12 * members[i][:40].sum() / 40)
    assert table["p"].is_monotonic_increasing
    assert pathways_table(selected, pathways, members & mask(80, 0, 1), symbols, bins).empty  # none is large enough
