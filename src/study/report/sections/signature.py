"""The section on the signatures: the models of all patients, to be applied to new ones."""

from __future__ import annotations

import pandas as pd
from markupsafe import Markup

from study.figures.genes import weights
from study.methods import headline, label
from study.report.blocks import Column, Figure, Missing, Section, Table, Text, draw, make_table, paragraph
from study.report.columns import columns
from study.report.inputs import Inputs
from study.report.show import count, digits3, fixed, gene_link, signed
from study.config import cohort_name

SHOWN = 40


def section(inputs: Inputs) -> Section:
    """Return genes, weights, scaling and cut-off of every method, and how to apply them."""
    title = ("signature", "The signature, for new patients", "Signature")
    table, genes = (inputs.evidence.get(name) for name in ("signatures", "final_models"))
    if table is None or genes is None:
        return Section(*title, blocks=[Missing("models of all patients", "make study")])
    lead, how = _how_to(inputs, table)
    blocks = [Text("How a score is made", how), _settings(table), _genes(genes)]
    return Section(*title, lead, _weights(genes), blocks)


def _weights(table: pd.DataFrame) -> list[Figure]:
    """Return the weights of the headline method's model, the largest first."""
    chosen = headline(table["method"].unique().tolist())
    own = table[table["method"] == chosen]
    shown = own.loc[own["weight"].abs().sort_values(ascending=False, kind="stable").index].head(SHOWN)
    rest = f" {len(own) - len(shown)} smaller ones are not drawn." if len(shown) < len(own) else ""
    return [
        draw(
            "signature-weights",
            f"The signature of {label(chosen)}",
            "Weight of each gene per standard deviation of its expression; red: higher expression goes with more "
            f"events.{rest}",
            weights(shown, "weight"),
        )
    ]


def _how_to(inputs: Inputs, table: pd.DataFrame) -> tuple[Markup, Markup]:
    """Return the command that applies the signature of the headline method, and how its score is made."""
    own = table[table["method"] == headline(table["method"].tolist())].iloc[0]
    config = inputs.config
    file = f"{config['results']}/{cohort_name(config)}/{config['network']}/signatures/{own['method']}.json"
    scaling = (
        "standardised by the mean and standard deviation of the training patients"
        if own["scaling"] == "training"
        else "standardised within the new patients, as it was within each training cohort"
    )
    text = paragraph(
        "Fitted to all {patients} patients, with settings chosen by cross-validation, {name} uses {genes} genes. The "
        "score of a patient is {intercept} plus the sum of weight times expression, {scaling}; above {cut_off} the "
        "risk is called high. That cut-off has the least balanced error for patients that the fits of the "
        "cross-validation had left out. How well the signature does in others is what the sections on accuracy "
        "estimate, not this one.",
        patients=int(own["patients"]),
        name=label(own["method"]),
        genes=int(own["genes_used"]),
        intercept=signed(4)(own["intercept"]),
        scaling=scaling,
        cut_off=signed(4)(own["cut_off"]),
    )
    command = paragraph(
        "To score new patients: {command}. Genes that they lack are named and count as average. The file beside it "
        "that ends in .tsv has the same as a table.",
        command=Markup("<code>.venv/bin/graphiht predict --signature '{}' --expression new.csv</code>").format(file),
    )
    return command, text


def _settings(table: pd.DataFrame) -> Table:
    return make_table(
        "signatures",
        "Every model's settings",
        "The model of all patients of every method: its settings, chosen by cross-validation, and where it cuts.",
        table,
        [
            *columns("method genes_used"),
            Column("cut_off", "Cut-off", signed(4)),
            Column("intercept", "Intercept", signed(4)),
            *columns("sparsity lambda C"),
            Column("n_blocks", "Blocks", count),
            Column("inner_error", "Error in the cross-validation that chose", fixed(3)),
            *columns("status"),
        ],
    )


def _genes(table: pd.DataFrame) -> Table:
    chosen = headline(table["method"].unique().tolist())
    own = table[table["method"] == chosen]
    ranked = own.loc[own["weight"].abs().sort_values(ascending=False, kind="stable").index]
    gene = Column("symbol", "Gene", numeric=False, of_row=lambda row: gene_link(row["symbol"], row["entrez"]))
    return make_table(
        "final-models",
        "Genes and weights",
        f"Genes and weights of {label(chosen)}, per standard deviation of expression; positive means that higher "
        "expression goes with more events. Mean and standard deviation are those of the training patients. The folder "
        "signatures/ has every method.",
        ranked,
        [
            gene,
            *columns("weight"),
            Column("mean", "Mean", digits3),
            Column("scale", "Std", digits3),
        ],
        limit=15,
    )
