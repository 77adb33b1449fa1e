"""Negative controls: the same cross-validation where there is nothing to find, or no meaning in the network.

Every method has one setting, fixed in advance, so nothing is tuned and nothing can be tuned too well.
"""

from __future__ import annotations

import time

import numpy as np

from graphiht.methods import METHODS
from graphiht.network import Network
from study.cv.learners import IHT
from study.cv.model import Point
from study.cv.nested import Standardiser
from study.cv.splits import Splits, generator, make_splits
from study.data.networks import coexpression, join
from study.data.studyfile import Study
from study.evidence.rewiring import rewire
from study.plan import distinct_blocks
from study.run.errors import StudyError
from study.stats.scores import auc, balanced_error
from study.stats.supports import STABLE_FREQUENCY, jaccard_within

CONTROLS = ("real", "labels", "network", "coexpression")


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
        return _replaced(study, X=study.X[rng.permutation(len(study.y))])
    if control == "network":
        return _replaced(study, edges=rewire(study.edges, rng))
    if control == "coexpression":
        edges, strength = coexpression(study.X, settings["coexpression_neighbours"])
        return join(study, edges, strength, 0.0, "coexpression")
    return study


def _replaced(study: Study, **changes: np.ndarray) -> Study:
    return Study(**(vars(study) | changes))


def control_methods(control: str, methods: list[str]) -> list[str]:
    """Return the methods a control says something about: a changed network concerns those that use it."""
    if control in ("network", "coexpression"):
        return [method for method in methods if METHODS[method].uses_network]
    return list(methods)


def cross_validate(method: str, study: Study, splits: Splits, settings: dict) -> dict:
    """Return the result of one method at its fixed setting over all trials and folds.

    Parameters
    ----------
    settings : dict
        The keys seed, controls, edge_cost and those that `study.cv.learners.IHT` needs of the configuration.
    """
    fixed = settings["controls"]
    blocks = distinct_blocks(method, [fixed["n_blocks"]])
    grid = {"sparsities": [fixed["sparsity"]], "lambdas": [fixed["lambda"]], "n_blocks": blocks}
    network = Network(study.edges, study.X.shape[1], study.costs(settings["edge_cost"]))
    learner = IHT(method, settings | grid, network)
    point = Point(fixed["lambda"], fixed["sparsity"], blocks[0])
    errors, areas, supports, failed = [], [], [], 0
    for trial in range(1, len(splits.outer) + 1):
        for fold in range(1, splits.n_outer + 1):
            train, test = splits.train(trial, fold), splits.test(trial, fold)
            standardise = Standardiser(study.X[train])
            rng = generator(settings["seed"], trial, fold, "refit")
            model = learner.fit(standardise(study.X[train]), study.y[train], point, rng)
            scores = model.scores(standardise(study.X[test]))
            errors.append(balanced_error(study.y[test], scores))
            areas.append(auc(study.y[test], scores))
            failed += model.status == "diverged"
            chosen = np.zeros(study.X.shape[1], bool)
            chosen[model.genes] = True
            supports.append(chosen)
    supports = np.array(supports)
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
        study.y, settings["seed"], fixed["trials"], settings["folds"], settings["inner_folds"]
    )
    results = []
    for method in control_methods(control, fixed["methods"]):
        start = time.perf_counter()
        found = cross_validate(method, changed, splits, settings)
        seconds = time.perf_counter() - start
        results.append(
            {"control": control, "method": method, "repetition": repetition, **found, "seconds": seconds}
        )
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
