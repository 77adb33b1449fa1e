"""Gene sets to test selections against: collections of pathways, and lists of known genes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

from study.data.registry import GENE_SETS
from study.data.sources import Wheel
from study.errors import StudyError

COLUMNS = ["collection", "pathway", "name", "genes"]


def read_gene_sets(wheels: list[Wheel]) -> pd.DataFrame:
    """Return the sets of all collections in these wheels: collection, pathway, name, genes (tuple of Entrez ids)."""
    by_name = {wheel.source.name: wheel for wheel in wheels}
    parts = [no_sets()]
    for collection, spec in GENE_SETS.items():
        if wheel := by_name.get(spec.wheel):
            with wheel.open(spec.member) as stream:
                lines = stream.read().decode("utf-8").splitlines()
            table = parse_gmt(lines, f"{wheel.path}: {spec.member}", TITLES[collection], spec.prefix)
            parts.append(table.assign(collection=collection))
    return pd.concat(parts, ignore_index=True)


def no_sets() -> pd.DataFrame:
    """Return a table of gene sets without rows."""
    return pd.DataFrame(columns=COLUMNS)


def _wikipathways(title: str, prefix: str) -> tuple[str, str] | None:
    """Read the title name%release%id%species."""
    parts = title.split("%")
    return (parts[2], " ".join(parts[0].split())) if len(parts) == 4 else None


def _msigdb(title: str, prefix: str) -> tuple[str, str] | None:
    """Read the title PREFIX_NAME_IN_CAPITALS."""
    return title, title.removeprefix(prefix).replace("_", " ")


# What turns the title of a set and the prefix of its collection into (pathway, name), or None at a damaged title.
Title = Callable[[str, str], tuple[str, str] | None]
TITLES: dict[str, Title] = {"wikipathways": _wikipathways, "hallmarks": _msigdb, "reactome": _msigdb}


def parse_gmt(lines: list[str], origin: str, read_title: Title, prefix: str = "") -> pd.DataFrame:
    """Return the sets of a GMT file whose titles start with `prefix`: pathway, name, genes.

    A line is a set: title, address and Entrez ids, separated by tabs.
    """
    rows = []
    for number, line in enumerate(lines, start=1):
        if not line.startswith(prefix):
            continue
        title, *rest = line.split("\t")
        name, genes = read_title(title, prefix), [entry for entry in rest[1:] if entry]
        if name is None or not genes or not all(entry.isdigit() for entry in genes):
            raise StudyError(
                f"{origin}: line {number} is not the title of a set, an address and Entrez ids, but {line[:60]!r}."
            )
        rows.append((*name, tuple(sorted({int(gene) for gene in genes}))))
    return pd.DataFrame(rows, columns=COLUMNS[1:])


def membership(sets: pd.DataFrame, entrez: np.ndarray) -> np.ndarray:
    """Return a boolean matrix (sets, genes): which of the genes `entrez` each set holds; 0 is no id."""
    held = [np.isin(entrez, genes) & (entrez > 0) for genes in sets["genes"]]
    return np.array(held, bool).reshape(len(sets), len(entrez))


def known_mask(known: pd.DataFrame, entrez: np.ndarray, symbol: np.ndarray) -> np.ndarray:
    """Return which genes are in the table `known` (entrez, symbol): by Entrez id, or by symbol."""
    by_id = np.isin(entrez, known["entrez"].to_numpy(np.int64)) & (entrez > 0)
    return by_id | np.isin(symbol, known["symbol"].to_numpy(str))
