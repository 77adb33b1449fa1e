"""The answer and the main table in Markdown, for a paper's notes or a message."""

from __future__ import annotations

from markupsafe import Markup

from study.evidence.paper import picked_difference
from study.methods import label
from study.metrics import METRICS
from study.report.blocks import is_blank
from study.report.inputs import Inputs
from study.report.sections import left_out
from study.report.sections.answer import overview
from study.report.show import spread
from study.report.templates import render
from study.tables import markdown


def summary(inputs: Inputs, numbers: dict) -> str:
    """Return the summary; `numbers` are those of the first section."""
    pooled = inputs.study.is_pooled
    screen = "left_out_screen.html.j2" if pooled else "first_screen.html.j2"
    values = {"rows": left_out_rows(inputs)} if pooled else {"rows": method_rows(inputs), "picked": picked_rows(inputs)}
    text = render(
        "summary.md.j2",
        config=inputs.config,
        is_pooled=pooled,
        answer=_plain(render(screen, inputs=inputs, **(numbers | {"not_run": []}))),
        n_folds=inputs.n_folds,
        **{name: markdown(rows) if rows else "" for name, rows in values.items()},
    )
    return str(text).strip() + "\n"


def _plain(html: Markup) -> str:
    """Return HTML as text."""
    return " ".join(Markup(str(html).replace("</p>", "</p> ")).striptags().split())


def method_rows(inputs: Inputs) -> list[dict]:
    """Return the main numbers of every method."""
    rows = []
    for row in overview(inputs).to_dict("records"):
        cells = {
            "method": label(row["method"]),
            "AUC": spread(row["auc_mean"], row["auc_std"]),
            "balanced error": spread(row["balanced_error_tuned_mean"], row["balanced_error_tuned_std"]),
            "at one half": spread(row["balanced_error_mean"], row["balanced_error_std"]),
            "genes": spread(row["n_nonzero_mean"], row["n_nonzero_std"], 1),
            "stability": _or_empty(row["stability"], ".2f"),
            "on permuted outcomes": _or_empty(row["permuted_stability"], ".2f"),
            "known genes": _or_empty(row["known_genes"], ".0f"),
        }
        if not inputs.permuted_stability:
            del cells["on permuted outcomes"]
        rows.append(cells)
    return rows


def _or_empty(value: float | None, layout: str) -> str:
    return "" if is_blank(value) else format(value, layout)


def picked_rows(inputs: Inputs) -> list[dict]:
    """Return the picked graph method minus the picked baseline by metric."""
    rows = []
    for metric, row in picked_difference(inputs.picked, inputs.config["folds"]).items():
        difference, low, high = (f"{row[key]:+.{METRICS[metric].digits}f}" for key in ("difference", "low", "high"))
        cells = {"metric": metric, "difference": difference, "95 % interval, corrected": f"{low} to {high}"}
        rows.append(cells | {"p": f"{row['p']:.2g}"})
    return rows


def left_out_rows(inputs: Inputs) -> list[dict]:
    """Return every method over the cohorts left out."""
    table = inputs.evidence["left_out_summary"]
    table = table[(table["of"] == "value") & (table["cohorts"] == left_out.ALL)]
    return [
        {
            "trained on": row.round,
            "method": label(row.method),
            "metric": left_out.METRICS[row.metric],
            "over cohorts": f"{row.estimate:.3f} ({row.low:.3f} to {row.high:.3f})",
            "std between": f"{row.tau:.3f}",
        }
        for row in table.itertuples()
    ]
