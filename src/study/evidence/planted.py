"""A truth that is known: outcomes simulated from a connected gene set on the real expression and the real network.

Which genes decide is known here, and they are connected, as the graph methods assume: here a network has to show what
it is worth. Every method is told the size of the set and has one setting, fixed in advance.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.optimize import brentq
from scipy.special import expit
from scipy.stats import t as student_t

from graphiht.network import Network
from graphiht.projection import top_s
from study import tables
from study.cv.learners import make_learner
from study.cv.model import Model, Point
from study.cv.nested import Standardiser
from study.cv.splits import generator, make_splits
from study.data.studyfile import Study
from study.errors import StudyError
from study.evidence.controls import FIXED
from study.evidence.random_sets import connected_set, neighbours_of
from study.methods import METHODS
from study.stats.scores import auc

# Inverse penalties of an L1 path, from no gene to many.
L1_PATH = np.logspace(-2.5, 1.5, 41)
MEASURES = ("recall", "precision", "near", "auc")


# Sizes of the planted sets; those that do not fit the network are left out.
SIZES = (10, 30)
# The log odds of the event per standard deviation of the mean of the set; 0 shows what chance finds.
STRENGTHS = (0, 1, 2, 4)


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
    """Return the model of a method that is told to select `size` genes, at the setting of the controls.

    Of a penalised regression the largest weights: of ridge with the penalty that makes its objective ours, of L1 at the
    first of a path of penalties, from strong to weak, that leaves more genes than that.
    """
    row, rng = METHODS[method], np.random.default_rng(seed)
    learner = make_learner(row, settings, study)
    if row.C is None:
        point = FIXED._replace(sparsity=size, n_blocks=row.blocks([FIXED.n_blocks])[0])
        return learner.fit(X, y, point, rng)
    ratio, share = max(row.l1_ratios), y.mean()
    # Our objective is a mean with weights of 2 share (1 - share) on average, scikit-learn's a sum with weights of 1.
    penalties = 1 / L1_PATH if ratio else [len(y) * FIXED.lam / (2 * share * (1 - share))]
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
    """Return a row of evidence/planted per size, strength and method of one draw, counted from 1."""
    n_genes = study.X.shape[1]
    fitting = [size for size in SIZES if settings["n_components"] <= size <= n_genes]
    if not fitting:
        raise StudyError(
            f"planted: sets of {' or '.join(map(str, SIZES))} genes do not fit a network of {n_genes} genes and "
            f"n_components {settings['n_components']}. Use a larger network or fewer components."
        )
    network, neighbours = Network(study.edges, n_genes), neighbours_of(study.edges, n_genes)
    rows = []
    for size, strength in product(fitting, STRENGTHS):
        genes, score, y, train, test = plant(study, neighbours, size, strength, draw, settings)
        standardise = Standardiser(study.X[train])
        X, held_out = standardise(study.X[train]), standardise(study.X[test])
        seed = int(generator(settings["seed"], size, draw, "planted fit").integers(2**31))
        for method in settings["planted"]["methods"]:
            model = fit_of_size(method, study, X, y[train], size, settings, seed)
            area = {"auc": auc(y[test], model.scores(held_out)), "best_auc": auc(y[test], score[test])}
            key = {"size": size, "strength": strength, "draw": draw, "method": method}
            rows.append(key | found(model.genes, genes, network) | area)
    return rows


def planted_tables(rows: list[dict]) -> dict[str, pd.DataFrame]:
    """Return the tables of planted sets by name, from what `run_draw` returned of all draws."""
    table = pd.DataFrame(rows)
    return {"evidence/planted": table, "evidence/planted_summary": planted_summary(table)}


def plain_of(method: str, names: list[str]) -> str | None:
    """Return which of some methods is the same without the network: same learner, and same gradients if there is one.

    None for a method that uses no network, or where there is no such method.
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
