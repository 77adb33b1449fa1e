"""The report page: numbers from the tables, words from the configuration."""

from __future__ import annotations

from pathlib import Path

import jinja2
import pandas as pd

from study.plan import PEER_GRIDS, PEER_SOLVERS

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
                "tuned": _spread(
                    summary["balanced_error_tuned_mean"], summary["balanced_error_tuned_std"], 3
                ),
                "best_error": summary["balanced_error_mean"] == over_all["balanced_error_mean"].min(),
                "best_auc": summary["auc_mean"] == over_all["auc_mean"].max(),
                "one_block": f"{(folds['n_blocks'] == 1).sum()} of {len(folds)}"
                if folds["n_blocks"].any()
                else "–",
                "converged": f"{(folds['status'] == 'converged').sum()} of {len(folds)}",
            }
        )
    return rows


def _gene_rows(genes: pd.DataFrame, methods: list[str], n_folds: int, known: list[str]) -> list[dict]:
    genes = genes[genes["method"].isin(methods)]
    counts = (
        genes.groupby(["symbol", "method"])
        .size()
        .unstack(fill_value=0)
        .reindex(columns=methods, fill_value=0)
    )
    order = counts.sum(axis=1).sort_values(ascending=False, kind="stable").index[:N_GENES_SHOWN]
    weight = genes.groupby("symbol")["weight"].mean()
    entrez = genes.drop_duplicates("symbol").set_index("symbol")["entrez"]
    return [
        {
            "symbol": symbol,
            "entrez": None if pd.isna(entrez[symbol]) else int(entrez[symbol]),
            "known": symbol in known,
            "sign": "more" if weight[symbol] > 0 else "fewer",
            "shares": [f"{count / n_folds:.2f}" for count in counts.loc[symbol]],
        }
        for symbol in order
    ]


def _peer_sentence(kind: str, metrics: pd.DataFrame) -> str:
    """Return what a reader must know to trust a peer: its solver, its grid, and its unconverged fits."""
    least, largest, n_values, ratios = PEER_GRIDS[kind]
    mixed = f", L1 shares {', '.join(map(str, ratios))}" if len(ratios) > 1 else ""
    folds = metrics[metrics["method"] == kind]
    unconverged = int((folds["status"] != "converged").sum())
    return (
        f"{kind}: logistic regression ({PEER_SOLVERS[kind]}), balanced classes, C from {n_values} values "
        f"between {10**least:.2g} and {10**largest:.2g}{mixed}; {unconverged} of {len(folds)} final fits unconverged."
    )


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
    selecting = over_all.loc[over_all["n_nonzero_mean"] < data["n_genes"], "method"].tolist()
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
        selecting=selecting,
        genes=_gene_rows(genes, selecting, n_folds, data["known_genes"]),
        trials=trials,
        peers=[_peer_sentence(kind, metrics) for kind in PEER_GRIDS if kind in methods],
        config=config,
    )
