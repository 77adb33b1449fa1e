"""Find human genes by name: the genes of users' tables, and those of cohorts with names of their time."""

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

from graphiht.tables import counted
from study.data.sources import Wheel

NAMES_MEMBER = "geneutil/dwh/dictionary/biomart/mart_export_HGNC.txt"
ENSEMBL_MEMBER = "cellphonedb/src/core/data/sources/ensembl.txt"
ENTREZ = re.compile(r"\d{1,9}")
ENSEMBL = re.compile(r"(ENSG\d{11})(\.\d+)?", re.IGNORECASE)
# Ways to find a name, the most reliable first.
STEPS = ("Entrez id", "Ensembl id", "symbol", "synonym", "symbol in another spelling")
# Ways to find a gene by a column that may have an old name, the most reliable first.
KINDS = ("symbol", "former", "alias")
# When fewer names than this are symbols of human genes, a name that is one is taken for a coincidence.
LEAST_SHARE = 0.1


def plain(name: str) -> str:
    """Return a gene's name for comparison: the tables write some hyphens as underscores, and case varies."""
    return name.replace("_", "-").replace(".", "-").upper()


def read_names(wheel: Wheel) -> pd.DataFrame:
    """Return the names of human genes, a row per synonym: symbol, entrez (missing for some), alias (may be empty)."""
    with wheel.open(NAMES_MEMBER) as stream:
        table = pd.read_csv(
            stream, sep="\t", dtype={"NCBI gene ID": "Int64"}, keep_default_na=False, na_values={"NCBI gene ID": ""}
        )
    table.columns = ["symbol", "entrez", "alias"]
    return table[table["symbol"] != ""]


def read_aliases(path: str | Path) -> pd.DataFrame:
    """Return the alias table: entrez, symbol, alias, kind (former or alias)."""
    return pd.read_csv(path, dtype={"entrez": int, "alias": str, "kind": str}, keep_default_na=False)


def read_annotation(path: str | Path) -> pd.DataFrame:
    """Return the probes of the NKI cohort: probe, entrez, symbol."""
    return pd.read_csv(path, sep="\t", dtype={"entrez": int, "symbol": str})


def read_gene_names(wheel: Wheel) -> pd.DataFrame:
    """Return the names of human genes: name (unique), Entrez id and current symbol.

    A synonym counts only if one gene has it and it is no gene's current symbol. Of several ids with one symbol the
    lowest counts; the others are read-through transcripts and copies.
    """
    table = read_names(wheel).rename(columns={"alias": "name"})
    symbols = set(table["symbol"])
    table = table.dropna(subset="entrez").astype({"entrez": int})
    table = table[table["entrez"] == table.groupby("symbol")["entrez"].transform("min")]
    current = table.assign(name=table["symbol"]).drop_duplicates()
    synonyms = table[(table["name"] != "") & ~table["name"].isin(symbols)].drop_duplicates(["name", "entrez"])
    synonyms = synonyms.drop_duplicates("name", keep=False)
    return pd.concat([current, synonyms], ignore_index=True)[["name", "entrez", "symbol"]]


@dataclass(frozen=True)
class GeneNames:
    """Entrez ids by Ensembl id, by name and by plain spelling of a name; symbols by Entrez id."""

    ensembl: dict[str, int]
    names: dict[str, int]
    spelled: dict[str, int]
    symbols: dict[int, str]

    def find(self, name: str) -> tuple[int, str]:
        """Return the Entrez id of a name (0 if unknown) and how it was found (one of STEPS)."""
        if ENTREZ.fullmatch(name):
            return int(name), "Entrez id"
        ensembl = ENSEMBL.fullmatch(name)
        if ensembl:
            return self.ensembl.get(ensembl[1].upper(), 0), "Ensembl id"
        if name in self.names:
            entrez = self.names[name]
            return entrez, "symbol" if self.symbols[entrez] == name else "synonym"
        return self.spelled.get(plain(name), 0), "symbol in another spelling"


@cache
def read_all_names(names: Wheel, ensembl: Wheel) -> GeneNames:
    """Return the names of human genes; an Ensembl id is joined by its symbol."""
    table = read_gene_names(names)
    by_name = dict(zip(table["name"], table["entrez"].tolist(), strict=True))
    # A spelling that fits the names of two genes fits neither.
    spelled = table.assign(name=table["name"].map(plain)).drop_duplicates(["name", "entrez"])
    spelled = spelled.drop_duplicates("name", keep=False)
    with ensembl.open(ENSEMBL_MEMBER) as stream:
        ids = pd.read_csv(stream, sep="\t", usecols=["Gene stable ID", "HGNC symbol"], keep_default_na=False)
    ids = ids.drop_duplicates().assign(entrez=lambda frame: frame["HGNC symbol"].map(by_name))
    ids = ids.dropna(subset="entrez").drop_duplicates("Gene stable ID", keep=False).astype({"entrez": int})
    return GeneNames(
        dict(zip(ids["Gene stable ID"], ids["entrez"].tolist(), strict=True)),
        by_name,
        dict(zip(spelled["name"], spelled["entrez"].tolist(), strict=True)),
        dict(zip(table["entrez"].tolist(), table["symbol"], strict=True)),
    )


