"""Gene sets to test selections against: collections of pathways, and lists of known genes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

from study.data.registry import GENE_SETS, GeneSetsSpec
from study.data.sources import Wheel
from study.errors import StudyError
from study.run.loading import load

COLUMNS = ["collection", "pathway", "name", "genes"]


def read_gene_sets(wheels: list[Wheel]) -> pd.DataFrame:
    """Return the sets of every collection that lies in one of the wheels: collection, pathway, name, genes (tuple of
    Entrez ids).
    """
    by_name = {wheel.source.name: wheel for wheel in wheels}
    parts = [no_sets()] + [
        load("study.data", spec.reader)(spec, by_name[spec.wheel]).assign(collection=name)
        for name, spec in GENE_SETS.items()
        if spec.wheel in by_name
    ]
    return pd.concat(parts, ignore_index=True)


def no_sets() -> pd.DataFrame:
    """Return a table of gene sets without any."""
    return pd.DataFrame(columns=COLUMNS)


def read_wikipathways(spec: GeneSetsSpec, wheel: Wheel) -> pd.DataFrame:
    """Return sets titled name%release%id%species, as WikiPathways writes them."""

    def named(title: str) -> tuple[str, str] | None:
        parts = title.split("%")
        return (parts[2], " ".join(parts[0].split())) if len(parts) == 4 else None

    return _read(spec, wheel, named)


def read_msigdb(spec: GeneSetsSpec, wheel: Wheel) -> pd.DataFrame:
    """Return sets titled PREFIX_NAME_IN_CAPITALS, as MSigDB writes them."""
    return _read(spec, wheel, lambda title: (title, title.removeprefix(spec.prefix).replace("_", " ")))


def _read(spec: GeneSetsSpec, wheel: Wheel, named: Callable[[str], tuple[str, str] | None]) -> pd.DataFrame:
    with wheel.open(spec.member) as stream:
        lines = stream.read().decode("utf-8").splitlines()
    return parse_gmt(lines, f"{wheel.path}: {spec.member}", named, spec.prefix)


def parse_gmt(
    lines: list[str], origin: str, named: Callable[[str], tuple[str, str] | None], prefix: str = ""
) -> pd.DataFrame:
    """Return the sets of a GMT file whose title begins with `prefix`, as a table pathway, name, genes.

    A set is a line: title, address, Entrez ids, tab-separated. `named` makes (pathway, name) of a title, or None of a
    damaged one.
    """
    rows = []
    for number, line in enumerate(lines, start=1):
        if not line.startswith(prefix):
            continue
        title, *rest = line.split("\t")
        name, genes = named(title), [entry for entry in rest[1:] if entry]
        if name is None or not genes or not all(entry.isdigit() for entry in genes):
            raise StudyError(
                f"{origin}: expected the title of a set, an address and Entrez ids in line {number}, found "
                f"{line[:60]!r}."
            )
        rows.append((*name, tuple(sorted({int(gene) for gene in genes}))))
    return pd.DataFrame(rows, columns=COLUMNS[1:])


def membership(sets: pd.DataFrame, entrez: np.ndarray) -> np.ndarray:
    """Return a boolean matrix (sets, genes): which of the genes `entrez` each set holds; 0 is no id."""
    return np.array([np.isin(entrez, genes) & (entrez > 0) for genes in sets["genes"]], bool).reshape(
        len(sets), len(entrez)
    )


def known_mask(known: pd.DataFrame, entrez: np.ndarray, symbol: np.ndarray) -> np.ndarray:
    """Return which genes are in the table `known` (entrez, symbol): by Entrez id, or by symbol."""
    by_id = np.isin(entrez, known["entrez"].to_numpy(np.int64)) & (entrez > 0)
    return by_id | np.isin(symbol, known["symbol"].to_numpy(str))
