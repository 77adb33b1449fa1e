"""Networks that come by symbol, and networks together."""

import gzip
import lzma
from collections import Counter, defaultdict
from dataclasses import replace
from itertools import combinations

import numpy as np
import pandas as pd
import pytest

from study.data.gene_names import read_gene_names
from study.data.networks import IMEX_MEMBER, PATHWAYCOMMONS_MEMBER, UNIPROT_MEMBER, distinct, in_any, join
from study.data.readers import NETWORK_READERS
from study.data.registry import NETWORKS

PARTS = ("scnet", "bioplex", "pathwaycommons", "imex")


def read(name, cohort, wheels):
    files = {key: wheels[place.removeprefix("wheel:")] for key, place in NETWORKS[name].files.items()}
    return NETWORK_READERS[name](cohort, {}, **files)


def by_pair(edges, confidence, entrez):
    """The network as {(lower Entrez id, higher): confidence}; every pair must be there once."""
    pairs = [tuple(sorted(pair)) for pair in entrez[edges].tolist()]
    assert len(set(pairs)) == len(pairs)
    return dict(zip(pairs, confidence.tolist(), strict=True))


@pytest.fixture(scope="module")
def lists(nki, wheels):
    """Edges and confidences of every network as its reader returns them."""
    return {name: read(name, nki, wheels) for name in (*PARTS, "union")}


@pytest.fixture(scope="module")
def networks(nki, lists):
    return {name: by_pair(*distinct(*edges), nki.entrez) for name, edges in lists.items()}


@pytest.fixture(scope="module")
def names(wheels):
    return read_gene_names(wheels["geneutil"]).set_index("name")["entrez"].to_dict()


@pytest.mark.parametrize(
    ("name", "n_pairs", "n_genes", "n_edges"),
    [
        ("scnet", 23678, 1894, 5503),
        ("bioplex", 3810, 1593, 3760),
        ("pathwaycommons", 20077, 2408, 20073),
        ("imex", 6203, 1964, 6196),
        ("union", 36097, 2596, 26175),
    ],
)
def test_pairs_and_largest_component(name, n_pairs, n_genes, n_edges, nki, lists, networks):
    assert len(networks[name]) == n_pairs
    study = join(nki, *lists[name], 0.5, name)
    assert (study.X.shape[1], len(study.edges)) == (n_genes, n_edges)


@pytest.mark.parametrize(("min_confidence", "n_genes", "n_edges"), [(0.3, 2168, 10046), (0.0, 2525, 23677)])
def test_lower_confidences_join_more_genes(min_confidence, n_genes, n_edges, nki, lists):
    study = join(nki, *lists["scnet"], min_confidence, "scnet")
    assert (study.X.shape[1], len(study.edges)) == (n_genes, n_edges)


def test_pathwaycommons_has_the_two_relations_of_its_file(nki, wheels, networks, names):
    """Line by line: confidence by the number of relations, and what the cohort's own symbols would find."""
    measured, own = set(nki.entrez.tolist()), dict(zip(nki.symbol.tolist(), nki.entrez.tolist(), strict=True))
    relations, by_own_symbol = defaultdict(set), set()
    with wheels["pathwaycommons"].open(PATHWAYCOMMONS_MEMBER) as stream, gzip.open(stream, "rt") as lines:
        for line in lines:
            a, relation, b = line.rstrip("\n").split("\t")
            if relation in ("interacts-with", "in-complex-with"):
                relations[tuple(sorted({names.get(a), names.get(b)} & measured))].add(relation)
                by_own_symbol.add(tuple(sorted({own.get(a), own.get(b)} & measured)))
    relations = {pair: of for pair, of in relations.items() if len(pair) == 2}
    by_own_symbol = {pair for pair in by_own_symbol if len(pair) == 2}
    assert networks["pathwaycommons"] == {pair: 1 - 0.5 ** len(of) for pair, of in relations.items()}
    # The cohort's own symbols find fewer, because the file's are older, and 73 pairs with a gene the table lacks.
    assert len(by_own_symbol) == 18243
    lost = by_own_symbol - set(relations)
    known = {gene for symbol, gene in own.items() if names.get(symbol) == gene}
    assert not any(known.issuperset(pair) for pair in lost)
    assert len(lost) == 73


