"""The paper's tables with our numbers, as LaTeX for \\input."""

from __future__ import annotations

import pandas as pd

from study.methods import label
from study.metrics import METRICS
from study.report.inputs import Inputs

CAPTIONS = {
    "auc": "AUC",
    "balanced_error_tuned": "Balanced classification error at the cut-off chosen inside",
    "balanced_error": "Balanced classification error at probability one half",
    "n_nonzero": "Number of selected genes",
}


def _latex(frame: pd.DataFrame, caption: str, name: str, layout: str, escape: str | None = None) -> str:
    style = frame.style.hide(axis="index").format(escape=escape).format_index(axis="columns", escape="latex")
    text = style.to_latex(
        hrules=True, position_float="centering", caption=caption, label=f"table:{name}", column_format=layout
    )
    return f"% Needs \\usepackage{{booktabs}}; written by the workflow.\n{text}"


def _data(inputs: Inputs) -> str:
    """Return the names of the data: keys of a registry, in which nothing but a low line is special to LaTeX."""
    return f"cohort {inputs.config['cohort']}, network {inputs.config['network']}".replace("_", r"\_")


def metric_table(inputs: Inputs, metric: str) -> str:
    """Return the table trials x methods of one metric."""
    digits = METRICS[metric].digits
    rows = []
    for trial, part in inputs.summary.groupby("trial", sort=False):
        row = {"": "All" if trial == "all" else f"Trial {trial}"}
        for record in part.to_dict("records"):
            mean, std = (f"{record[f'{metric}_{kind}']:.{digits}f}" for kind in ("mean", "std"))
            row[record["method"]] = rf"{mean} $\pm$ {std}"
        rows.append(row)
    frame = pd.DataFrame(rows, columns=["", *inputs.methods]).fillna("--").rename(columns=label)
    frame = frame.sort_values("", key=lambda names: names == "All", kind="stable")
    caption = rf"{CAPTIONS[metric]} $\pm$ standard deviation over folds, {_data(inputs)}."
    text = _latex(frame, caption, metric.replace("_", "-"), "l" + "c" * len(inputs.methods))
    return text.replace("\nAll &", "\n\\midrule\nAll &")


def genes_table(inputs: Inputs) -> str:
    """Return the paper's gene table: known genes that any fold of a method selected."""
    known = set(inputs.data["known_genes"])
    selected = inputs.genes.groupby("method")["symbol"].agg(lambda symbols: sorted(known & set(symbols)))
    chosen = {name: selected.get(name, []) for name in inputs.selecting}
    rows = [(label(name), len(symbols), " ".join(symbols)) for name, symbols in chosen.items()]
    caption = f"Known genes ({len(known)} in the network) selected in any fold, {_data(inputs)}."
    frame = pd.DataFrame(rows, columns=["Method", "Number", "Genes"])
    return _latex(frame, caption, "genes", r"lcp{0.6\linewidth}", escape="latex")


def latex_tables(inputs: Inputs) -> dict[str, str]:
    """Return the text of each file by name."""
    return {**{metric: metric_table(inputs, metric) for metric in METRICS}, "genes": genes_table(inputs)}
