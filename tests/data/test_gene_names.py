"""Names of human genes: the real table, and its rules by hand."""

import zipfile

import pytest

from study.data.gene_names import NAMES_MEMBER, read_gene_names
from study.data.sources import Source, Wheel
from study.io import sha256

TABLE = """HGNC symbol\tNCBI gene ID\tGene Synonym
NEW\t11\tOLD
NEW\t11\tSHARED
NEW\t900\tREAD-THROUGH
OTHER\t22\tSHARED
OTHER\t22\tNEW
OTHER\t22\tNO-ID
NO-ID\t\tLOST
\t33\tNAMELESS
PLAIN\t44\t
NA\t55\t
"""


@pytest.fixture
def wheel(tmp_path):
    path = tmp_path / "names.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(NAMES_MEMBER, TABLE)
    return Wheel(path, Source("names", "names", "1", path.name, sha256(path), path.stat().st_size, "", ""))


def test_a_name_stands_for_one_gene(wheel):
    """Shared synonyms, current symbols of others and further ids are out; a gene may be called NA."""
    found = {(row.name, row.entrez, row.symbol) for row in read_gene_names(wheel).itertuples(index=False)}
    assert found == {
        ("NEW", 11, "NEW"),
        ("OLD", 11, "NEW"),
        ("OTHER", 22, "OTHER"),
        ("PLAIN", 44, "PLAIN"),
        ("NA", 55, "NA"),
    }


def test_real_names_agree_with_the_cohort_that_has_both(wheels, nki):
    """A symbol of the cohort that is a name here has the cohort's own id.

    But for one: the table lacks the gene MS4A7, and gives its symbol as a synonym of MS4A4A.
    """
    names = read_gene_names(wheels["geneutil"])
    assert (len(names), (names["name"] == names["symbol"]).sum()) == (59655, 19531)
    assert names["name"].is_unique
    entrez = names.set_index("name")["entrez"]
    assert (entrez["ATP5A1"], entrez["MACF1"]) == (498, 23499)
    assert "CDC2" not in entrez  # CDK1's, and POLD1's
    own = dict(zip(nki.symbol.tolist(), nki.entrez.tolist(), strict=True))
    both = own.keys() & set(entrez.index)
    assert len(both) == 2689
    assert [symbol for symbol in both if entrez[symbol] != own[symbol]] == ["MS4A7"]
