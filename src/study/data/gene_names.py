"""Names of human genes: which gene a symbol, of today or of old, stands for."""

from __future__ import annotations

import pandas as pd

from study.data.sources import Wheel
from study.data.symbols import read_names


def read_gene_names(wheel: Wheel) -> pd.DataFrame:
    """Return a row per name: name (each once), the gene's Entrez id and its current symbol.

    A synonym is a name only if one gene has it and it is no gene's current symbol. A few symbols come with several
    ids; the lowest is the gene's own, the others are read-through transcripts and copies of it.
    """
    table = read_names(wheel).rename(columns={"alias": "name"})
    symbols = set(table["symbol"])
    table = table.dropna(subset="entrez").astype({"entrez": int})
    table = table[table["entrez"] == table.groupby("symbol")["entrez"].transform("min")]
    current = table.assign(name=table["symbol"]).drop_duplicates()
    synonyms = table[(table["name"] != "") & ~table["name"].isin(symbols)].drop_duplicates(["name", "entrez"])
    synonyms = synonyms.drop_duplicates("name", keep=False)
    return pd.concat([current, synonyms], ignore_index=True)[["name", "entrez", "symbol"]]
