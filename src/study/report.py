"""The report page: numbers from the tables, words from the configuration."""

from __future__ import annotations

from pathlib import Path

import jinja2
import pandas as pd

N_GENES_SHOWN = 25


def _spread(mean: float, std: float, digits: int) -> str:
    return f"{mean:.{digits}f} ± {std:.{digits}f}"


def _method_rows(metrics: pd.DataFrame, over_all: pd.DataFrame) -> list[dict]:
    rows = []
    for summary in over_all.to_dict("records"):
        folds = metrics[metrics["method"] == summary["method"]]
        rows.append(
            {
                "method": summary["method"],
                "balanced_error": _spread(summary["balanced_error_mean"], summary["balanced_error_std"], 3),
                "auc": _spread(summary["auc_mean"], summary["auc_std"], 3),
                "n_nonzero": _spread(summary["n_nonzero_mean"], summary["n_nonzero_std"], 1),
                "best_error": summary["balanced_error_mean"] == over_all["balanced_error_mean"].min(),
                "best_auc": summary["auc_mean"] == over_all["auc_mean"].max(),
                "one_block": f"{(folds['n_blocks'] == 1).sum()} of {len(folds)}",
                "converged": f"{(folds['status'] == 'converged').sum()} of {len(folds)}",
            }
        )
    return rows


def _gene_rows(genes: pd.DataFrame, methods: list[str], n_folds: int, known: list[str]) -> list[dict]:
    by_gene = genes.groupby(["symbol", "method"])["weight"].agg(["size", "mean"])
    order = genes.groupby("symbol").size().sort_values(ascending=False, kind="stable").index[:N_GENES_SHOWN]
    entrez = genes.drop_duplicates("symbol").set_index("symbol")["entrez"]
    rows = []
    for symbol in order:
        cells = []
        for method in methods:
            count, weight = by_gene.loc[(symbol, method)] if (symbol, method) in by_gene.index else (0, 0.0)
            cells.append({"share": f"{count / n_folds:.2f}", "weight": f"{weight:+.3f}" if count else "–"})
        identifier = entrez[symbol]
        rows.append(
            {
                "symbol": symbol,
                "entrez": None if pd.isna(identifier) else int(identifier),
                "known": symbol in known,
                "cells": cells,
            }
        )
    return rows


def render(
    template: str | Path,
    data: dict,
    metrics: pd.DataFrame,
    summary: pd.DataFrame,
    genes: pd.DataFrame,
    config: dict,
) -> str:
    """Return the page as HTML."""
    over_all = summary[summary["trial"] == "all"]
    methods = over_all["method"].tolist()
    n_folds = config["trials"] * config["folds"]
    best = over_all.loc[over_all["balanced_error_mean"].idxmin()]
    answer = (
        f"Of {len(methods)} methods, {best['method']} has the lowest balanced error on patients it never saw: "
        f"{_spread(best['balanced_error_mean'], best['balanced_error_std'], 3)} with "
        f"{best['n_nonzero_mean']:.0f} genes on average (AUC {best['auc_mean']:.3f}). Folds overlap, so differences "
        f"much smaller than the standard deviations mean nothing."
    )
    failed = int(over_all["failed_folds"].sum())
    if failed:
        answer += f" {failed} fits diverged; they are counted in every number."
    trials = []
    for trial, group in summary[summary["trial"] != "all"].groupby("trial", sort=False):
        cells = group.set_index("method").loc[methods]
        spreads = zip(cells["balanced_error_mean"], cells["balanced_error_std"], strict=True)
        trials.append({"name": trial, "cells": [_spread(mean, std, 3) for mean, std in spreads]})
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    return environment.from_string(Path(template).read_text(encoding="utf-8")).render(
        cohort=config["cohort"],
        network=config["network"],
        answer=answer,
        n_folds=n_folds,
        methods=_method_rows(metrics, over_all),
        data=data,
        genes=_gene_rows(genes, methods, n_folds, data["known_genes"]),
        trials=trials,
        config=config,
    )
