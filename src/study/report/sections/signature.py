"""The signatures: models of all patients, for new ones."""

from study.config import cohort_name
from study.figures.genes import weights
from study.report.blocks import Column, Section
from study.report.columns import columns
from study.report.first_screen import by_chance
from study.report.inputs import Inputs, first_method
from study.report.show import digits3

SHOWN = 40


def section(inputs: Inputs) -> Section:
    """Return genes, weights, scaling and cut-off of every method, and how to apply them."""
    table, genes = (inputs.evidence.get(name) for name in ("signatures", "final_models"))
    if table is None or genes is None:
        return Section()
    shown, config = Section(), inputs.config
    method = first_method(genes)
    own = genes[genes["method"] == method]
    ranked = own.loc[own["weight"].abs().sort_values(ascending=False, kind="stable").index]
    shown.draw("signature-weights", weights(ranked.head(SHOWN), by_chance(inputs)))
    keys = "method genes_used cut_off intercept sparsity lambda C n_blocks inner_error status"
    shown.tabulate("signatures", table, columns(keys))
    heads = [*columns("gene weight"), Column("mean", "Mean", digits3), *columns("scale")]
    shown.tabulate("final-models", ranked, heads, limit=15)
    chosen = first_method(table)
    folder = f"{config['results']}/{cohort_name(config)}/{config['network']}/signatures"
    shown.numbers = {
        "method": method,
        "by_chance": by_chance(inputs),
        "not_drawn": max(len(ranked) - SHOWN, 0),
        "signature": table[table["method"] == chosen].iloc[0].to_dict(),
        "covariates": inputs.study.covariate_names.tolist(),
        "file": f"{folder}/{chosen}.json",
    }
    return shown
