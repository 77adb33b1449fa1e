"""The answer and the main table in Markdown, for a paper's notes or a message."""

from __future__ import annotations

from study.evidence.paper import METRICS, picked_difference
from study.palette import label
from study.report.answer import answer
from study.report.inputs import Inputs
from study.report.sections.accuracy import overview
from study.report.show import spread


def summary(inputs: Inputs) -> str:
    """Return the summary: the first paragraph, the methods' numbers, the picked difference, where the rest is."""
    config, frame = inputs.config, overview(inputs)
    lines = [
        f"# Cohort {config['cohort']}, network {config['network']}: {config['trials']} x {config['folds']} "
        "folds",
        "",
        " ".join(answer(inputs).striptags().split()),
        "",
        "| method | balanced error | AUC | genes | stability | known genes |",
        "|---|---|---|---|---|---|",
    ]
    for row in frame.to_dict("records"):
        stability = (
            ""
            if row["stability"] is None or row["stability"] != row["stability"]
            else f"{row['stability']:.2f}"
        )
        known = (
            ""
            if row["known_genes"] is None or row["known_genes"] != row["known_genes"]
            else f"{row['known_genes']:.0f}"
        )
        lines.append(
            f"| {label(row['method'])} | {spread(row['balanced_error_mean'], row['balanced_error_std'])} | "
            f"{spread(row['auc_mean'], row['auc_std'])} | "
            f"{spread(row['n_nonzero_mean'], row['n_nonzero_std'], 1)} | {stability} | {known} |"
        )
    lines += ["", f"Mean ± standard deviation over test folds ({inputs.n_folds} planned per method)."]
    table = inputs.picked
    found = picked_difference(table, config["folds"]) if len(table) else {}
    if found:
        lines += [
            "",
            "The graph approach minus the peer, each picked inside the training sets:",
            "",
            "| metric | difference | 95 % interval, corrected | p |",
            "|---|---|---|---|",
        ]
        for metric in METRICS:
            digits = 1 if metric == "n_nonzero" else 3
            row = found[metric]
            lines.append(
                f"| {metric} | {row['difference']:+.{digits}f} | {row['low']:+.{digits}f} to "
                f"{row['high']:+.{digits}f} | {row['p']:.2g} |"
            )
    lines += [
        "",
        "The whole report is `report.html` beside this file; LaTeX tables are in `tables/`, figures in "
        "`figures/`.",
    ]
    return "\n".join(lines) + "\n"
