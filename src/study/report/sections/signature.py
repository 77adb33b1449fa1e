"""The signatures: models of all patients, for new ones."""

from __future__ import annotations

from study.config import cohort_name
from study.figures.genes import weights
from study.methods import headline
from study.report.blocks import Column, Missing, Section
from study.report.columns import GENE, columns
from study.report.inputs import Inputs
from study.report.show import count, digits3, fixed, signed

SHOWN = 40


def section(inputs: Inputs) -> Section:
    """Return genes, weights, scaling and cut-off of every method, and how to apply them."""
    table, genes = (inputs.evidence.get(name) for name in ("signatures", "final_models"))
    if table is None or genes is None:
        return Section(missing=[Missing("models of all patients", "make study")])
    shown, config = Section(), inputs.config
    method = headline(genes["method"].unique().tolist())
    own = genes[genes["method"] == method]
    ranked = own.loc[own["weight"].abs().sort_values(ascending=False, kind="stable").index]
    shown.draw("signature-weights", weights(ranked.head(SHOWN), "weight"))
    shown.tabulate(
        "signatures",
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
    heads = [GENE, *columns("weight"), Column("mean", "Mean", digits3), Column("scale", "Std", digits3)]
    shown.tabulate("final-models", ranked, heads, limit=15)
    chosen = headline(table["method"].tolist())
    folder = f"{config['results']}/{cohort_name(config)}/{config['network']}/signatures"
    shown.numbers = {
        "method": method,
        "not_drawn": max(len(ranked) - SHOWN, 0),
        "signature": table[table["method"] == chosen].iloc[0].to_dict(),
        "file": f"{folder}/{chosen}.json",
    }
    return shown
