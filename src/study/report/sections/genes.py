"""The section on genes: which are selected, how often, and how alike the gene sets are."""

from __future__ import annotations

import pandas as pd
from markupsafe import Markup

from study.data.registry import GENE_SETS
from study.figures.genes import gene_chart, gene_frequencies, genes_in_common
from study.methods import find, headline, label
from study.report.blocks import Column, Figure, Missing, Section, Table, Text, draw, make_table, paragraph, term
from study.report.columns import columns
from study.report.frequencies import frequencies
from study.report.inputs import Inputs
from study.report.sections.left_out import trained_on
from study.report.sentences import genes_sentence, stable_genes
from study.report.show import gene_link, listed, share, yes

N_HEATMAP = 30
N_CHART = 30
LEAST_SHARE = 0.1
BEST_SETS = 3
PAPER = "paper_"


def section(inputs: Inputs) -> Section:
    """Return selection frequencies, the union table, and the stability of the gene sets."""
    table = frequencies(inputs)
    title = ("genes", "Which genes, and how sure", "Genes")
    if not len(table):
        return Section(*title, paragraph("No method of this run selects genes: each uses all of them."))
    wide = table.pivot(index="symbol", columns="method", values="frequency").reindex(columns=inputs.selecting)
    wide = wide.fillna(0.0)
    ranked = wide.loc[wide.sum(axis=1).sort_values(ascending=False, kind="stable").index]
    top = ranked.head(N_HEATMAP)
    blocks = [
        draw(
            "gene-frequencies",
            "By gene and method",
            f"The {len(top)} genes selected most often over all methods, and the share of the folds in which "
            f"each method selects them (up to {inputs.n_folds} folds). {_marked('star', inputs)}"
            "Columns that look alike rest on the same folds of the same patients.",
            gene_frequencies(top, set(inputs.data["known_genes"])),
        ),
        _frequency_table(inputs, table, ranked),
        *_best_sets(inputs),
        *_stability(inputs),
        *_union(inputs),
        *_bound(inputs),
    ]
    return Section(*title, _most_often(inputs), _chart(inputs, table), blocks)


def _chart(inputs: Inputs, table: pd.DataFrame) -> list[Figure]:
    """Return the most frequent genes of the headline method, beside their frequency on permuted outcomes if known."""
    name = headline(list(dict.fromkeys(table["method"])))
    own = table[table["method"] == name].sort_values("frequency", ascending=False, kind="stable").head(N_CHART)
    chance = inputs.evidence.get("permuted_genes")
    if chance is not None and name in set(chance["method"]):
        by_gene = chance[chance["method"] == name].set_index("symbol")["frequency"]
        own = own.assign(permuted=own["symbol"].map(by_gene).fillna(0.0))
        beside = (
            "The mark is the same share where outcomes are permuted: what the place of a gene in the network gives. "
        )
    else:
        beside = ""
    return [
        draw(
            "gene-chart",
            f"The genes of {label(name)}",
            f"How often {label(name)} selects each gene, of {inputs.n_folds} folds; red: higher expression goes with "
            f"more events, blue: with fewer. {beside}{_marked('star', inputs)}",
            gene_chart(own, "share of folds that select the gene"),
        )
    ]


def _marked(sign: str, inputs: Inputs) -> str:
    """Return what a sign beside a gene means; nothing where no genes are known."""
    return f"A {sign} marks a {inputs.known_gene}. " if inputs.data["known_genes"] else ""


def _most_often(inputs: Inputs) -> Markup:
    """Return how many genes the headline method selects in most folds, and which in nearly all."""
    own = stable_genes(inputs)
    pieces = (
        f", {int(own['connected'].sum())} of them in one connected piece" if "connected" in own and len(own) else ""
    )
    return paragraph(
        "{name} selects {half} genes in at least half of the folds{pieces}. {which} Frequencies say how sure a "
        "selection is.{folds}",
        name=label(headline(inputs.selecting)),
        half=len(own) or "no",
        pieces=pieces,
        which=genes_sentence(own),
        folds=_what_folds_are(inputs),
    )


def _what_folds_are(inputs: Inputs) -> str:
    """Return what counts as a fold of pooled cohorts; of others it needs no words."""
    if "left_out_models" not in inputs.evidence:
        return ""
    rounds = [trained_on(name) for name in inputs.evidence["left_out_models"]["round"].unique()]
    return f" The {inputs.n_folds} folds here are the cohorts, each left out by models of {listed(rounds)}."


def _frequency_table(inputs: Inputs, table: pd.DataFrame, ranked: pd.DataFrame) -> Table:
    per_gene = table.groupby("symbol", sort=False).agg(
        entrez=("entrez", "first"),
        known=("known", "max"),
        degree=("degree", "first"),
        weight=("mean_weight", "mean"),
    )
    frame = ranked[ranked.max(axis=1) >= LEAST_SHARE]
    frame = per_gene.loc[frame.index].join(frame).reset_index()
    frame["events"] = ["more" if weight > 0 else "fewer" for weight in frame["weight"]]
    shown = [
        Column("symbol", "Gene", numeric=False, of_row=lambda row: gene_link(row["symbol"], row["entrez"])),
        *(columns("known") if inputs.data["known_genes"] else []),
        Column("events", "Higher: events", numeric=False),
        *columns("degree"),
        *(Column(name, label(name), share) for name in inputs.selecting),
    ]
    return make_table(
        "genes-table",
        "Every gene in numbers",
        f"Share of a method's folds that select the gene; genes that no method selects in {LEAST_SHARE:.0%} of "
        "its folds are left out. Each links to NCBI Gene. Degree is the number of neighbours in the "
        f"network. {_marked('dot', inputs)}",
        frame,
        shown,
    )


