"""The negative controls as tables, and what they say about the network in one sentence.

Apart from the fits themselves, so that another sentence does not run them again.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

from study import tables
from study.methods import GROUPS, HEADLINE, PAIRS, label, uses_network
from study.stats.enrichment import LEAST_GENES
from study.stats.paired import paired_difference

ALL_GRAPH, _ = GROUPS
# What the graph methods are compared with: the same without a network.
WITHOUT = PAIRS[HEADLINE]
LEVEL = 0.05
ORDER = ["real", "labels", "network", "coexpression"]


def repetitions_table(results: list[dict]) -> pd.DataFrame:
    """Return a row per control, method and repetition; the mean of the graph methods is a method of its own.

    The mean is what the network is judged by: one number per repetition, so that nothing needs to be adjusted for
    the number of methods.
    """
    table = pd.DataFrame(results).assign(
        balanced_error=[np.mean(result["balanced_errors"]) for result in results],
        auc=[np.mean(result["aucs"]) for result in results],
    )
    table = table[[*tables.columns("evidence/controls_repetitions"), "seconds"]]
    groups = table[table["method"].map(uses_network)].groupby(["control", "repetition"], sort=False)
    numbers = ["balanced_error", "auc", "mean_genes", "mean_jaccard"]
    mean = groups[numbers].mean().join(groups[["failed", "seconds"]].sum()).reset_index()
    table = pd.concat([table, mean.assign(method=ALL_GRAPH)], ignore_index=True)
    place = {name: i for i, name in enumerate([*ORDER, *dict.fromkeys(table["method"])])}
    order = table[["control", "method", "repetition"]].map(lambda value: place.get(value, value))
    return table.loc[order.sort_values(list(order)).index].reset_index(drop=True)


def controls_table(results: list[dict], folds: int) -> pd.DataFrame:
    """Return a row per control and method.

    balanced_error_std and auc_std are over repetitions, and empty where there is one. p is (k + 1)/(n + 1), k of n
    repetitions having a balanced error at most that of the real data; p_auc likewise with an AUC at least as
    large. difference, low and high are the balanced error on the real network minus that of the alternative, with a
    95 % interval, paired by fold and corrected for overlapping folds; the alternative is the co-expression network, or,
    in the rows `real`, no network (IHT). mean_jaccard is that between the folds' gene sets. failed counts diverged
    fits, which are part of every number. seconds is the only column that differs between equal runs.
    """
    table = repetitions_table(results)
    real = table[table["control"] == "real"].set_index("method")
    rows = []
    for (control, method), group in table.groupby(["control", "method"], sort=False):
        n = len(group)
        row = {"control": control, "method": method, "repetitions": n}
        for metric in ("balanced_error", "auc"):
            row |= {metric: group[metric].mean(), f"{metric}_std": group[metric].std(ddof=1)}
        if control in ("labels", "network"):
            # Means over equal folds can differ in the last bit; a tie counts as as good.
            as_good = group["balanced_error"] <= real.loc[method, "balanced_error"] + 1e-12
            as_sharp = group["auc"] >= real.loc[method, "auc"] - 1e-12
            row |= {"p": (as_good.sum() + 1) / (n + 1), "p_auc": (as_sharp.sum() + 1) / (n + 1)}
        alternative = method if control == "coexpression" else WITHOUT
        if control == "coexpression" or (control == "real" and WITHOUT in real.index and method != WITHOUT):
            test = paired_difference(by_fold(results, "real", method), by_fold(results, control, alternative), folds)
            row |= {key: test[key] for key in ("difference", "low", "high")}
        row |= {key: group[key].mean() for key in ("mean_genes", "mean_jaccard")}
        rows.append(row | {"failed": int(group["failed"].sum()), "seconds": round(group["seconds"].sum(), 2)})
    return pd.DataFrame(rows, columns=tables.columns("evidence/controls"))


def by_fold(results: list[dict], control: str, method: str) -> np.ndarray:
    """Return the balanced errors of a single run by fold; for the graph methods together, their mean."""
    of_control = [result for result in results if result["control"] == control]
    is_member = uses_network if method == ALL_GRAPH else method.__eq__
    return np.mean([result["balanced_errors"] for result in of_control if is_member(result["method"])], axis=0)


def rewired_table(results: list[dict], sets: pd.DataFrame, members: np.ndarray, symbols: np.ndarray) -> pd.DataFrame:
    """Return if random edges select the same biology: a row per method and gene set that its frequent genes share.

    overlap counts the set's genes among those selected in at least half of the fits on the real network, rewired is
    the mean of the same on networks with the same degrees and random edges, and p is (k + 1)/(n + 1), k of
    these n having at least that overlap. Degrees and expression are the same, so a small p is due to which genes
    interact. It is nominal: there is one per set.

    Parameters
    ----------
    results : list
        What `study.evidence.controls.run_control` returned.
    sets : table with the columns collection, pathway, name
    members : bool array (sets, genes)
    symbols : array (genes,)
    """

    def overlaps(control: str, method: str) -> np.ndarray:
        chosen = [r for r in results if (r["control"], r["method"]) == (control, method)]
        return np.array([(members & np.isin(symbols, r["frequent_genes"])).sum(axis=1) for r in chosen])

    parts, size = [tables.empty("evidence/rewired_pathways")], members.sum(axis=1)
    for method in dict.fromkeys(result["method"] for result in results if result["control"] == "network"):
        (real,), rewired = overlaps("real", method), overlaps("network", method)
        table = sets[["collection", "pathway", "name"]].assign(
            method=method,
            genes_in_network=size,
            overlap=real,
            rewired=rewired.mean(axis=0),
            p=((rewired >= real).sum(axis=0) + 1) / (len(rewired) + 1),
            repetitions=len(rewired),
        )
        table = table[(real > 0) & (size >= LEAST_GENES)]
        parts.append(table.sort_values(["overlap", "pathway"], ascending=[False, True]))
    return pd.concat(parts, ignore_index=True)


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
    text = (
        f"At one fixed setting the graph methods have {_performance(real)} on the real network and "
        f"{_performance(rewired)} on {n} {'network' if n == 1 else 'networks'} with the same degrees but random edges "
        f"(p = {rewired['p']:.2g} by balanced error, {rewired['p_auc']:.2g} by AUC"
        f"{f'; {n} can give no less than {1 / (n + 1):.2g}' if rewired[['p', 'p_auc']].min() * (n + 1) < 1.5 else ''})"
    )
    if "coexpression" in together.index:
        text += f", {_performance(together.loc['coexpression'])} on the co-expression network"
    without = controls[(controls["control"] == "real") & (controls["method"] == WITHOUT)]
    if len(without):
        text += (
            f", and {label(WITHOUT)} {_performance(without.iloc[0])} without any ({ALL_GRAPH} - {label(WITHOUT)}: "
            f"{real['difference']:+.3f}, 95 % interval {real['low']:+.3f} to {real['high']:+.3f})"
        )
    return f"{text}: {_verdict(real, rewired, n, bool(len(without)))}."


def _performance(row: pd.Series) -> str:
    return f"balanced error {row['balanced_error']:.3f} and AUC {row['auc']:.3f}"


def _verdict(real: pd.Series, rewired: pd.Series, n: int, has_alternative: bool) -> str:
    if 1 / (n + 1) > LEVEL:
        return f"too few repetitions ({n}) to say whether the network helps"
    by_error, by_area = rewired["p"] <= LEVEL, rewired["p_auc"] <= LEVEL
    if not by_error and not by_area:
        return "no evidence that the network makes predictions more accurate"
    if by_error and by_area:
        text = "real edges predict better than random ones"
    elif by_error:
        gain = rewired["balanced_error"] - real["balanced_error"]
        text = f"real edges gain {gain:.3f} in balanced error over random ones and nothing in ranking patients (AUC)"
    else:
        gain = real["auc"] - rewired["auc"]
        text = f"real edges gain {gain:.3f} in AUC over random ones and nothing in balanced error"
    if has_alternative and real["high"] >= 0:
        text += ", and no clear difference from no network at all"
    return text
