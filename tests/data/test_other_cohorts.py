"""Other cohorts, clinical columns and the 70 genes: read as they are, matched by names of their time."""

from collections import Counter

import numpy as np
import pandas as pd
import pytest

from study.data.clinical import covariates
from study.data.gene_names import (
    human_aliases,
    human_genes,
    match_columns,
    plain,
    read_aliases,
    read_annotation,
    read_names,
)
from study.data.networks import UNIPROT_MEMBER, join, read_scnet
from study.data.nki import read_seventy
from study.data.readers import CLINICAL_READERS
from study.data.registry import COHORTS, Clinical
from study.data.survset import GENE_PREFIX, read_survset

# Patients, events, genes measured, genes with an Entrez id, and how many of those the NKI cohort has too.
FACTS = {
    "nki": (295, 79, 4919, 2740, 2740),
    "tcga": (767, 101, 8966, 8966, 1681),
    "gse1992": (124, 35, 15528, 15321, 2564),
    "gse3143": (158, 50, 8659, 8524, 2016),
    "gse4335": (115, 38, 12793, 12545, 2341),
}
BY_SYMBOL = ["gse1992", "gse3143", "gse4335"]
# Of the 1,894 genes of the study's network: how many a cohort has no column for.
MISSING = {"gse1992": 92, "gse3143": 418, "gse4335": 235}


@pytest.fixture(scope="module")
def aliases(repository):
    return read_aliases(repository / "data/symbol_aliases.csv")


@pytest.fixture(scope="module")
def clinical(inputs):
    return lambda name: CLINICAL_READERS[name](COHORTS[name], **inputs(name))


@pytest.mark.parametrize("name", FACTS)
def test_cohort_has_its_patients_events_and_genes(name, read, nki):
    cohort = read(name)
    measured, _, mapped = cohort.counts
    shared = np.isin(nki.entrez, cohort.entrez).sum()
    assert (len(cohort.y), cohort.y.sum(), measured, mapped, shared) == FACTS[name]
    assert cohort.X.shape[1] == mapped
    assert (np.diff(cohort.entrez) > 0).all()
    assert COHORTS[name].event_means


@pytest.mark.parametrize("name", FACTS)
def test_follow_up_is_in_years(name, read):
    """Months or days taken for years would be off by twelve or more."""
    assert COHORTS[name].unit == "years"
    assert 1.5 < np.median(read(name).time) < 8


@pytest.mark.parametrize("name", FACTS)
def test_a_gene_has_one_symbol_in_all_cohorts(name, read, nki):
    ours = dict(zip(nki.entrez, nki.symbol, strict=True))
    cohort = read(name)
    assert all(ours.get(gene, symbol) == symbol for gene, symbol in zip(cohort.entrez, cohort.symbol, strict=True))


@pytest.mark.parametrize("name", FACTS)
def test_clinical_table_has_the_columns_of_the_row(name, read, clinical):
    table = clinical(name)
    row = COHORTS[name]
    columns = (*row.clinical, row.other_event) if row.other_event else row.clinical
    assert list(table) == ["patient", *(column.name for column in columns)]
    assert table["patient"].is_unique
    assert table["patient"].isin(read(name).patients).all()
    assert (table.drop(columns="patient").notna().mean() > 0.95).all()


@pytest.mark.parametrize("name", BY_SYMBOL)
def test_genes_of_nki_are_those_that_its_own_names_find(name, read, nki, wheels, aliases):
    """With the names of all human genes in the game, no column leaves an NKI gene and none comes to one."""
    frame, cohort = read_survset(wheels["survset"], name), read(name)
    columns = [column for column in frame.columns if column.startswith(GENE_PREFIX)]
    names = [column.removeprefix(GENE_PREFIX) for column in columns]
    values, found = frame[columns].to_numpy(float), match_columns(names, nki.entrez, nki.symbol, aliases)
    assert set(found) == set(nki.entrez) & set(cohort.entrez)
    place = {gene: position for position, gene in enumerate(cohort.entrez)}
    expected = np.column_stack([values[:, hits].mean(axis=1) for _, hits in found.values()])
    np.testing.assert_array_equal(cohort.X[:, [place[gene] for gene in found]], expected)
    assert cohort.patients.tolist() == frame["pid"].tolist()


