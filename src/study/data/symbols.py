"""Genes by the symbols of their time.

A column belongs to a gene when it carries the gene's current symbol; else the one it had (`former` in the alias
table); else an alias that no other gene has. Several columns of one gene at the same step belong to it together.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

STEPS = ("symbol", "former", "alias")


def read_aliases(path: str | Path) -> pd.DataFrame:
    """Return the alias table: entrez, symbol, alias, kind (former or alias)."""
    return pd.read_csv(path, dtype={"entrez": int, "alias": str, "kind": str}, keep_default_na=False)


def plain(name: str) -> str:
    """Return a gene's name as it is compared: the tables write some hyphens as underscores, and case varies."""
    return name.replace("_", "-").replace(".", "-").upper()


def match_columns(
    columns: list[str], entrez: np.ndarray, symbol: np.ndarray, aliases: pd.DataFrame
) -> dict[int, tuple[str, list[int]]]:
    """Return for every gene found, by Entrez id: the step at which it was found, and its columns."""
    place: dict[str, list[int]] = {}
    for number, column in enumerate(columns):
        place.setdefault(plain(column), []).append(number)
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
            hits = sorted(number for name in wanted for number in place.get(name, []))
            if hits:
                found[gene] = (step, hits)
                break
    return found
