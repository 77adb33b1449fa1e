"""The real download becomes the cohort that the design describes."""

import numpy as np
import pytest

from study.data.gene_names import read_annotation
from study.data.naming import align_rounded, match_profiles, name_columns, unique_pairs, values_of
from study.data.networks import coexpression
from study.data.studyfile import Cohort
from study.data.survset import read_survset


@pytest.fixture(scope="module")
def tables(wheels):
    return {name: read_survset(wheels["survset"], name) for name in ("DBCD", "vdv", "nki70")}


def test_cohort_has_the_published_patients(nki, tables):
    assert values_of(tables["DBCD"])[0].shape == (295, 4919)
    assert nki.X.shape == (295, 2740)
    assert nki.y.sum() == 79
    assert nki.has_times
    assert nki.counts.tolist() == [4919, 4285, 2740]


def test_coexpression_neighbours_are_the_most_correlated(nki):
    few = Cohort(**vars(nki) | {"X": nki.X[:, :50]})
    edges, r = coexpression(few, {})
    expected = np.abs(np.corrcoef(nki.X[:, :50].T))
    np.fill_diagonal(expected, -1)
    for gene in range(50):
        neighbours = edges[edges[:, 0] == gene, 1]
        assert set(neighbours) == set(np.argsort(expected[gene])[-3:])
    np.testing.assert_allclose(r, expected[edges[:, 0], edges[:, 1]], rtol=1e-10)


def test_named_columns_repeat_the_values_of_the_named_table(tables):
    """A named column agrees with its vdv profile in the shared patients, and with no other patient's."""
    names = name_columns(tables["DBCD"], tables["vdv"], tables["nki70"])
    whole, _ = values_of(tables["DBCD"])
    named, genes = values_of(tables["nki70"])
    rows, columns = align_rounded(named, whole)
    assert len(set(rows)) == len(named) == 144
    assert len(set(columns)) == len(genes) == 70
    np.testing.assert_allclose(whole[np.ix_(rows, columns)], named, atol=1e-7)
    by_gene = dict(zip(genes, columns, strict=True))
    for gene in set(by_gene) & set(names):
        assert names[by_gene[gene]] == gene
    assert names.is_unique
    assert len(names) == 4285


def test_naming_recovers_a_hidden_permutation(tables):
    """Shuffled columns get the same names: naming looks at values, not at positions."""
    dbcd = tables["DBCD"]
    names = name_columns(dbcd, tables["vdv"], tables["nki70"])
    columns = [name for name in dbcd.columns if name.startswith("num_")]
    order = np.random.default_rng(0).permutation(len(columns))
    shuffled = dbcd[["pid", "event", "time", *(columns[i] for i in order)]]
    again = name_columns(shuffled, tables["vdv"], tables["nki70"])
    assert {order[column]: name for column, name in again.items()} == names.to_dict()


def test_ambiguous_profiles_get_no_name():
    whole = np.array([[0.1, 0.1, 0.3], [0.2, 0.2, 0.4]])
    assert [list(pair) for pair in match_profiles(whole[:, [0, 2]], whole)] == [[1], [2]]
    assert [list(pair) for pair in unique_pairs(np.array([[1, 1], [0, 1]], bool))] == [[], []]


def test_probes_of_a_gene_are_averaged(nki, tables, repository):
    annotation = read_annotation(repository / "data/probe_annotation.tsv")
    names = name_columns(tables["DBCD"], tables["vdv"], tables["nki70"])
    gene = annotation["entrez"].value_counts().index[0]
    probes = set(annotation.loc[annotation["entrez"] == gene, "probe"])
    columns = [column for column, probe in names.items() if probe in probes]
    assert len(columns) > 1
    expected = values_of(tables["DBCD"])[0][:, columns].mean(axis=1)
    np.testing.assert_allclose(nki.X[:, list(nki.entrez).index(gene)], expected, rtol=1e-13)