def test_imex_counts_the_reports_of_a_pair(nki, wheels, networks, names):
    measured = set(nki.entrez.tolist())
    with wheels["imex"].open(UNIPROT_MEMBER) as stream:
        proteins = pd.read_csv(stream, sep="\t", dtype=str, keep_default_na=False)
    gene = {
        f"uniprotkb:{entry}": names.get(listed.split(" ")[0])
        for entry, listed in zip(proteins["Entry"], proteins["Gene names"], strict=True)
    }
    reports, without_isoforms = Counter(), set()
    with wheels["imex"].open(IMEX_MEMBER) as stream, lzma.open(stream, "rt") as lines:
        next(lines)
        for line in lines:
            ends = line.split(",")[:2]
            pair = tuple(sorted({gene.get(end.split("-")[0]) for end in ends} & measured))
            if len(pair) == 2:
                reports[pair] += 1
                without_isoforms |= set() if any("-" in end for end in ends) else {pair}
    assert networks["imex"] == {pair: 1 - 2.0**-k for pair, k in reports.items()}
    # Versions of the file differ: 5,954 pairs were counted in an earlier one.
    assert len(without_isoforms) == 5653


def test_union_has_the_pairs_of_its_parts_and_the_confidence_that_any_is_right(networks):
    union = networks["union"]
    assert set(union) == set().union(*(networks[part] for part in PARTS))
    several = 0
    for pair, confidence in union.items():
        found = [networks[part][pair] for part in PARTS if pair in networks[part]]
        assert confidence == pytest.approx(1 - np.prod([1 - c for c in found]), rel=1e-12)
        if len(found) == 1:
            assert confidence == found[0]
        several += len(found) > 1
    assert several > 5000
    # The parts are not independent: nearly all of one is in another.
    assert len(networks["imex"].keys() & networks["scnet"].keys()) == 6161


def test_edges_together_by_hand():
    first = np.array([[2, 0], [1, 2], [3, 3]]), np.array([0.5, 0.1, 0.9])
    second = np.array([[0, 2], [2, 0], [0, 1]]), np.array([0.5, 0.8, 1.0])
    edges, confidence = in_any([first, second])
    assert edges.tolist() == [[0, 1], [0, 2], [1, 2]]
    assert confidence.tolist() == pytest.approx([1, 1 - 0.5 * 0.5 * 0.2, 0.1])
    edges, confidence = distinct(*second)
    assert (edges.tolist(), confidence.tolist()) == ([[0, 1], [0, 2]], [1.0, 0.8])
    nothing = np.zeros((0, 2), np.int64), np.zeros(0)
    for edges, confidence in (in_any([nothing]), distinct(*nothing)):
        assert (edges.shape, confidence.shape) == ((0, 2), (0,))


def test_neither_the_order_of_rows_nor_of_ends_matters(lists):
    rng = np.random.default_rng(0)
    parts = [lists[name] for name in PARTS]
    shuffled = []
    for edges, confidence in parts:
        order = rng.permutation(len(edges))
        shuffled.append((rng.permuted(edges[order], axis=1), confidence[order]))
    for a, b in combinations(range(len(parts)), 2):
        before, after = in_any([parts[a], parts[b]]), in_any([shuffled[b], shuffled[a]])
        np.testing.assert_array_equal(before[0], after[0])
        np.testing.assert_array_equal(before[1], after[1])


def test_genes_go_by_entrez_id_alone(nki, wheels, networks):
    """Whatever a cohort calls its genes, and in whatever order; a gene without an id has no edge."""
    order = np.random.default_rng(1).permutation(len(nki.entrez))
    entrez, symbol = nki.entrez[order].copy(), np.array([f"S{i}" for i in order])
    lost = entrez[0]
    entrez[0] = 0
    other = replace(nki, X=nki.X[:, order], entrez=entrez, symbol=symbol)
    expected = {pair: c for pair, c in networks["union"].items() if lost not in pair}
    assert 0 < len(expected) < len(networks["union"])
    assert by_pair(*read("union", other, wheels), entrez) == expected
