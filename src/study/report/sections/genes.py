"""Which genes are selected, how often, and how similar the gene sets are."""

import numpy as np
import pandas as pd

from study.figures.genes import gene_chart, genes_in_common
from study.figures.methods import GUESSING
from study.methods import find, label
from study.report.blocks import Column, Section
from study.report.columns import columns
from study.report.first_screen import by_chance, often_selected, stable_genes
from study.report.inputs import Inputs, first_method
from study.report.show import fixed

N_DRAWN = 30
LEAST_SHARE = 0.1


def section(inputs: Inputs) -> Section:
    """Return selection frequencies and the stability of the gene sets."""
    table = inputs.frequencies
    if table.empty:
        return Section(numbers={"method": None})
    shown, name, stable = Section(), first_method(table), stable_genes(inputs)
    wide = table.pivot(index="symbol", columns="method", values="frequency").reindex(columns=inputs.selecting)
    wide = wide.fillna(0.0)
    wide = wide.loc[wide.sum(axis=1).sort_values(ascending=False, kind="stable").index]
    own = table[table["method"] == name].sort_values("frequency", ascending=False, kind="stable").head(N_DRAWN)
    permuted = inputs.table("permuted_genes").query("method == @name").set_index("symbol")["frequency"]
    if len(permuted):
        own = own.assign(permuted=own["symbol"].map(permuted).fillna(0.0))
    shown.draw("gene-chart", gene_chart(own, by_chance(inputs)))
    _tabulate_genes(shown, inputs, table, wide)
    _add_stability(shown, inputs)
    shown.numbers = {
        "method": name,
        "stable": len(stable),
        "connected": int(stable["connected"].sum()),
        "often": often_selected(stable),
        "rounds": inputs.table("left_out_models")["round"].unique().tolist(),
        "least_share": LEAST_SHARE,
        "opposite": bool(own["opposite"].any()),
        "has_permuted": "permuted" in own,
        "by_chance": by_chance(inputs),
        "bound": _bound(inputs),
    }
    return shown


def _tabulate_genes(shown: Section, inputs: Inputs, table: pd.DataFrame, wide: pd.DataFrame) -> None:
    per_gene = table.groupby("symbol", sort=False).agg(
        entrez=("entrez", "first"),
        known=("known", "max"),
        degree=("degree", "first"),
        auc_alone=("auc_alone", "first"),
        mean_weight=("mean_weight", "mean"),
    )
    frame = wide[wide.max(axis=1) >= LEAST_SHARE]
    frame = per_gene.loc[frame.index].join(frame).reset_index()
    frame["events_alone"] = np.where(frame["auc_alone"] > GUESSING, "more", "fewer")
    frame["events_in_model"] = np.where(frame["mean_weight"] > 0, "more", "fewer")
    heads = [
        *columns("gene known" if inputs.data["known_genes"] else "gene"),
        Column("events_alone", "Higher alone: events", numeric=False),
        Column("events_in_model", "Higher in models: events", numeric=False),
        *columns("auc_alone degree"),
        *(Column(name, label(name), fixed(2)) for name in inputs.selecting),
    ]
    shown.tabulate("genes-table", frame, heads)


def _add_stability(shown: Section, inputs: Inputs) -> None:
    table, jaccard = inputs.table("stability"), inputs.table("jaccard")
    if table.empty:
        return
    keys = "method nogueira low high mean_jaccard mean_genes supports"
    if inputs.permuted_stability:
        table = table.assign(permuted_stability=table["method"].map(inputs.permuted_stability))
        keys += " permuted_stability"
    shown.tabulate("stability", table, columns(keys))
    if len(jaccard):
        shown.draw("genes-in-common", genes_in_common(jaccard))


def _bound(inputs: Inputs) -> dict | None:
    """Return Shah and Samworth's bound, where stability selection was run and a fold chose a share above one half."""
    table = inputs.fits[inputs.fits["method"].map(lambda name: bool(find(name).thresholds)).astype(bool)]
    bounds = table["bound"].dropna()
    if bounds.empty:
        return None
    per_half = table["mean_selected"].mean()
    return {"method": table["method"].iloc[0], "per_half": per_half, "bounds": bounds, "folds": len(table)}
