"""The paper's tables with our numbers, as LaTeX for \\input."""

from __future__ import annotations

from study.evidence.paper import LOWER_IS_BETTER
from study.palette import label
from study.report.inputs import Inputs

SPECIAL = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}
CAPTIONS = {
    "balanced_error": "Balanced classification error",
    "auc": "AUC",
    "n_nonzero": "Number of selected genes",
}


def escape(text: str) -> str:
    """Return `text` with LaTeX's special characters escaped."""
    return "".join(SPECIAL.get(sign, sign) for sign in text)


def _tabular(caption: str, name: str, columns: str, lines: list[str]) -> str:
    return "\n".join(
        [
            "% Needs \\usepackage{booktabs}; written by the workflow.",
            r"\begin{table}",
            rf"\caption{{{caption}}}",
            rf"\label{{table:{name}}}",
            r"\centering",
            rf"\begin{{tabular}}{{{columns}}}",
            r"\toprule",
            *lines,
            r"\bottomrule",
            r"\end{tabular}",
            r"\end{table}",
            "",
        ]
    )


def _data(inputs: Inputs) -> str:
    config = inputs.config
    return escape(f"cohort {config['cohort']}, network {config['network']}")


def metric_table(inputs: Inputs, metric: str) -> str:
    """Return the table trials x methods of one metric; the best mean of each row is bold, but for numbers of genes."""
    digits = 1 if metric == "n_nonzero" else 3
    summary = inputs.summary
    lines = [" & ".join(["", *(escape(label(name)) for name in inputs.methods)]) + r" \\", r"\midrule"]
    trials = [trial for trial in summary["trial"].drop_duplicates() if trial != "all"]
    for trial in [*trials, "all"]:
        part = summary[summary["trial"] == trial].set_index("method")
        means = part[f"{metric}_mean"].round(digits)
        best = means.min() if LOWER_IS_BETTER[metric] else means.max()
        cells = []
        for name in inputs.methods:
            if name not in part.index:
                cells.append("--")
                continue
            mean, std = (
                f"{part.loc[name, f'{metric}_mean']:.{digits}f}",
                f"{part.loc[name, f'{metric}_std']:.{digits}f}",
            )
            bold = means[name] == best and metric != "n_nonzero"
            cells.append((rf"\textbf{{{mean}}}" if bold else mean) + rf" $\pm$ {std}")
        if trial == "all":
            lines.append(r"\midrule")
        lines.append(" & ".join(["All" if trial == "all" else f"Trial {trial}", *cells]) + r" \\")
    caption = rf"{CAPTIONS[metric]} $\pm$ standard deviation over folds, {_data(inputs)}."
    return _tabular(caption, metric.replace("_", "-"), "l" + "c" * len(inputs.methods), lines)


def genes_table(inputs: Inputs) -> str:
    """Return the paper's gene table: known genes that any fold of a method selected."""
    known = set(inputs.data["known_genes"])
    lines = [r"Method & Number & Genes \\", r"\midrule"]
    for name in inputs.selecting:
        chosen = inputs.genes.loc[inputs.genes["method"] == name, "symbol"]
        found = sorted(known & set(chosen))
        lines.append(f"{escape(label(name))} & {len(found)} & {escape(' '.join(found))} " + r"\\")
    caption = (
        f"Known breast-cancer genes ({len(known)} in the network) selected in any fold, {_data(inputs)}."
    )
    return _tabular(caption, "genes", r"lcp{0.6\linewidth}", lines)


def latex_tables(inputs: Inputs) -> dict[str, str]:
    """Return the text of each file by name."""
    return {**{metric: metric_table(inputs, metric) for metric in CAPTIONS}, "genes": genes_table(inputs)}
