"""The charts that the page draws itself: what they are made of."""

from __future__ import annotations

import pandas as pd
from markupsafe import Markup, escape

from study.methods import colour, headline, label
from study.report.blocks import Chart, as_json

GROUP_DASH = {"high": "", "low": "5 4"}


def numbers(values: pd.Series, digits: int = 4) -> list:
    """Return numbers as a chart takes them."""
    return [None if pd.isna(value) else round(float(value), digits) for value in values]


def curve(table: pd.DataFrame, x: str, y: str, name: str, shade: str, dash: str = "", extra: str | None = None) -> dict:
    """Return one series of a chart: points, band and colour."""
    series = {"name": name, "colour": shade, "dash": dash, "x": numbers(table[x]), "y": numbers(table[y])}
    series |= {key: numbers(table[key]) for key in ("low", "high") if key in table}
    if extra:
        series["extra"] = numbers(table[extra], 0)
    return series


def chart(id_: str, title: str, caption: str | Markup, views: list[dict], **spec) -> Chart:
    """Return a chart of views, of which the page shows one at a time."""
    return Chart(id_, Markup(escape(caption)), title, as_json({**spec, "views": views}))


def by_method(table: pd.DataFrame, x: str, y: str, extra: str | None = None, name: str = "") -> dict:
    """Return a view with a curve per method."""
    series = [
        curve(rows, x, y, label(method), colour(method), extra=extra)
        for method, rows in table.groupby("method", sort=False)
    ]
    return {"name": name, "series": series}


def km_chart(id_: str, table: pd.DataFrame, keys: list[str], title: str, time: str, groups: str) -> Chart:
    """Return Kaplan-Meier curves, two in a view; `groups` says how they were made.

    A view per combination of the `keys`, of which the last is the method; it opens with the one that stands for the
    graph approach.
    """
    parts = list(table.groupby(keys, sort=False))
    views = []
    for names, part in parts:
        shade = colour(names[-1])
        series = [
            curve(rows, "time", "survival", f"{group} risk", shade, GROUP_DASH[group], "at_risk")
            for group, rows in part.groupby("group", sort=False)
        ]
        views.append({"name": ", ".join(map(label, names)), "series": series})
    return chart(
        id_,
        title,
        "Kaplan-Meier curves of the high-risk (solid) and low-risk (dashed) patients with 95 % bands; "
        f"hover or use the arrow keys for values and the number at risk. {groups}",
        views,
        type="step",
        x=time,
        y="survival",
        ymin=0,
        ymax=1,
        extra="at risk",
        start=first_view([names[-1] for names, _ in parts]),
    )


def first_view(names: list[str]) -> int:
    """Return which view a chart opens with: that of the method that stands for the graph approach."""
    return names.index(headline(names))