@pytest.fixture(scope="module")
def other_names(wheels, nki):
    """All names of each NKI gene, by Entrez id, in two tables that the alias table was not made from."""
    named = {gene: {plain(symbol)} for gene, symbol in zip(nki.entrez.tolist(), nki.symbol, strict=True)}
    table = read_names(wheels["geneutil"]).dropna(subset="entrez")
    for gene, *names in zip(table["entrez"].astype(int), table["symbol"], table["alias"], strict=True):
        named.get(gene, set()).update(map(plain, names))
    by_symbol = {plain(symbol): gene for gene, symbol in zip(nki.entrez.tolist(), nki.symbol, strict=True)}
    with wheels["imex"].open(UNIPROT_MEMBER) as stream:
        proteins = pd.read_csv(stream, sep="\t", usecols=["Gene names"]).dropna()["Gene names"]
    for names in proteins:
        # The first is the symbol, those after it older ones; of several genes of one protein none.
        first, *older = (plain(name) for name in names.split())
        if ";" not in names and first in by_symbol:
            named[by_symbol[first]].update(older)
    return named


@pytest.mark.parametrize("name", BY_SYMBOL)
def test_genes_that_are_missing_were_not_measured(name, read, nki, wheels, aliases, repository, other_names):
    """No column that is left over carries any name of a missing gene: there is nothing left to match."""
    network = join(nki, *read_scnet(nki, {}, wheels["scnet"]), 0.5, "scnet")
    cohort = read(name)
    assert (~np.isin(network.entrez, cohort.entrez)).sum() == MISSING[name]
    missing = set(nki.entrez.tolist()) - set(cohort.entrez.tolist())
    assert len(missing) == len(nki.entrez) - FACTS[name][4]
    frame = read_survset(wheels["survset"], name)
    columns = [column.removeprefix(GENE_PREFIX) for column in frame if column.startswith(GENE_PREFIX)]
    annotation, table = read_annotation(repository / "data/probe_annotation.tsv"), read_names(wheels["geneutil"])
    genes, names = human_genes(table, annotation), human_aliases(table, annotation, aliases)
    found = match_columns(columns, genes["entrez"].to_numpy(), genes["symbol"].to_numpy(), names)
    taken = {hit for _, hits in found.values() for hit in hits}
    left_over = {plain(column) for place, column in enumerate(columns) if place not in taken}
    assert len(left_over) == len(columns) - len(taken) > 100
    # A name that two genes have says nothing.
    owners = Counter(alias for own in other_names.values() for alias in own)
    left = {(gene, alias) for gene in missing for alias in other_names[gene] & left_over if owners[alias] == 1}
    # SERF1B is a second copy of SERF1A, with an id of its own.
    assert left == ({(8293, "SERF1B")} if name == "gse1992" else set())


def test_old_names_that_were_used_are_known_elsewhere(read, nki, wheels, aliases, other_names):
    """Of the columns that found their NKI gene by an older name, all but two have it in one of the other tables."""
    used = set()
    for name in BY_SYMBOL:
        frame = read_survset(wheels["survset"], name)
        columns = [column.removeprefix(GENE_PREFIX) for column in frame if column.startswith(GENE_PREFIX)]
        found = match_columns(columns, nki.entrez, nki.symbol, aliases)
        used |= {
            (gene, plain(columns[hit])) for gene, (step, hits) in found.items() if step != "symbol" for hit in hits
        }
    unknown = {alias for gene, alias in used if alias not in other_names[gene]}
    assert len(used) == 276
    assert unknown == {"C2ORF27", "TP53AP1"}


def test_aliases_belong_to_one_gene_and_are_nobodys_current_symbol(aliases, nki):
    current = {name.upper(): gene for name, gene in zip(nki.symbol, nki.entrez, strict=True)}
    owners = aliases.assign(alias=aliases["alias"].str.upper()).groupby("alias")["entrez"].nunique()
    assert owners.max() == 1
    for gene, alias in zip(aliases["entrez"], aliases["alias"], strict=True):
        assert current.get(alias.upper(), gene) == gene


def test_columns_are_matched_by_symbol_then_former_then_alias():
    aliases = pd.DataFrame(
        [
            (1, "A", "OLDA", "former"),
            (2, "B", "BB", "alias"),
            (3, "C", "B", "alias"),
            (1, "A", "AA", "alias"),
        ],
        columns=["entrez", "symbol", "alias", "kind"],
    )
    found = match_columns(
        ["AA", "OLDA", "bb", "B", "HLA_X"],
        np.array([1, 2, 3, 4]),
        np.array(["A", "B", "C", "HLA-X"]),
        aliases,
    )
    assert found == {1: ("former", [1]), 2: ("symbol", [3]), 4: ("symbol", [4])}