def identify(columns: list[str], table: GeneNames) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """Find the genes of named columns.

    Of several columns of one gene the most reliably found one gets the id; the others keep their names and get none.

    Returns
    -------
    entrez : ndarray of shape (n_columns,)
        Entrez ids, 0 where unknown.
    names : ndarray of shape (n_columns,)
        The given names, or the symbol for a column that was named by an id.
    notes : list of str
        Lines for the data summary.
    """
    found = [table.find(name) for name in columns]
    by_word = [entrez > 0 and step != "synonym" for entrez, step in found if step not in STEPS[:2]]
    if by_word and np.mean(by_word) < LEAST_SHARE:
        found = [(entrez if step in STEPS[:2] else 0, step) for entrez, step in found]
    best: dict[int, int] = {}
    for place, (entrez, _) in enumerate(found):
        if entrez:
            best[entrez] = min(best.get(entrez, place), place, key=lambda i: (STEPS.index(found[i][1]), columns[i]))
    ids = np.zeros(len(columns), np.int64)
    ids[list(best.values())] = list(best)
    steps = Counter(found[place][1] for place in best.values())
    taken, shown = Counter(columns), list(columns)
    for entrez, place in sorted(best.items()):
        symbol = table.symbols.get(entrez, columns[place])
        if found[place][1] in STEPS[:2] and not taken[symbol]:
            shown[place] = symbol
            taken[symbol] += 1
    known = ", ".join(f"{steps[step]:,} by {step}" for step in STEPS if steps[step])
    notes = [f"{len(best):,} of {len(columns):,} names are human genes" + (f" ({known})" if known else "")]
    others = sum(entrez > 0 for entrez, _ in found) - len(best)
    if others:
        text = "of a gene that is there already; they stay, without its id"
        notes.append(f"{counted(others, 'further name')} {text}")
    return ids, np.array(shown), notes


def human_genes(names: pd.DataFrame, annotation: pd.DataFrame) -> pd.DataFrame:
    """Return entrez, symbol of every human gene, in ascending order of id, each id and each symbol once.

    Genes of the annotation keep their symbols. Of several ids with one symbol the lowest has it; the higher ones are
    read-through genes and copies on alternative assemblies.
    """
    others = names.dropna(subset="entrez").astype({"entrez": int}).sort_values(["entrez", "symbol"])
    genes = pd.concat([annotation, others], ignore_index=True)[["entrez", "symbol"]]
    genes = genes[~genes["symbol"].map(plain).duplicated()].drop_duplicates("entrez")
    return genes.sort_values("entrez", ignore_index=True)


def human_aliases(names: pd.DataFrame, annotation: pd.DataFrame, aliases: pd.DataFrame) -> pd.DataFrame:
    """Return the alias table, extended by synonyms of genes outside the annotation.

    A synonym counts if only one gene has it and if it is neither a symbol nor in the alias table.
    """
    key = names["alias"].map(plain)
    owners = names.groupby(key)["symbol"].transform("nunique")
    taken = {plain(name) for name in [*names["symbol"], *annotation["symbol"], *aliases["alias"]]}
    others = names["entrez"].notna() & ~names["entrez"].isin(annotation["entrez"])
    synonyms = names[others & (owners == 1) & (names["alias"] != "") & ~key.isin(taken)]
    return pd.concat([aliases, synonyms.assign(kind="alias")], ignore_index=True)


def match_columns(
    columns: list[str], entrez: np.ndarray, symbol: np.ndarray, aliases: pd.DataFrame
) -> dict[int, tuple[str, list[int]]]:
    """Return, by Entrez id, how a gene was found (one of KINDS) and its columns.

    A column belongs to a gene if its name is the gene's current symbol; else its former one; else an alias that no
    other gene has. All columns found in the same way belong to the gene.
    """
    names = pd.concat([pd.DataFrame({"entrez": entrez, "alias": symbol, "kind": "symbol"}), aliases])
    names = names.assign(name=names["alias"].map(plain), step=names["kind"].map(KINDS.index))
    # A column that carries another gene's current symbol is that gene's.
    is_current = names["name"].isin(names.loc[names["step"] == 0, "name"])
    names = names[names["entrez"].isin(entrez) & ((names["step"] == 0) | ~is_current)]
    found = names.merge(pd.DataFrame({"name": map(plain, columns), "column": range(len(columns))}), on="name")
    found = found[found["step"] == found.groupby("entrez")["step"].transform("min")]
    return {int(gene): (hits["kind"].iloc[0], sorted(set(hits["column"]))) for gene, hits in found.groupby("entrez")}
