"""TCGA: two wheels joined by patient and gene."""

import zipfile
from itertools import permutations

import numpy as np
import pandas as pd
import pytest

from study.data.registry import COHORTS
from study.data.sources import Wheel
from study.data.tcga import FOLDER, read_tcga, read_tcga_clinical
from study.io import sha256

SPEC = COHORTS["tcga"]
SUBTYPES = SPEC.clinical[-1].categories


@pytest.fixture(scope="module")
def tcga(read):
    return read("tcga")


@pytest.fixture(scope="module")
def clinical(inputs):
    return read_tcga_clinical(SPEC, **inputs("tcga"))


@pytest.fixture(scope="module")
def headings(wheels):
    """The headings of the genes in both wheels, by Entrez id."""
    members = {"tcga_variance": "rna_1.csv", "tcga_subtype": "rna.csv"}
    found = {}
    for name, member in members.items():
        with wheels[name].open(f"{FOLDER}/{member}") as stream:
            columns = pd.read_csv(stream, nrows=0).columns[1:]
        found[name] = {int(column.rpartition("_")[2]): column for column in columns}
    return found


def test_both_wheels_have_the_values_of_their_shared_genes(tcga, headings, wheels):
    """Of both wheels anew, by the headings of the files: equal to each other and to the cohort."""
    shared = sorted(set.intersection(*map(set, headings.values())))
    assert len(shared) == 2034
    some = shared[::40]
    members = [("tcga_variance", "rna_1.csv"), ("tcga_variance", "rna_2.csv"), ("tcga_subtype", "rna.csv")]
    place = [tcga.entrez.tolist().index(gene) for gene in some]
    ours = pd.DataFrame(tcga.X[:, place], index=tcga.patients)
    seen = set()
    for name, member in members:
        columns = [headings[name][gene] for gene in some]
        with wheels[name].open(f"{FOLDER}/{member}") as stream:
            table = pd.read_csv(stream, usecols=["patient", *columns], index_col="patient")[columns]
        patients = table.index.intersection(ours.index)
        seen.update((member, patient) for patient in patients)
        np.testing.assert_array_equal(table.loc[patients], ours.loc[patients])
    assert len(seen) == 2 * 767


def test_outcomes_agree_with_the_other_columns_of_the_table(tcga, wheels):
    """The table says a second time who died; days differ only for the oldest, whose dates are altered there."""
    with wheels["tcga_subtype"].open(f"{FOLDER}/clinical.csv") as stream:
        table = pd.read_csv(stream, low_memory=False).set_index("patient").loc[tcga.patients]
    assert not {"TCGA-E9-A245", "TCGA-PL-A8LV"} & set(tcga.patients), "no time, and one of -7 days"
    np.testing.assert_array_equal(tcga.y == 1, table["vital_status"] == "Dead")
    days = tcga.time * 365.25
    differing = table.index[(tcga.y == 1) & ~np.isclose(days, table["days_to_death"])]
    assert len(differing) == 4
    assert table.loc[differing, "age_is_obfuscated"].all()


def test_subtypes_are_what_expression_says(tcga, clinical):
    """The source codes them 0 to 4; of the 120 ways to name the codes one alone agrees with what is known of them."""
    symbols, codes = tcga.symbol.tolist(), clinical["subtype"].to_numpy(int)
    genes = ("ESR1", "ERBB2", "GRB7", "KRT5", "KRT17", "MKI67", "AURKA", "BIRC5")
    medians = {gene: pd.Series(tcga.X[:, symbols.index(gene)]).groupby(codes).median() for gene in genes}

    def agrees(names):
        ranked = {gene: [names[code] for code in values.sort_values().index] for gene, values in medians.items()}
        return (
            ranked["ESR1"][0] == "basal-like"
            and set(ranked["ESR1"][-2:]) == {"luminal A", "luminal B"}
            and ranked["ERBB2"][-1] == ranked["GRB7"][-1] == "HER2-enriched"
            and set(ranked["KRT5"][-2:]) == set(ranked["KRT17"][-2:]) == {"basal-like", "normal-like"}
            and all(
                ranked[gene].index(calm) < ranked[gene].index(growing)
                for gene in ("MKI67", "AURKA", "BIRC5")
                for calm, growing in (("luminal A", "luminal B"), ("normal-like", "basal-like"))
            )
        )

    assert [names for names in permutations(SUBTYPES.values()) if agrees(names)] == [tuple(SUBTYPES.values())]
    assert np.bincount(codes).tolist() == [34, 129, 46, 418, 140]


