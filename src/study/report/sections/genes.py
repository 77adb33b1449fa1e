"""Sections on genes: which are selected, and how they hang together."""

from __future__ import annotations

import pandas as pd
from markupsafe import Markup

from study.figures import report as figures
from study.palette import label
from study.report.blocks import (
    Column,
    Figure,
    Missing,
    Section,
    Text,
    Viewer,
    as_json,
    make_table,
    paragraph,
    term,
)
from study.report.frequencies import frequencies
from study.report.inputs import Inputs
from study.report.network_view import network_data
from study.report.show import count, fixed, gene_link, listed, method, share, yes

N_HEATMAP = 30
LEAST_SHARE = 0.1


def genes_section(inputs: Inputs) -> Section:
    """Return selection frequencies, the union table, and the stability of the gene sets."""
    section = Section("genes", "Which genes, and how sure", "Genes")
    table = frequencies(inputs)
    if not len(table):
        section.blocks.append(Missing("No method of this run selects genes: each uses all of them."))
        return section
    section.blocks.append(Text(_most_often(table)))
    wide = table.pivot(index="symbol", columns="method", values="frequency").reindex(columns=inputs.selecting)
    wide = wide.fillna(0.0)
    ranked = wide.assign(total=wide.sum(axis=1)).sort_values(["total"], ascending=False, kind="stable")
    top = ranked.drop(columns="total").head(N_HEATMAP)
    known = set(inputs.data["known_genes"])
    section.blocks.append(
        Figure(
            "gene-frequencies",
            Markup(
                "The {n} genes selected most often over all methods, and the share of the folds in which "
                "each method selects them (up to {folds} folds). A star marks a known breast-cancer gene. "
                "Columns that look alike rest on the same folds of the same patients."
            ).format(n=len(top), folds=inputs.n_folds),
            "Selection frequency by gene and method",
            figures.gene_heatmap(top, known),
        )
    )
    section.blocks.append(_frequency_table(inputs, table, ranked))
    section.blocks.extend(_stability(inputs))
    section.blocks.extend(_union(inputs))
    section.blocks.extend(_bound(inputs))
    return section


def _most_often(table: pd.DataFrame) -> Markup:
    """Return the genes that graph methods, or else all methods, select in more than nine of ten folds."""
    graph = table[table["method"].str.startswith("graph-")]
    chosen = graph if len(graph) else table
    name = chosen["method"].iloc[0]
    often = chosen[(chosen["method"] == name) & (chosen["frequency"] >= 0.9)]["symbol"].tolist()
    return paragraph(
        "{name} selects {n} genes in nine of ten folds or more{which}. Frequencies say how sure a "
        "selection is; weights have the sign of the risk: positive means that higher expression goes with "
        "more events.",
        name=label(name),
        n=len(often) or "no",
        which=f": {listed(often[:20])}{' and others' if len(often) > 20 else ''}" if often else "",
    )


def _frequency_table(inputs: Inputs, table: pd.DataFrame, ranked: pd.DataFrame):
    per_gene = table.groupby("symbol", sort=False).agg(
        entrez=("entrez", "first"),
        known=("known", "max"),
        degree=("degree", "first"),
        weight=("mean_weight", "mean"),
    )
    frame = ranked.drop(columns="total")
    frame = frame[frame.max(axis=1) >= LEAST_SHARE]
    frame = per_gene.loc[frame.index].join(frame).reset_index()
    frame["events"] = ["more" if weight > 0 else "fewer" for weight in frame["weight"]]
    columns = [
        Column("symbol", "Gene", numeric=False, of_row=lambda row: gene_link(row["symbol"], row["entrez"])),
        Column("known", "Known", yes),
        Column("events", "Higher: events", numeric=False),
        Column("degree", "Degree", count),
        *(Column(name, label(name), share) for name in inputs.selecting),
    ]
    return make_table(
        "genes-table",
        Markup(
            "Share of a method's folds that select the gene; genes that no method selects in {least} of "
            "its folds are left out. Each links to NCBI Gene. Degree is the number of neighbours in the "
            "network; a dot marks a known breast-cancer gene."
        ).format(least=f"{LEAST_SHARE:.0%}"),
        frame,
        columns,
    )


