"""The published data set: read as it is meant, and every mistake named."""

from dataclasses import replace

import networkx as nx
import numpy as np
import pandas as pd
import pytest

from published_data import CONNECTED, write_published
from study.data.networks import join
from study.data.published import (
    bioplex_symbols,
    read_cohort,
    read_entrez,
    read_network,
    read_published_network,
    symbols,
)

NAMES = [pd.DataFrame({"entrez": [672, 675], "symbol": ["BRCA1", "BRCA2"]})]


@pytest.fixture
def data(tmp_path):
    return write_published(tmp_path) | {"folder": tmp_path / "data"}


def read_all(folder):
    entrez = read_entrez(folder / "entrez.mat")
    cohort = read_cohort(folder / "vant.mat", entrez, symbols(entrez, NAMES))
    return cohort, read_network(folder / "edge.txt", folder / "pathways.txt", entrez)


def test_patients_are_read_as_stored(data):
    cohort, _ = read_all(data["folder"])
    np.testing.assert_array_equal(cohort.X, data["X"])
    np.testing.assert_array_equal(cohort.y, data["y"])
    np.testing.assert_array_equal(cohort.entrez, data["entrez"])
    assert not cohort.has_times
    assert cohort.symbol[[0, 3]].tolist() == ["BRCA1", "BRCA2"]
    assert cohort.symbol[1] == f"entrez:{data['entrez'][1]}"


def test_bioplex_names_each_gene_once(wheels):
    table = bioplex_symbols(wheels["cptac"])
    assert table["entrez"].is_unique
    assert table["symbol"].is_unique
    found = symbols(np.array([7157, 207, 672, 999_999_999]), [*NAMES, table])
    assert found.tolist() == ["TP53", "AKT1", "BRCA1", "entrez:999999999"]


def by_networkx(edges, pathways, entrez):
    """The published preparation, gene by gene: pathway genes, no loops, largest component."""
    members = set(pathways[:, 1].tolist())
    graph = nx.Graph()
    for a, b in edges - 1:
        if a != b and entrez[a] in members and entrez[b] in members:
            graph.add_edge(int(a), int(b))
    return graph.subgraph(max(nx.connected_components(graph), key=len))


def test_network_is_that_of_networkx(data):
    cohort, edges = read_all(data["folder"])
    study = join(cohort, edges, np.ones(len(edges)), 0.5, "edge.txt")
    graph = by_networkx(data["edges"], data["pathways"], data["entrez"])
    assert study.entrez.tolist() == [data["entrez"][node] for node in sorted(graph)]
    order = {node: i for i, node in enumerate(sorted(graph))}
    assert set(map(tuple, study.edges.tolist())) == {tuple(sorted((order[a], order[b]))) for a, b in graph.edges}
    assert len(study.edges) == CONNECTED == graph.number_of_edges()


def test_other_cohorts_get_the_edges_between_their_genes_by_entrez_id(data):
    """A cohort with some of the genes, in another order, a gene that the files lack and one without an id."""
    folder, cohort = data["folder"], read_all(data["folder"])[0]
    genes = np.random.default_rng(0).permutation(len(cohort.entrez))[:20]
    other = replace(cohort, X=cohort.X[:, [*genes, 0, 0]], entrez=np.array([*cohort.entrez[genes], 0, 999_999]))
    files = {"edges": folder / "edge.txt", "pathways": folder / "pathways.txt", "entrez": folder / "entrez.mat"}
    edges, confidence = read_published_network(other, {}, **files)
    assert set(confidence) == {1.0}
    found = {frozenset(pair) for pair in other.entrez[edges].tolist()}
    graph = by_networkx(data["edges"], data["pathways"], data["entrez"])
    ids = [(data["entrez"][a], data["entrez"][b]) for a, b in graph.edges]
    assert found == {frozenset(pair) for pair in ids if set(pair) <= set(other.entrez.tolist())}
    assert 0 < len(found) == len(edges) < graph.number_of_edges()