def _best_sets(inputs: Inputs) -> list[Table]:
    """Return the sets of each collection that stand out among the genes of the headline method."""
    table = inputs.evidence.get("pathways")
    if table is None:
        return []
    name = headline(list(dict.fromkeys(table["method"])))
    own = table[table["method"] == name].sort_values(["q_matched", "q", "p"], kind="stable")
    best = own.groupby("collection", sort=False).head(BEST_SETS)
    best = best.sort_values("collection", key=lambda names: names.map(list(GENE_SETS).index), kind="stable")
    keys, chance = "", inputs.evidence.get("permuted_pathways")
    if chance is not None and name in set(chance["method"]):
        chance = chance.loc[chance["method"] == name, ["collection", "pathway", "matched", "permuted"]]
        best, keys = best.merge(chance, how="left", on=["collection", "pathway"]), "matched permuted "
    return [
        make_table(
            "best-sets",
            "Gene sets they are in",
            f"Where the {own['genes_tested'].iloc[0]} stable genes of {label(name)} stand among known gene sets: of "
            f"each collection the {BEST_SETS} that are least likely to hold so many of them. q compares with genes of "
            "the same degrees and is corrected for the number of sets in the collection; a large one may be chance."
            + (
                " What genes of the same degrees and fits to permuted outcomes share is for the stable genes of "
                "one trial; the next section has the same of the study."
                if keys
                else ""
            ),
            best,
            columns(
                f"collection name overlap expected {keys}genes_in_network q_matched genes",
                name="Gene set",
                overlap="Stable genes in it",
            ),
        )
    ]


def _stability(inputs: Inputs) -> list:
    table, jaccard = inputs.evidence.get("stability"), inputs.evidence.get("jaccard")
    if table is None:
        return [Missing("stability of the gene sets", "make study")]
    caption = Markup(
        "{stability} of the gene sets over the folds (Nogueira et al. 2018) with its 95 % "
        "interval. Folds share patients, so that the index is of this cohort under resampling, "
        "not of new cohorts, and above 0 where nothing is to be found: {baseline}."
    ).format(
        stability=term("stability", "Stability"),
        baseline=(
            "on permuted outcomes, with everything repeated, it is what the last column says"
            if inputs.permuted_stability
            else Markup("<code>snakemake permuted</code> measures how far")
        ),
    )
    shown = columns("method nogueira low high mean_jaccard mean_genes supports")
    if inputs.permuted_stability:
        table = table.assign(permuted_stability=table["method"].map(inputs.permuted_stability))
        shown += columns("permuted_stability")
    blocks = [make_table("stability", "Stability of the gene sets", caption, table, shown)]
    if jaccard is not None:
        blocks.append(
            draw(
                "genes-in-common",
                "Genes that methods have in common",
                "Mean Jaccard index (genes in both sets over genes in either) of the gene sets of two methods in the "
                "same fold; on the diagonal, of one method in two folds.",
                genes_in_common(jaccard),
            )
        )
    return blocks


def _union(inputs: Inputs) -> list[Table]:
    table = inputs.evidence.get("union")
    if table is None or inputs.cohort.is_own:
        return []
    methods = [key for key in table.columns if key not in ("symbol", "in_network")]
    heads = [f"Paper: {label(key.removeprefix(PAPER))}" if key.startswith(PAPER) else label(key) for key in methods]
    shown = [
        *columns("symbol in_network"),
        *(Column(key, head, yes) for key, head in zip(methods, heads, strict=True)),
    ]
    return [
        make_table(
            "union",
            "The paper's gene table",
            "The paper's gene table: known breast-cancer genes in the union of a method's gene sets over "
            "all folds, ours and, where the paper names them, the paper's. A union grows with the number "
            "of folds and genes, so it is weak evidence; the next section says what chance gives.",
            table,
            shown,
        )
    ]


def _bound(inputs: Inputs) -> list[Text]:
    """Return Shah and Samworth's bound with its assumptions, when stability selection was run."""
    names = [name for name in inputs.methods if find(name).thresholds]
    table = inputs.fits[inputs.fits["method"].isin(names)]
    if not len(table):
        return []
    bounds = table["bound"].dropna()
    genes = inputs.metrics.loc[inputs.metrics["method"].isin(names), "n_nonzero"]
    bounded = (
        f"the expected number of unlikely genes above the chosen share is at most {bounds.median():.1f} "
        f"(median over {len(bounds)} of {len(table)} folds; {bounds.min():.1f} to {bounds.max():.1f}), of "
        f"{genes.median():.0f} selected (median)"
        if len(bounds)
        else "no bound holds, because every fold chose a share of one half"
    )
    text = paragraph(
        "{name}, stability selection, takes genes that GraphIHT keeps choosing on random halves of the "
        "patients. By Shah and Samworth's bound, q² / (p (2π − 1)) with q = {q:.1f} genes chosen "
        "per half on average and p = {p} genes, {bounded}. The bound holds for shares π above one "
        "half and any base method; unlikely means chosen from a half with probability at most q / "
        "p. It bounds the genes above the share, of which the connected part is a subset, and it "
        "holds for a share fixed in advance, while here the inner cross-validation chose it: read "
        "it as an order of magnitude.",
        name=label(names[0]),
        q=table["mean_selected"].mean(),
        p=f"{inputs.data['n_genes']:,}",
        bounded=bounded,
    )
    return [Text("Stability selection: a bound", text)]