def _stability(inputs: Inputs) -> list:
    table = inputs.evidence.get("stability")
    if table is None:
        return [
            Missing("The stability index of the gene sets has not been computed; run `snakemake evidence`.")
        ]
    columns = [
        Column("method", "Method", method, numeric=False),
        Column("nogueira", "Stability", fixed(3)),
        Column("low", "95 % from", fixed(3)),
        Column("high", "to", fixed(3)),
        Column("mean_jaccard", "Mean Jaccard", fixed(3)),
        Column("mean_genes", "Genes", fixed(1)),
        Column("supports", "Gene sets", count),
    ]
    return [
        make_table(
            "stability",
            Markup(
                "{stability} of the gene sets over the folds (Nogueira et al. 2018) with its 95 % "
                "interval. Folds share patients, so that the index is of this cohort under resampling, "
                "not of new cohorts."
            ).format(stability=term("stability", "Stability")),
            table,
            columns,
        )
    ]


def _union(inputs: Inputs) -> list:
    table = inputs.evidence.get("union")
    if table is None:
        return []
    names = [column for column in table.columns if column != "symbol"]
    columns = [
        Column("symbol", "Gene", numeric=False),
        *(
            Column(
                name,
                f"Paper: {label(name.removeprefix('paper_'))}" if name.startswith("paper_") else label(name),
                yes,
            )
            for name in names
        ),
    ]
    return [
        make_table(
            "union",
            "The paper's gene table: known breast-cancer genes in the union of a method's gene sets over "
            "all folds, ours and, where the paper names them, the paper's. A union grows with the number "
            "of folds and genes, so it is weak evidence; the next section says what chance gives.",
            table,
            columns,
        )
    ]


def _bound(inputs: Inputs) -> list:
    """Return Shah and Samworth's bound with its assumptions, when graph-stability was run."""
    table = inputs.fits[inputs.fits["method"] == "graph-stability"]
    if not len(table):
        return []
    bounds = table["bound"].dropna()
    genes = inputs.metrics.loc[inputs.metrics["method"] == "graph-stability", "n_nonzero"]
    said = (
        f"the expected number of unlikely genes above the chosen share is at most {bounds.median():.1f} "
        f"(median over {len(bounds)} of {len(table)} folds; {bounds.min():.1f} to {bounds.max():.1f}), of "
        f"{genes.median():.0f} selected (median)"
        if len(bounds)
        else "no bound holds, because every fold chose a share of one half"
    )
    return [
        Text(
            paragraph(
                "Graph stability selects genes that GraphIHT keeps choosing on random halves of the "
                "patients. By Shah and Samworth's bound, q² / (p (2π − 1)) with q = {q:.1f} genes chosen "
                "per half on average and p = {p} genes, {said}. The bound holds for shares π above one "
                "half and any base method; unlikely means chosen from a half with probability at most q / "
                "p. It bounds the genes above the share, of which the connected part is a subset, and it "
                "holds for a share fixed in advance, while here the inner cross-validation chose it: read "
                "it as an order of magnitude.",
                q=table["mean_selected"].mean(),
                p=f"{inputs.data['n_genes']:,}",
                said=said,
            )
        )
    ]


def network_section(inputs: Inputs) -> Section:
    """Return the viewer of the stable subnetwork of each method."""
    section = Section("network", "The network of stable genes", "Network")
    table = frequencies(inputs)
    if not len(table):
        section.blocks.append(Missing("No method of this run selects genes: there is no subnetwork to show."))
        return section
    section.blocks.append(
        Viewer(
            as_json(network_data(inputs, table)),
            Markup(
                "Genes that a method selects in at least the chosen share of its folds, and the "
                "interactions of {network} among them. Size is the frequency, a ring marks a known "
                "breast-cancer gene; drag, zoom, search, or choose a gene to see its numbers. {tail} "
                "keeps a single fit's genes connected; genes above a frequency need not be."
            ).format(network=inputs.config["network"], tail=term("tail projection", "The tail projection")),
        )
    )
    return section
