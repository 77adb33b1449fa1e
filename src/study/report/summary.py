"""The answer and the main table in Markdown, for a paper's notes or a message."""

from __future__ import annotations

import pandas as pd
from markupsafe import Markup

from study.evidence.paper import picked_difference
from study.methods import label
from study.metrics import METRICS
from study.report.inputs import Inputs
from study.report.sections import left_out
from study.report.sections.answer import overview
from study.report.sentences import answer
from study.report.show import spread
from study.tables import markdown


def summary(inputs: Inputs) -> str:
    """Return the summary: the first paragraph, the methods' numbers, the picked difference, where the rest is."""
    config = inputs.config
    rows = [
        {
            "method": label(row["method"]),
            "AUC": spread(row["auc_mean"], row["auc_std"]),
            "balanced error": spread(row["balanced_error_tuned_mean"], row["balanced_error_tuned_std"]),
            "at one half": spread(row["balanced_error_mean"], row["balanced_error_std"]),
            "genes": spread(row["n_nonzero_mean"], row["n_nonzero_std"], 1),
            "stability": "" if pd.isna(row["stability"]) else f"{row['stability']:.2f}",
            **(
                {
                    "on permuted outcomes": ""
                    if pd.isna(row["permuted_stability"])
                    else f"{row['permuted_stability']:.2f}"
                }
                if inputs.permuted_stability
                else {}
            ),
            "known genes": "" if pd.isna(row["known_genes"]) else f"{row['known_genes']:.0f}",
        }
        for row in overview(inputs).to_dict("records")
    ]
    parts = [
        f"# Cohort {config['cohort']}, network {config['network']}: {config['trials']} x {config['folds']} folds",
        _plain(answer(inputs)),
        markdown(rows),
        f"Mean ± standard deviation over test folds ({inputs.n_folds} planned per method).",
    ]
    differences = picked_difference(inputs.picked, config["folds"]) if len(inputs.picked) else {}
    if differences:
        rows = []
        for metric, row in differences.items():
            difference, low, high = (f"{row[key]:+.{METRICS[metric].digits}f}" for key in ("difference", "low", "high"))
            rows.append({"metric": metric, "difference": difference, "95 % interval, corrected": f"{low} to {high}"})
            rows[-1]["p"] = f"{row['p']:.2g}"
        parts += [
            "The graph approach minus the baseline, each picked inside the training sets:",
            markdown(rows),
        ]
    parts.append(
        "The whole report is `report.html` beside this file; LaTeX tables are in `tables/`, figures in `figures/`."
    )
    return "\n\n".join(parts) + "\n"


def _plain(html: Markup) -> str:
    """Return HTML as text."""
    return " ".join(html.replace("</p>", "</p> ").striptags().split())


def pooled_summary(inputs: Inputs) -> str:
    """Return the summary of pooled cohorts: the answer, and every method over the cohorts left out."""
    table = inputs.evidence["left_out_summary"]
    table = table[(table["of"] == "value") & (table["cohorts"] == left_out.ALL)]
    rows = [
        {
            "trained on": row.round,
            "method": label(row.method),
            "metric": left_out.METRICS[row.metric],
            "over cohorts": f"{row.estimate:.3f} ({row.low:.3f} to {row.high:.3f})",
            "std between": f"{row.tau:.3f}",
        }
        for row in table.itertuples()
    ]
    parts = [
        f"# Pooled cohorts, network {inputs.config['network']}: each of {inputs.config['folds']} left out",
        _plain(left_out.answer(inputs)),
        markdown(rows),
        "Random effects with 95 % intervals. The whole report is `report.html` beside this file.",
    ]
    return "\n\n".join(parts) + "\n"