def test_stages_of_nodes_agree_with_their_number(clinical, wheels):
    with wheels["tcga_subtype"].open(f"{FOLDER}/clinical.csv") as stream:
        table = pd.read_csv(stream, low_memory=False).set_index("patient").loc[clinical["patient"]]
    number = table["number_of_lymph_nodes"].groupby(clinical["nodes"].to_numpy()).median()
    assert number.index.tolist() == [0, 1, 2, 3]
    assert number[0] == 0
    assert 1 <= number[1] <= 3
    assert 4 <= number[2] <= 9
    assert number[3] >= 10
    unknown = table["pathology_N_stage"][clinical["nodes"].isna().to_numpy()]
    assert set(unknown) == {"nx"}
    assert set(table["pathology_T_stage"][clinical["size"].isna().to_numpy()]) == {"tx"}


SMALL = {
    "rna_1.csv": "patient,CLEC3Aunknown_10143,NKX2_5unknown_1482,unknown_90288\nP1,1.5,2.0,-3.0\nP2,0.5,1.0,0.25\n",
    "rna_2.csv": "patient,CLEC3Aunknown_10143,NKX2_5unknown_1482,unknown_90288\nP3,2.5,3.0,1.0\nP4,3.5,0.0,2.0\n",
    "rna.csv": "patient,TP53_999999991,BOGUS_2_999999992,NKX2_5_1482\nP4,1.0,4.5,0.0\nP3,0.0,3.5,3.0\n"
    "P2,2.0,2.5,1.0\nP1,3.0,1.5,2.0\n",
    "clinical.csv": "patient,vital_status,days_to_death,vital_status,days_to_death,days_to_last_followup,age_at_index,"
    "pathology_N_stage,pathology_T_stage\nP1,Dead,9,1,730.5,,50,n1mi,t1c\nP2,Alive,,0,,365.25,60,nx,t4b\n"
    "P3,Alive,,0,,-7,70,n0,t2\nP4,Alive,,0,,1461,80,n3a,tx\n",
    "pam50.csv": "patient,pam50\nP1,1\nP2,4\nP3,0\nP4,2\n",
}
WHEELS = {"variance": ["rna_1.csv", "rna_2.csv"], "subtype": ["rna.csv", "clinical.csv", "pam50.csv"]}


@pytest.fixture
def small(tmp_path, sources, inputs):
    """The inputs of a cohort of four patients, in wheels of their own."""
    made = dict(inputs("tcga"))
    for key, members in WHEELS.items():
        path = tmp_path / f"{key}.whl"
        with zipfile.ZipFile(path, "w") as archive:
            for part in members:
                archive.writestr(f"{FOLDER}/{part}", SMALL[part])
        made[key] = Wheel(path, sources[f"tcga_{key}"]._replace(sha256=sha256(path)))
    return made


def test_small_wheels_by_hand(small, capsys):
    cohort = read_tcga(SPEC, **small)
    assert "P3 is left out" in capsys.readouterr().err
    assert cohort.patients.tolist() == ["P1", "P2", "P4"]
    assert cohort.y.tolist() == [1, 0, 0]
    assert cohort.time.tolist() == [2, 1, 4]
    assert cohort.entrez.tolist() == [1482, 10143, 90288, 999999991, 999999992]
    # TP53 is the symbol of another gene; the last is in no table.
    assert cohort.symbol.tolist() == ["NKX2-5", "CLEC3A", "EFCAB12", "LOC999999991", "BOGUS-2"]
    np.testing.assert_array_equal(cohort.X, [[2, 1.5, -3, 3, 1.5], [1, 0.5, 0.25, 2, 2.5], [0, 3.5, 2, 1, 4.5]])
    clinical = read_tcga_clinical(SPEC, **small)
    expected = {"age": [50, 60, 80], "nodes": [1, np.nan, 3], "size": [1, 4, np.nan], "subtype": [1, 4, 2]}
    table = pd.DataFrame({"patient": ["P1", "P2", "P4"], **expected})
    pd.testing.assert_frame_equal(clinical, table, check_dtype=False)
