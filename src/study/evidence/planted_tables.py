"""Planted sets over draws: how much each method finds, and what the network adds, with intervals."""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.stats import t as student_t

from study import tables
from study.methods import METHODS, headline, label

MEASURES = ("recall", "precision", "near", "auc")


def plain_of(method: str, names: list[str]) -> str | None:
    """Return which of some methods is the same without the network: of the same learner, best with the same gradients.

    None for a method that uses none, or where there is no such method.
    """
    row = METHODS[method]
    alike = [METHODS[name] for name in names if METHODS[name].learner == row.learner and not METHODS[name].uses_network]
    if not row.uses_network or not alike:
        return None
    return next((other.name for other in alike if other.gradient == row.gradient), alike[0].name)


def mean_interval(values: np.ndarray) -> tuple[float, float, float]:
    """Return the mean over draws with Student's 95 % interval; of a single draw the bounds are NaN."""
    mean, n = float(np.mean(values)), len(values)
    if n < 2:
        return mean, np.nan, np.nan
    half = float(student_t.ppf(0.975, n - 1) * np.std(values, ddof=1) / np.sqrt(n))
    return mean, mean - half, mean + half


def planted_summary(planted: pd.DataFrame) -> pd.DataFrame:
    """Return a row per size, strength, method and measure: mean over draws, and paired difference from no network.

    Draws are of gene sets and outcomes on the same patients: the intervals are for other sets, not for other cohorts.
    """
    names, rows = list(dict.fromkeys(planted["method"])), []
    for (size, strength), here in planted.groupby(["size", "strength"], sort=True):
        wide = here.pivot(index="draw", columns="method", values=list(MEASURES)).sort_index()
        for method in names:
            without = plain_of(method, names)
            for measure in MEASURES:
                values = wide[measure, method].fillna(0.0).to_numpy()
                row = [size, strength, method, measure, len(values), *mean_interval(values)]
                difference = (np.nan,) * 3
                if without:
                    difference = mean_interval(values - wide[measure, without].fillna(0.0).to_numpy())
                rows.append([*row, without or "", *difference])
    return pd.DataFrame(rows, columns=tables.columns("evidence/planted_summary"))


def planted_sentence(summary: pd.DataFrame) -> str:
    """Return what the network is worth where the truth is connected, in sentences computed from the summary."""
    compared = summary[(summary["without"] != "") & (summary["strength"] > 0)]
    if not len(compared):
        return "What the network is worth was not measured: no method took part both with it and without."
    name = headline(list(dict.fromkeys(compared["method"])))
    own = compared[compared["method"] == name]
    without, draws = own["without"].iloc[0], int(own["draws"].iloc[0])
    texts = []
    for measure, what in (("recall", "more of the planted genes"), ("auc", "a higher AUC on held-out patients")):
        part = own[own["measure"] == measure]
        more, less = int((part["difference_low"] > 0).sum()), int((part["difference_high"] < 0).sum())
        span = f"differences {part['difference'].min():+.3f} to {part['difference'].max():+.3f}"
        texts.append(f"{what} than {label(without)} in {more} of {len(part)} settings, and less in {less} ({span})")
    best = own[own["measure"] == "recall"].sort_values("strength", kind="stable").groupby("size").tail(1)
    values = summary[(summary["measure"] == "recall") & (summary["method"] == without)]
    values = values.set_index(["size", "strength"])["value"]
    strongest = "; ".join(
        f"of {row.size} genes at strength {row.strength:g} it finds {row.value:.0%}, {label(without)} "
        f"{values[row.size, row.strength]:.0%}"
        for row in best.itertuples(index=False)
    )
    return (
        f"Where the truth is a connected set, {label(name)} finds {texts[0]}; it has {texts[1]}. A setting counts "
        f"where the 95 % interval over {draws} draws excludes no difference. {strongest[0].upper()}{strongest[1:]}."
    )
