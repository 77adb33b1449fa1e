"""A truth that is known: outcomes simulated from a connected gene set on the real expression and the real network.

Which genes decide is known here, and they are connected, as the graph methods assume: this is where a network has to
show what it is worth. Every method is told the size of the set and has one setting, fixed in advance.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit

from graphiht.network import Network
from graphiht.projection import top_s
from study.cv.model import Model, Point, make_learner
from study.cv.nested import Standardiser
from study.cv.splits import generator, make_splits
from study.data.studyfile import Study
from study.evidence.fixed import fixed_learner
from study.evidence.random_sets import connected_set, neighbours_of
from study.methods import METHODS
from study.errors import StudyError
from study.stats.scores import auc

# Inverse penalties of an L1 path, from no gene to many.
L1_PATH = np.logspace(-2.5, 1.5, 41)


class Problem(NamedTuple):
    """A planted set, the score it gives each patient, simulated events, and who is held out."""

    genes: np.ndarray
    score: np.ndarray
    y: np.ndarray
    train: np.ndarray
    test: np.ndarray


def plant(study: Study, neighbours: list[list[int]], size: int, strength: float, draw: int, settings: dict) -> Problem:
    """Return the problem of one draw: events with log odds of `strength` per standard deviation of the set's mean.

    The set is the same at every strength, and so is each patient's luck. As many patients have the event, on average,
    as in the study. One outer fold, as large as the study's, is held out.
    """
    seed = int(generator(settings["seed"], size, draw, "planted set").integers(2**31))
    rng = np.random.default_rng(seed)
    genes = connected_set(neighbours, size, rng)
    total = Standardiser(study.X)(study.X)[:, genes].sum(axis=1)
    score = (total - total.mean()) / total.std()
    odds, rate = strength * score, study.y.mean()
    bound = np.abs(odds).max() + 50.0
    level = brentq(lambda shift: expit(odds + shift).mean() - rate, -bound, bound)
    y = (rng.random(len(odds)) < expit(odds + level)).astype(np.int8)
    splits = make_splits(y, seed, 1, settings["folds"], settings["inner_folds"])
    return Problem(genes, score, y, splits.train(1, 1), splits.test(1, 1))


def fit_of_size(method: str, study: Study, X: np.ndarray, y: np.ndarray, size: int, settings: dict, seed: int) -> Model:
    """Return the model of a method that is told to select `size` genes.

    Of a penalised regression the largest weights: of ridge with the penalty that makes its objective ours, of L1 at the
    first of a path of penalties, from strong to weak, that leaves more genes than that.
    """
    row, fixed = METHODS[method], settings["planted"]
    rng = np.random.default_rng(seed)
    if row.C is None:
        (n_blocks,) = row.blocks([fixed["n_blocks"]])
        point = Point(fixed["lambda"], size, n_blocks, epochs=fixed["epochs"])
        return fixed_learner(row, point, study, settings).fit(X, y, point, rng)
    learner, ratio, share = make_learner(row, settings, study), max(row.l1_ratios), y.mean()
    # Our objective is a mean with weights of 2 share (1 - share) on average, scikit-learn's a sum with weights of 1.
    penalties = 1 / L1_PATH if ratio else [len(y) * fixed["lambda"] / (2 * share * (1 - share))]
    for lam in penalties:
        model = learner.fit(X, y, Point(lam=lam, l1_ratio=ratio), rng)
        if len(model.genes) > size:
            kept = top_s(model.weights, size).support
            return Model(model.genes[kept], model.weights[kept], model.intercept, model.status)
    return model


def found(selected: np.ndarray, planted: np.ndarray, network: Network) -> dict:
    """Return how much of a planted set is selected, how much of what is selected was planted, and how much is near.

    Near: selected, or the neighbour of a selected gene.
    """
    chosen = np.zeros(network.n_nodes, bool)
    chosen[selected] = True
    ends = network.edges
    near = chosen.copy()
    near[ends[chosen[ends[:, 0]], 1]] = True
    near[ends[chosen[ends[:, 1]], 0]] = True
    hits = int(chosen[planted].sum())
    return {
        "selected": len(selected),
        "recall": hits / len(planted),
        "precision": hits / len(selected) if len(selected) else np.nan,
        "near": float(near[planted].mean()),
    }


def run_draw(study: Study, settings: dict, draw: int) -> list[dict]:
    """Return a row of evidence/planted per size, strength and method of one draw.

    Parameters
    ----------
    settings : dict
        The keys seed, folds, inner_folds, planted, and those that learners need.
    """
    wanted, n_genes = settings["planted"], study.X.shape[1]
    if max(wanted["sizes"]) > n_genes or min(wanted["sizes"]) < settings["n_components"]:
        raise StudyError(
            f"config: planted: sizes: expected {settings['n_components']} to {n_genes} genes, found "
            f"{', '.join(map(str, wanted['sizes']))}."
        )
    network, neighbours = Network(study.edges, n_genes), neighbours_of(study.edges, n_genes)
    rows = []
    for size in wanted["sizes"]:
        for strength in wanted["strengths"]:
            genes, score, y, train, test = plant(study, neighbours, size, strength, draw, settings)
            standardise = Standardiser(study.X[train])
            X, held_out = standardise(study.X[train]), standardise(study.X[test])
            seed = int(generator(settings["seed"], size, draw, "planted fit").integers(2**31))
            for method in wanted["methods"]:
                model = fit_of_size(method, study, X, y[train], size, settings, seed)
                area = {"auc": auc(y[test], model.scores(held_out)), "best_auc": auc(y[test], score[test])}
                key = {"size": size, "strength": strength, "draw": draw, "method": method}
                rows.append(key | found(model.genes, genes, network) | area)
    return rows
