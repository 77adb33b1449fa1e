"""Negative controls: the same cross-validation where there is nothing to find, or no meaning in the network.

Every method has one setting, fixed in advance, so nothing is tuned and nothing can be tuned too well.
"""

import time
from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd

from study import methods, tables
from study.cv.learners import make_learner
from study.cv.model import GridPoint
from study.cv.nested import standardiser
from study.cv.outcome import Outcome
from study.cv.splits import Splits, generator, make_splits
from study.data.networks import coexpression, join
from study.data.studyfile import Study
from study.errors import StudyError
from study.evidence.rewiring import rewire
from study.stats.paired import paired_difference
from study.stats.scores import auc, balanced_error
from study.stats.supports import STABLE_FREQUENCY, jaccard_within, nogueira

ALL_GRAPH, _ = methods.GROUPS
# What the graph methods are compared with: the same without a network.
WITHOUT = methods.PAIRS[methods.HEADLINE]
ORDER = ["real", "labels", "network", "coexpression"]
# The setting of all methods; on a network of fewer genes half of them are selected.
FIXED = GridPoint(lam=0.3, sparsity=50, n_blocks=2, epochs=10)
# A gene is selected again and again when more than this share of the fits have it.
OFTEN = 0.9
# Of the cross-validation in each repetition of a control.
TRIALS = 5


def control_study(control: str, study: Study, settings: dict, repetition: int) -> Study:
    """Return the study with its labels or its network replaced.

    labels
        The rows of the expression are permuted against outcomes and folds. This permutes the labels and keeps the
        folds stratified, so the real cross-validation is one of equally likely ones when there is nothing to find.
    network
        The edges are rewired; every gene keeps its degree.
    coexpression
        The network is that of `network: coexpression`, cut to its largest component.
    real
        The study itself.
    """
    rng = generator(settings["seed"], repetition, 0, f"control {control}")
    if control == "labels":
        return replace(study, X=study.X[rng.permutation(len(study.y))])
    if control == "network":
        return replace(study, edges=rewire(study.edges, rng))
    if control == "coexpression":
        edges, strength = coexpression(study, settings)
        return join(study, edges, strength, 0.0, "coexpression")
    return study


def control_methods(control: str, names: list[str]) -> list[str]:
    """Return the methods a control says something about: a changed network concerns those that use it."""
    if control in ("network", "coexpression"):
        return [name for name in names if methods.uses_network(name)]
    return list(names)


def cross_validate(method: str, study: Study, splits: Splits, settings: dict, point: GridPoint = FIXED) -> dict:
    """Return the result of one method at a fixed setting over all trials and folds."""
    row = methods.METHODS[method]
    point = point._replace(n_blocks=row.blocks([point.n_blocks])[0])
    learner, outcome = make_learner(row, settings, study), Outcome.of(study, settings)
    errors, areas, failed, supports, scores = [], [], 0, [], np.empty(len(study.y))
    for trial, fold in product(range(1, len(splits.outer) + 1), range(1, splits.n_outer + 1)):
        train, test = splits.train(trial, fold), splits.test(trial, fold)
        standardise = standardiser(study, train)
        rows, weights = outcome.ipcw_weights(train, train)
        rng = generator(settings["seed"], trial, fold, "refit")
        model = learner.fit(standardise(study.X[rows]), outcome.y[rows], point, rng, weights)
        scores[test] = model.scores(standardise(study.X[test]))
        rows, weights = outcome.ipcw_weights(test, train)
        errors.append(balanced_error(outcome.y[rows], scores[rows], weights=weights))
        areas.append(auc(outcome.y[rows], scores[rows], weights))
        failed += model.status == "diverged"
        supports.append(np.isin(np.arange(study.X.shape[1]), model.genes))
    supports = np.array(supports)
    frequent = supports.mean(axis=0) >= STABLE_FREQUENCY
    return {
        "balanced_errors": errors,
        "aucs": areas,
        "failed": int(failed),
        "mean_genes": float(supports.sum(axis=1).mean()),
        "mean_jaccard": jaccard_within(supports),
        "stability": nogueira(supports)[0],
        "often": int((supports.mean(axis=0) > OFTEN).sum()),
        "frequent_genes": study.symbol[frequent].tolist(),
    }


