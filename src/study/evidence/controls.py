"""Negative controls: the same cross-validation where there is nothing to find, or no meaning in the network.

Every method has one setting, fixed in advance, so nothing is tuned and nothing can be tuned too well.
"""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from study import methods
from study.cv.model import Point
from study.cv.outcome import Outcome
from study.cv.splits import Splits, generator, make_splits
from study.data.networks import coexpression, join
from study.data.studyfile import Study
from study.evidence.fixed import fixed_learner, fold_fits
from study.evidence.rewiring import rewire
from study.errors import StudyError
from study.stats.scores import auc, balanced_error
from study.stats.supports import STABLE_FREQUENCY, jaccard_within


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


def cross_validate(method: str, study: Study, splits: Splits, settings: dict) -> dict:
    """Return the result of one method at its fixed setting over all trials and folds.

    Parameters
    ----------
    settings : dict
        The keys seed, controls and those that the method's learner needs of the configuration.
    """
    fixed, seed = settings["controls"], settings["seed"]
    row = methods.METHODS[method]
    (n_blocks,) = row.blocks([fixed["n_blocks"]])
    point = Point(fixed["lambda"], fixed["sparsity"], n_blocks, epochs=fixed["epochs"])
    learner = fixed_learner(row, point, study, settings)
    errors, areas, failed = [], [], 0
    supports = np.zeros((len(splits.outer) * splits.n_outer, study.X.shape[1]), bool)
    outcome, all_scores = Outcome.of(study, settings), np.empty(len(study.y))
    fits = fold_fits(learner, point, study.X, outcome, splits, len(splits.outer), seed, "refit")
    for support, (test, model, scores) in zip(supports, fits, strict=True):
        all_scores[test] = scores
        rows, weights = outcome.weigh(test, np.setdiff1d(np.arange(len(study.y)), test))
        errors.append(balanced_error(outcome.y[rows], all_scores[rows], weights=weights))
        areas.append(auc(outcome.y[rows], all_scores[rows], weights))
        failed += model.status == "diverged"
        support[model.genes] = True
    frequent = supports.mean(axis=0) >= STABLE_FREQUENCY
    return {
        "balanced_errors": errors,
        "aucs": areas,
        "failed": int(failed),
        "mean_genes": float(supports.sum(axis=1).mean()),
        "mean_jaccard": jaccard_within(supports),
        "frequent_genes": study.symbol[frequent].tolist(),
    }


def run_control(control: str, study: Study, settings: dict, repetition: int) -> list[dict]:
    """Return a result per method of one repetition of a control, with the seconds it took."""
    fixed = settings["controls"]
    changed = control_study(control, study, settings, repetition)
    _check_sparsity(fixed["sparsity"], control, changed.X.shape[1], settings["n_components"])
    splits = make_splits(
        Outcome.of(study, settings).y, settings["seed"], fixed["trials"], settings["folds"], settings["inner_folds"]
    )
    results = []
    for method in control_methods(control, fixed["methods"]):
        start = time.perf_counter()
        result = cross_validate(method, changed, splits, settings)
        row = {"control": control, "method": method, "repetition": repetition}
        results.append(row | result | {"seconds": time.perf_counter() - start})
    return results


def _check_sparsity(sparsity: int, control: str, n_genes: int, n_components: int) -> None:
    if sparsity > n_genes:
        raise StudyError(
            f"config: controls: sparsity: expected at most the {n_genes} genes of control {control}, found {sparsity}; "
            f"set a smaller one."
        )
    if sparsity < n_components:
        raise StudyError(
            f"config: controls: sparsity: expected at least n_components, {n_components}, found {sparsity}."
        )
