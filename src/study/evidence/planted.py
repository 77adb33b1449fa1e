"""Simulate outcomes from known gene sets on the real expression and network, and count what each method finds.

The sets are connected, as the graph methods assume. Every method is told the size of the set and has one setting, fixed
in advance. All select as many genes as were planted: graph projections have no slack.

A second part varies the penalty: a larger one makes the selection on the real outcome more stable, and may find less of
a planted set.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.optimize import brentq
from scipy.special import expit
from scipy.stats import t as student_t

from graphiht.methods import METHODS as LIBRARY
from graphiht.network import Network
from graphiht.projection import top_s
from study import tables
from study.cv.learners import make_learner
from study.cv.model import GridPoint, Model
from study.cv.nested import Standardiser
from study.cv.outcome import Outcome
from study.cv.splits import generator, make_splits
from study.data.studyfile import Study
from study.errors import StudyError
from study.evidence.controls import FIXED, TRIALS, cross_validate, fixed_point
from study.evidence.random_sets import connected_set, neighbours_of
from study.methods import METHODS, uses_network
from study.stats.scores import auc

# Inverse penalties of an L1 path, from no gene to many.
L1_PATH = np.logspace(-2.5, 1.5, 41)
MEASURES = ("recall", "precision", "near", "auc")
CELL = ["size", "effects", "strength"]
# Sizes of the planted sets; those that do not fit the network are left out.
SIZES = (10, 30)
# The log odds of the event per standard deviation of the score; 0 shows what chance finds.
STRENGTHS = (0, 1, 2, 4)
# All genes count alike in the score, or each has a random sign and a random size between these.
EFFECTS = ("equal", "mixed")
MAGNITUDES = (0.5, 2.0)
# Where the penalty varies: its values, and the strength of the sets, which are the largest and of equal effects.
LAMBDAS = (0.01, 0.1, 1.0, 10.0)
PATH_STRENGTH = 2


class Problem(NamedTuple):
    """A planted set, the score it gives each patient, simulated events, who is held out, and a seed for fits."""

    genes: np.ndarray
    score: np.ndarray
    y: np.ndarray
    train: np.ndarray
    test: np.ndarray
    seed: int


def plant(
    study: Study,
    neighbours: list[list[int]],
    size: int,
    strength: float,
    draw: int,
    settings: dict,
    effects: str = "equal",
) -> Problem:
    """Return the problem of one draw: events with log odds of `strength` per standard deviation of the set's score.

    The score is the sum of the set's genes, with mixed effects a weighted one. The set is the same at every strength,
    and so is each patient's random draw; sets of equal and of mixed effects differ. The mean number of events is that
    of the study. One outer fold, as large as the study's, is held out.
    """
    mixed = effects == "mixed"
    seed, fits = (
        int(generator(settings["seed"], size, draw, f"planted {what}{', mixed' * mixed}").integers(2**31))
        for what in ("set", "fit")
    )
    rng = np.random.default_rng(seed)
    genes = connected_set(neighbours, size, rng)
    weights = rng.choice([-1.0, 1.0], size) * rng.uniform(*MAGNITUDES, size) if mixed else np.ones(size)
    total = (Standardiser(study.X)(study.X)[:, genes] * weights).sum(axis=1)
    score = (total - total.mean()) / total.std()
    odds, rate = strength * score, study.y.mean()
    bound = np.abs(odds).max() + 50.0
    level = brentq(lambda shift: expit(odds + shift).mean() - rate, -bound, bound)
    y = (rng.random(len(odds)) < expit(odds + level)).astype(np.int8)
    splits = make_splits(y, seed, 1, settings["folds"], settings["inner_folds"])
    return Problem(genes, score, y, splits.train(1, 1), splits.test(1, 1), fits)


def fit_of_size(
    method: str,
    study: Study,
    X: np.ndarray,
    y: np.ndarray,
    size: int,
    settings: dict,
    seed: int,
    penalty: float = FIXED.lam,
) -> Model:
    """Return the model of a method that is told to select `size` genes, at the setting of the controls.

    Of a penalised regression the largest weights: of ridge with the penalty that makes its objective ours, of L1 at the
    first of a path of penalties, from strong to weak, that leaves more genes than that.
    """
    row, rng = METHODS[method], np.random.default_rng(seed)
    learner = make_learner(row, settings | {"slack": 0.0}, study)
    if row.C is None:
        point = FIXED._replace(sparsity=size, n_blocks=row.blocks([FIXED.n_blocks])[0], lam=penalty)
        if row.teacher:
            # The middle one of its grid.
            taught = learner.points[len(learner.points) // 2]
            point = point._replace(teacher=taught.teacher, smoothing=taught.smoothing)
        return learner.fit(X, y, point, rng)
    ratio, share = max(row.l1_ratios), y.mean()
    # Our objective is a mean with weights of 2 share (1 - share) on average, scikit-learn's a sum with weights of 1.
    penalties = 1 / L1_PATH if ratio else [len(y) * penalty / (2 * share * (1 - share))]
    for lam in penalties:
        model = learner.fit(X, y, GridPoint(lam=lam, l1_ratio=ratio), rng)
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


def run_planted(part: str, study: Study, settings: dict, number: int) -> list[dict]:
    """Return the rows of one repetition, from 1, of a part of the experiment."""
    run = {"sets": run_draw, "penalty": run_penalties, "stability": run_stability}[part]
    return [{"part": part} | row for row in run(study, settings, number)]


def run_draw(study: Study, settings: dict, draw: int) -> list[dict]:
    """Return a row of evidence/planted per size, kind of effects, strength and method of one draw, counted from 1."""
    names, rows = settings["planted"]["methods"], []
    for size, effects, strength in product(fitting_sizes(study, settings), EFFECTS, STRENGTHS):
        key = {"size": size, "effects": effects, "strength": strength, "draw": draw}
        rows += [key | row for row in _judged(study, settings, key, names, [FIXED.lam])]
    return rows


def run_penalties(study: Study, settings: dict, draw: int) -> list[dict]:
    """Return a row per method of `path_methods` and penalty of one draw: how much of its largest set is found."""
    key = {"size": fitting_sizes(study, settings)[-1], "effects": "equal", "strength": PATH_STRENGTH, "draw": draw}
    return [key | row for row in _judged(study, settings, key, path_methods(settings), LAMBDAS)]


def run_stability(study: Study, settings: dict, trial: int) -> list[dict]:
    """Return a row per method of `path_methods` and penalty: cross-validation of the study's outcome, trials of the
    controls, at their number of genes.
    """
    outcome, point = Outcome.of(study, settings), fixed_point(study.X.shape[1], settings, "the network")
    splits = make_splits(outcome.y, settings["seed"], TRIALS, settings["folds"], settings["inner_folds"])
    rows = []
    for method, penalty in product(path_methods(settings), LAMBDAS):
        result = cross_validate(method, study, splits, settings | {"slack": 0.0}, point._replace(lam=penalty))
        row = {"method": method, "lambda": penalty, "sparsity": point.sparsity, "fits": len(result["aucs"])}
        row |= {key: result[key] for key in ("stability", "often")}
        rows.append(row | {"auc": float(np.mean(result["aucs"]))})
    return rows


def path_methods(settings: dict) -> list[str]:
    """Return the methods whose penalty is varied: those of the library with the full gradient."""
    return [name for name in settings["planted"]["methods"] if name in LIBRARY and LIBRARY[name].gradient == "full"]


def fitting_sizes(study: Study, settings: dict) -> list[int]:
    """Return the sizes of sets that fit a network; raise StudyError if there is none."""
    n_genes = study.X.shape[1]
    fitting = [size for size in SIZES if settings["n_components"] <= size <= n_genes]
    if not fitting:
        raise StudyError(
            f"planted: sets of {' or '.join(map(str, SIZES))} genes do not fit a network of {n_genes} genes and "
            f"n_components {settings['n_components']}. Use a larger network or fewer components."
        )
    return fitting


def _judged(study: Study, settings: dict, key: dict, names: list[str], penalties: Sequence[float]) -> Iterator[dict]:
    """Yield what each method finds of the set of a key (size, effects, strength, draw) at each penalty."""
    n_genes = study.X.shape[1]
    network, neighbours = Network(study.edges, n_genes), neighbours_of(study.edges, n_genes)
    planted = plant(study, neighbours, **key, settings=settings)
    standardise = Standardiser(study.X[planted.train])
    X, held_out = standardise(study.X[planted.train]), standardise(study.X[planted.test])
    y, score = planted.y[planted.test], planted.score[planted.test]
    for method, lam in product(names, penalties):
        model = fit_of_size(method, study, X, planted.y[planted.train], key["size"], settings, planted.seed, lam)
        area = {"auc": auc(y, model.scores(held_out)), "best_auc": auc(y, score)}
        yield {"method": method, "lambda": lam} | found(model.genes, planted.genes, network) | area


def planted_tables(results: list[dict]) -> dict[str, pd.DataFrame]:
    """Return the tables of planted sets by name, from what all repetitions of all parts returned."""
    table = pd.DataFrame([row for row in results if row["part"] == "sets"])
    parts = {part: pd.DataFrame([row for row in results if row["part"] == part]) for part in ("penalty", "stability")}
    return {
        "evidence/planted": table[tables.columns("evidence/planted")],
        "evidence/planted_summary": planted_summary(table),
        "evidence/planted_pairs": planted_pairs(table),
        "evidence/lambda_path": lambda_path(parts["penalty"], parts["stability"]),
    }


def method_without_network(method: str, names: list[str]) -> str | None:
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
    """Return a row per size, effects, strength, method and measure: mean over draws, and paired difference from no
    network.

    Draws are of gene sets and outcomes on the same patients: the intervals are for other sets, not for other cohorts.
    """
    names, rows = list(dict.fromkeys(planted["method"])), []
    for cell, here in planted.groupby(CELL, sort=True):
        wide = here.pivot(index="draw", columns="method", values=list(MEASURES)).sort_index()
        for method in names:
            without = method_without_network(method, names)
            for measure in MEASURES:
                values = wide[measure, method].fillna(0.0).to_numpy()
                row = [*cell, method, measure, len(values), *mean_interval(values)]
                difference = (np.nan,) * 3
                if without:
                    difference = mean_interval(values - wide[measure, without].fillna(0.0).to_numpy())
                rows.append([*row, without or "", *difference])
    return pd.DataFrame(rows, columns=tables.columns("evidence/planted_summary"))


def planted_pairs(planted: pd.DataFrame) -> pd.DataFrame:
    """Return a row per size, effects, strength and pair of methods, the first with the network: recall, paired by draw.

    Differences and ratios of the means over draws, with 95 % intervals.
    """
    names, rows = list(dict.fromkeys(planted["method"])), []
    for cell, here in planted.groupby(CELL, sort=True):
        wide = here.pivot(index="draw", columns="method", values="recall").sort_index()
        for method, other in product(filter(uses_network, names), names):
            if method != other:
                first, second = wide[method].to_numpy(), wide[other].to_numpy()
                both = mean_interval(first - second), ratio_interval(first, second)
                rows.append([*cell, method, other, len(wide), *both[0], *both[1]])
    return pd.DataFrame(rows, columns=tables.columns("evidence/planted_pairs"))


def ratio_interval(first: np.ndarray, second: np.ndarray) -> tuple[float, float, float]:
    """Return the ratio of two means, paired, with a 95 % interval: Student's, of its logarithm, by the delta method."""
    means = first.mean(), second.mean()
    if not min(means) > 0:
        return means[0] / means[1] if means[1] > 0 else np.nan, np.nan, np.nan
    ratio, low, high = means[0] / means[1], *mean_interval(first / means[0] - second / means[1])[1:]
    return float(ratio), float(ratio * np.exp(low)), float(ratio * np.exp(high))


def lambda_path(penalties: pd.DataFrame, stability: pd.DataFrame) -> pd.DataFrame:
    """Return a row per method and penalty: stability on the real outcome, and the share of planted sets that is found.

    `often` counts the genes that more than nine of ten fits on the real outcome select.
    """
    if penalties.empty:
        return pd.DataFrame(columns=tables.columns("evidence/lambda_path"))
    rows = []
    for (method, lam, size, strength), own in penalties.groupby(["method", "lambda", "size", "strength"], sort=False):
        recall = own.sort_values("draw")["recall"].to_numpy()
        rows.append([method, lam, size, strength, len(own), *mean_interval(recall)])
    names = ["method", "lambda", "size", "strength", "draws", "recall", "low", "high"]
    path = stability.merge(pd.DataFrame(rows, columns=names), on=["method", "lambda"])
    return path[tables.columns("evidence/lambda_path")]