def fixed_point(n_genes: int, settings: dict, where: str) -> GridPoint:
    """Return the setting of all methods on a network; raise StudyError if it has fewer genes than components."""
    point = FIXED._replace(sparsity=n_genes // 2) if FIXED.sparsity > n_genes else FIXED
    if point.sparsity < settings["n_components"]:
        raise StudyError(
            f"config: n_components is {settings['n_components']}, but on the {n_genes} genes of {where} "
            f"{point.sparsity} genes are selected. Use a larger network or fewer components."
        )
    return point


def run_control(control: str, study: Study, settings: dict, repetition: int) -> list[dict]:
    """Return a result per method of one repetition (from 1) of a control, with the seconds it took."""
    changed = control_study(control, study, settings, repetition)
    point = fixed_point(changed.X.shape[1], settings, f"control {control}")
    y = Outcome.of(study, settings).y
    splits = make_splits(y, settings["seed"], TRIALS, settings["folds"], settings["inner_folds"])
    results = []
    for method in control_methods(control, settings["controls"]["methods"]):
        start = time.perf_counter()
        result = cross_validate(method, changed, splits, settings, point)
        row = {"control": control, "method": method, "repetition": repetition}
        results.append(row | result | {"seconds": time.perf_counter() - start})
    return results


def repetitions_table(results: list[dict]) -> pd.DataFrame:
    """Return a row per control, method and repetition; the mean of the paper's graph methods is a method of its own.

    The network is judged by this mean: one number per repetition, so that nothing needs to be adjusted for the number
    of methods.
    """
    table = pd.DataFrame(results).assign(
        balanced_error=[np.mean(result["balanced_errors"]) for result in results],
        auc=[np.mean(result["aucs"]) for result in results],
    )
    keys, numbers = ["control", "method", "repetition"], ["balanced_error", "auc", "mean_genes", "mean_jaccard"]
    table = table[[*keys, *numbers, "failed", "seconds"]]
    groups = table[table["method"].isin(methods.GROUPS[ALL_GRAPH])].groupby(["control", "repetition"], sort=False)
    mean = groups[numbers].mean().join(groups[["failed", "seconds"]].sum()).reset_index()
    table = pd.concat([table, mean.assign(method=ALL_GRAPH)], ignore_index=True)
    rank = {name: i for i, name in enumerate([*ORDER, *dict.fromkeys(table["method"])])}
    order = table[keys].map(lambda value: rank.get(value, value))
    return table.loc[order.sort_values(list(order)).index].reset_index(drop=True)


def controls_table(results: list[dict], folds: int) -> pd.DataFrame:
    """Return a row per control and method.

    balanced_error_std and auc_std are over repetitions, and empty where there is one. p is (k + 1)/(n + 1), where k of
    n repetitions have a balanced error at most that of the real data; p_auc likewise with an AUC at least as large.
    difference, low and high are the balanced error on the real network minus that of the alternative, with a 95 %
    interval, paired by fold and corrected for overlapping folds; the alternative is the co-expression network, or, in
    the rows `real`, no network: the same method without it if that ran, else IHT. mean_jaccard is that between the
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
            row |= {metric: group[metric].mean(), f"{metric}_std": group[metric].std(ddof=1)}
        if control in ("labels", "network"):
            # Means over equal folds can differ in the last bit; a tie counts as as good.
            as_good = group["balanced_error"] <= real.loc[method, "balanced_error"] + 1e-12
            as_sharp = group["auc"] >= real.loc[method, "auc"] - 1e-12
            row |= {"p": (as_good.sum() + 1) / (n + 1), "p_auc": (as_sharp.sum() + 1) / (n + 1)}
        # Without the network, the same method if that ran, else the simplest.
        plain = methods.PAIRS.get(method)
        alternative = method if control == "coexpression" else plain if plain in real.index else WITHOUT
        on_network = method == ALL_GRAPH or methods.uses_network(method)
        if control == "coexpression" or (control == "real" and on_network and alternative in real.index):
            test = paired_difference(by_fold(results, "real", method), by_fold(results, control, alternative), folds)
            row |= {key: test[key] for key in ("difference", "low", "high")}
        row |= {key: group[key].mean() for key in ("mean_genes", "mean_jaccard")}
        rows.append(row | {"failed": int(group["failed"].sum()), "seconds": round(group["seconds"].sum(), 2)})
    return pd.DataFrame(rows, columns=tables.columns("evidence/controls"))


def by_fold(results: list[dict], control: str, method: str) -> np.ndarray:
    """Return the balanced errors of a single run by fold; for the graph methods together, their mean."""
    is_member = methods.GROUPS[ALL_GRAPH].__contains__ if method == ALL_GRAPH else method.__eq__
    chosen = [result for result in results if result["control"] == control and is_member(result["method"])]
    return np.mean([result["balanced_errors"] for result in chosen], axis=0)