NAMES = pd.DataFrame(
    [
        ("A", 1, "AA"),
        ("NEWB", 2, "BB"),
        ("C", 30, "CC"),
        ("C", 3, "CC"),
        ("D", 4, "SHARED"),
        ("E", 5, "SHARED"),
        ("E", 5, "C"),
        ("E", 5, "OLDA"),
        ("E", 5, "EE"),
        ("F", pd.NA, "FF"),
        ("G", 7, "FF"),
        ("G", 7, ""),
    ],
    columns=["symbol", "entrez", "alias"],
).astype({"entrez": "Int64"})
ANNOTATION = pd.DataFrame({"probe": ["p", "q"], "entrez": [1, 2], "symbol": ["A", "B"]})
ALIASES = pd.DataFrame([(1, "A", "OLDA", "former")], columns=["entrez", "symbol", "alias", "kind"])


def test_a_gene_keeps_its_symbol_and_a_symbol_goes_to_the_lowest_id():
    genes = human_genes(NAMES, ANNOTATION)
    assert list(zip(genes["entrez"], genes["symbol"], strict=True)) == [
        *[(1, "A"), (2, "B"), (3, "C"), (4, "D"), (5, "E"), (7, "G")]
    ]


def test_synonyms_count_that_one_gene_has_and_that_are_nobodys_symbol():
    """The synonyms of NKI genes (AA, BB) stay out: their names are those of the alias table."""
    extended = human_aliases(NAMES, ANNOTATION, ALIASES)
    assert list(zip(extended["entrez"], extended["alias"], extended["kind"], strict=True)) == [
        *[(1, "OLDA", "former"), (30, "CC", "alias"), (3, "CC", "alias"), (5, "EE", "alias")]
    ]


def test_names_of_human_genes(wheels, repository):
    genes = human_genes(read_names(wheels["geneutil"]), read_annotation(repository / "data/probe_annotation.tsv"))
    by_symbol = genes.set_index("symbol")["entrez"]
    assert by_symbol[["TP53", "ERBB2", "KMT2A", "ABCF2"]].tolist() == [7157, 2064, 4297, 10061]
    assert len(genes) == 19534


TYPE = Clinical("type", "kind", "type", categories={0: "round", 1: "square", 2: "flat"})


def test_covariates_of_a_category_are_indicators_of_all_but_the_commonest():
    table = pd.DataFrame({"patient": list("abcde"), "age": 5.0, "type": [1.0, 1, 0, 2, np.nan]})
    beside = covariates(table, (Clinical("age", "age", "age"), TYPE))
    assert set(beside) == {"age", "type round", "type flat"}
    np.testing.assert_array_equal(beside["type round"], [0, 0, 1, 0, np.nan])
    np.testing.assert_array_equal(beside["type flat"], [0, 0, 0, 1, np.nan])


def test_nki_clinical_columns_go_to_the_right_patients(clinical, nki):
    """Expression aligned the patients; the receptor's own gene, which aligned nothing, must agree with its status."""
    table = clinical("nki")
    assert len(table) == 144
    assert table.notna().all().all()
    rows = pd.Series(np.arange(295), index=nki.patients)[table["patient"]].to_numpy()
    esr1 = nki.X[rows, list(nki.symbol).index("ESR1")]
    positive = table["er"].to_numpy() == 1
    assert np.median(esr1[positive]) > np.quantile(esr1[~positive], 0.9)


def test_metastasis_of_the_nki_patients_mostly_comes_before_death(clinical, nki):
    metastasis = clinical("nki").set_index("patient")["metastasis_in_follow_up"]
    died = pd.Series(nki.y, index=nki.patients)[metastasis.index]
    assert metastasis.sum() == 48
    assert died[metastasis == 1].mean() > 0.5 > 0.1 > died[metastasis == 0].mean()


def test_seventy_genes(wheels, nki, aliases, repository):
    annotation = read_annotation(repository / "data/probe_annotation.tsv")
    table = read_seventy(wheels["survset"], nki, annotation, aliases)
    assert len(table) == 70
    by_name = table.set_index("name")
    assert by_name.loc["NM_004702", "symbol"] == "CCNE2"
    assert by_name.loc[["DIAPH3", "DIAPH3_1", "DIAPH3_2"], "symbol"].tolist() == ["DIAPH3"] * 3
    assert by_name.loc["PRC1", "symbol"] == "PRC1"
    assert by_name.loc["Contig63649_RC", "entrez"] == 0
    assert (table["entrez"] > 0).sum() >= 60
