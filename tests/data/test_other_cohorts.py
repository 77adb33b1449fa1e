"""Other cohorts, clinical columns and the 70 genes: read as they are, matched by names of their time."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from study.data.external import read_external
from study.data.nki import read_nki_clinical, read_seventy, read_survset
from study.data.registry import COHORTS
from study.data.symbols import match_columns, read_aliases
from study.run.errors import StudyError

FACTS = {"gse1992": (124, 35), "gse3143": (158, 50), "gse4335": (115, 38)}


@pytest.fixture(scope="module")
def aliases(repository):
    return read_aliases(repository / "data/symbol_aliases.csv")


@pytest.fixture(scope="module")
def cohorts(wheels, nki, aliases):
    return {name: read_external(name, wheels["survset"], nki, aliases) for name in FACTS}


@pytest.mark.parametrize("name", FACTS)
def test_cohort_has_its_patients_events_and_values(name, cohorts, wheels):
    cohort, clinical = cohorts[name]
    assert (len(cohort.y), cohort.y.sum()) == FACTS[name]
    assert cohort.has_times
    frame = read_survset(wheels["survset"], name)
    place = list(cohort.symbol).index("AURKA")
    np.testing.assert_array_equal(cohort.X[:, place], frame["num_HS_AURKA"])
    assert clinical["patient"].tolist() == frame["pid"].tolist()
    assert "event" not in clinical
    assert COHORTS[name].event_means


def test_old_names_find_their_genes(cohorts):
    """CDK1 was CDC2 when these arrays were made; nothing else of the table may take that column."""
    for cohort, _ in cohorts.values():
        assert "CDK1" in cohort.symbol
        _, by_symbol, found = cohort.counts
        assert found > by_symbol
        assert len(set(cohort.entrez)) == len(cohort.entrez)


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


def test_wrong_cohort_is_named(wheels, nki, aliases, monkeypatch):
    monkeypatch.setitem(COHORTS, "gse3143", replace(COHORTS["gse3143"], events=51))
    with pytest.raises(StudyError, match="gse3143: expected 158 patients with 51 events, found 158 with 50"):
        read_external("gse3143", wheels["survset"], nki, aliases)


def test_nki_clinical_columns_go_to_the_right_patients(wheels, nki):
    """Expression aligned the patients; the receptor's own gene, which aligned nothing, must agree with its status."""
    clinical = read_nki_clinical(COHORTS["nki"], wheels["survset"])
    assert len(clinical) == 144
    assert clinical["patient"].is_unique
    assert clinical.notna().all().all()
    rows = pd.Series(np.arange(295), index=nki.patients)[clinical["patient"]].to_numpy()
    esr1 = nki.X[rows, list(nki.symbol).index("ESR1")]
    positive = clinical["er"].to_numpy() == 1
    assert np.median(esr1[positive]) > np.quantile(esr1[~positive], 0.9)


def test_seventy_genes(wheels, nki, aliases, repository):
    annotation = pd.read_csv(repository / "data/probe_annotation.tsv", sep="\t")
    table = read_seventy(wheels["survset"], nki, annotation, aliases)
    assert len(table) == 70
    by_name = table.set_index("name")
    assert by_name.loc["NM_004702", "symbol"] == "CCNE2"
    assert by_name.loc[["DIAPH3", "DIAPH3_1", "DIAPH3_2"], "symbol"].tolist() == ["DIAPH3"] * 3
    assert by_name.loc["PRC1", "symbol"] == "PRC1"
    assert by_name.loc["Contig63649_RC", "entrez"] == 0
    assert (table["entrez"] > 0).sum() >= 60
