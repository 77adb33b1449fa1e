"""Find genes by symbols that may be out of date.

A column belongs to a gene if its name is the gene's current symbol; else its former one (`former` in the alias table);
else an alias that no other gene has. All columns found at the same step belong to the gene.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from study.data.sources import Wheel

NAMES_MEMBER = "geneutil/dwh/dictionary/biomart/mart_export_HGNC.txt"
STEPS = ("symbol", "former", "alias")


def read_aliases(path: str | Path) -> pd.DataFrame:
    """Return the alias table: entrez, symbol, alias, kind (former or alias)."""
    return pd.read_csv(path, dtype={"entrez": int, "alias": str, "kind": str}, keep_default_na=False)


def read_annotation(path: str | Path) -> pd.DataFrame:
    """Return the probes of the NKI cohort: probe, entrez, symbol."""
    return pd.read_csv(path, sep="\t", dtype={"entrez": int, "symbol": str})


def read_names(wheel: Wheel) -> pd.DataFrame:
    """Return the names of human genes, a row per synonym: symbol, entrez (missing for some), alias (may be empty)."""
    with wheel.open(NAMES_MEMBER) as stream:
        table = pd.read_csv(
            stream, sep="\t", dtype={"NCBI gene ID": "Int64"}, keep_default_na=False, na_values={"NCBI gene ID": ""}
        )
    table.columns = ["symbol", "entrez", "alias"]
    return table[table["symbol"] != ""]


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


def plain(name: str) -> str:
    """Return a gene's name for comparison: the tables write some hyphens as underscores, and case varies."""
    return name.replace("_", "-").replace(".", "-").upper()


def match_columns(
    columns: list[str], entrez: np.ndarray, symbol: np.ndarray, aliases: pd.DataFrame
) -> dict[int, tuple[str, list[int]]]:
    """Return the step at which a gene was found and its columns, by Entrez id."""
    positions: dict[str, list[int]] = {}
    for number, column in enumerate(columns):
        positions.setdefault(plain(column), []).append(number)
    names = {step: {} for step in STEPS}
    for gene, name in zip(entrez, symbol, strict=True):
        names["symbol"].setdefault(int(gene), []).append(name)
    for gene, alias, kind in zip(aliases["entrez"], aliases["alias"], aliases["kind"], strict=True):
        names[kind].setdefault(int(gene), []).append(alias)
    current = {plain(name) for name in symbol}
    found = {}
    for gene in map(int, entrez):
        for step in STEPS:
            wanted = {plain(name) for name in names[step].get(gene, [])}
            # A column that carries another gene's current symbol is that gene's.
            wanted = wanted if step == "symbol" else wanted - current
            hits = sorted(number for name in wanted for number in positions.get(name, []))
            if hits:
                found[gene] = (step, hits)
                break
    return found
