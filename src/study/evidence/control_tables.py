"""The negative controls as one table, and what it says about the network in one sentence."""

from __future__ import annotations

import numpy as np
import pandas as pd

from study.evidence.paper import paired_difference

ALL_GRAPH = "graph methods"
WITHOUT = "iht"
LEVEL = 0.05
ORDER = ["real", "labels", "network", "coexpression"]
COLUMNS = [
    "control",
    "method",
    "repetitions",
    "balanced_error",
    "balanced_error_std",
    "auc",
    "auc_std",
    "p",
    "seconds",
    "p_auc",
    "difference",
    "low",
    "high",
    "mean_genes",
    "mean_jaccard",
    "failed",
]


def repetitions_table(results: list[dict]) -> pd.DataFrame:
    """Return a row per control, method and repetition; the mean of the graph methods is a method of its own.

    The mean is what the network is judged by: one number per repetition, so that nothing needs to be adjusted for
    the number of methods.
    """
    rows = []
    for result in results:
        rows.append(
            {key: result[key] for key in ("control", "method", "repetition")}
            | {"balanced_error": np.mean(result["balanced_errors"]), "auc": np.mean(result["aucs"])}
            | {key: result[key] for key in ("mean_genes", "mean_jaccard", "failed", "seconds")}
        )
    table = pd.DataFrame(rows)
    graph = table[table["method"].str.startswith("graph-")]
    numbers = ["balanced_error", "auc", "mean_genes", "mean_jaccard"]
    groups = graph.groupby(["control", "repetition"], sort=False)
    mean = groups[numbers].mean().join(groups[["failed", "seconds"]].sum()).reset_index()
    table = pd.concat([table, mean.assign(method=ALL_GRAPH)[table.columns]], ignore_index=True)
    place = {control: i for i, control in enumerate(ORDER)}
    methods = {method: i for i, method in enumerate(dict.fromkeys(table["method"]))}
    key = pd.DataFrame(
        {"c": table["control"].map(place), "m": table["method"].map(methods), "r": table["repetition"]}
    )
    return table.loc[key.sort_values(["c", "m", "r"], kind="stable").index].reset_index(drop=True)


def controls_table(results: list[dict], folds: int) -> pd.DataFrame:
    """Return a row per control and method.

    balanced_error_std and auc_std are over repetitions, and empty where there is one. p is (k + 1)/(n + 1), k of n
    repetitions having a balanced error at most that of the real data; p_auc likewise with an AUC at least as
    large. difference, low and high are the balanced error on the real network minus that of the alternative, with a
    95 % interval, paired by fold and corrected for overlapping folds; the alternative is the co-expression network, or,
    in the rows `real`, no network (IHT). mean_jaccard is that between the
    folds' gene sets. failed counts diverged fits, which are part of every number. seconds is the only column that
    differs between equal runs.
    """
    table = repetitions_table(results)
    real = table[table["control"] == "real"].set_index("method")
    rows = []
    for (control, method), group in table.groupby(["control", "method"], sort=False):
        n = len(group)
        row = {"control": control, "method": method, "repetitions": n}
        for metric in ("balanced_error", "auc"):
            row[metric] = group[metric].mean()
            row[f"{metric}_std"] = group[metric].std(ddof=1) if n > 1 else np.nan
        if control in ("labels", "network"):
            # Means over equal folds can differ in the last bit; a tie counts as as good.
            as_good = group["balanced_error"] <= real.loc[method, "balanced_error"] + 1e-12
            as_sharp = group["auc"] >= real.loc[method, "auc"] - 1e-12
            row |= {"p": (as_good.sum() + 1) / (n + 1), "p_auc": (as_sharp.sum() + 1) / (n + 1)}
        alternative = method if control == "coexpression" else WITHOUT
        if control == "coexpression" or (control == "real" and WITHOUT in real.index and method != WITHOUT):
            found = paired_difference(
                by_fold(results, "real", method), by_fold(results, control, alternative), folds
            )
            row |= {key: found[key] for key in ("difference", "low", "high")}
        row |= {key: group[key].mean() for key in ("mean_genes", "mean_jaccard")}
        rows.append(row | {"failed": int(group["failed"].sum()), "seconds": round(group["seconds"].sum(), 2)})
    return pd.DataFrame(rows, columns=COLUMNS)


def by_fold(results: list[dict], control: str, method: str) -> np.ndarray:
    """Return the balanced errors of a single run by fold; for the graph methods together, their mean."""
    chosen = [
        result["balanced_errors"]
        for result in results
        if result["control"] == control
        and (result["method"] == method or (method == ALL_GRAPH and result["method"].startswith("graph-")))
    ]
    return np.mean(chosen, axis=0)


def network_sentence(controls: pd.DataFrame) -> str:
    """Return what the network contributes to prediction, in one sentence computed from `controls.csv`.

    Judged by the graph methods together, on balanced error and on AUC: the network helps by a metric when at most a
    share LEVEL of rewired networks is as good, which takes at least 1/LEVEL - 1 repetitions to say.
    """
    together = controls[controls["method"] == ALL_GRAPH].set_index("control")
    if not {"real", "network"} <= set(together.index):
        return "What the network contributes was not measured: no graph method took part in the controls."
    real, rewired = together.loc["real"], together.loc["network"]
    n = int(rewired["repetitions"])
    said = (
        f"At one fixed setting the graph methods have {_performance(real)} on the real network and "
        f"{_performance(rewired)} on {n} {'network' if n == 1 else 'networks'} with the same degrees but random edges "
        f"(p = {rewired['p']:.2g} by balanced error, {rewired['p_auc']:.2g} by AUC"
        f"{f'; {n} can give no less than {1 / (n + 1):.2g}' if rewired[['p', 'p_auc']].min() * (n + 1) < 1.5 else ''})"
    )
    if "coexpression" in together.index:
        said += f", {_performance(together.loc['coexpression'])} on the co-expression network"
    without = controls[(controls["control"] == "real") & (controls["method"] == WITHOUT)]
    if len(without):
        said += (
            f", and IHT {_performance(without.iloc[0])} without any (graph methods - IHT: {real['difference']:+.3f}, "
            f"95 % interval {real['low']:+.3f} to {real['high']:+.3f})"
        )
    return f"{said}: {_verdict(real, rewired, n, bool(len(without)))}."


def _performance(row: pd.Series) -> str:
    return f"balanced error {row['balanced_error']:.3f} and AUC {row['auc']:.3f}"


def _verdict(real: pd.Series, rewired: pd.Series, n: int, has_alternative: bool) -> str:
    if 1 / (n + 1) > LEVEL:
        return f"too few repetitions ({n}) to say whether the network helps"
    by_error, by_area = rewired["p"] <= LEVEL, rewired["p_auc"] <= LEVEL
    if not by_error and not by_area:
        return "no evidence that the network makes predictions more accurate"
    if by_error and by_area:
        said = "real edges predict better than random ones"
    elif by_error:
        gain = rewired["balanced_error"] - real["balanced_error"]
        said = f"real edges gain {gain:.3f} in balanced error over random ones and nothing in ranking patients (AUC)"
    else:
        gain = real["auc"] - rewired["auc"]
        said = f"real edges gain {gain:.3f} in AUC over random ones and nothing in balanced error"
    if has_alternative and real["high"] >= 0:
        said += ", and no clear difference from no network at all"
    return said
