"""What the benchmarks share: training sets, a clock, what users would pick instead, and the files the docs quote."""

import argparse
import functools
import sys
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.special import expit
from skglm import SparseLogisticRegression
from sklearn.linear_model import LogisticRegression

from graphiht.backend import require_sound_pcst_fast
from graphiht.fitting import fit
from graphiht.network import Network
from graphiht.solver import Settings
from study.cv.nested import Standardiser
from study.cv.splits import make_splits
from study.data.studyfile import Study
from study.methods import unavailable

OURS = ("iht", "htp", "graph-iht", "graph-htp")
MEASURED = Path(__file__).parents[2] / "docs/measured"


class Problem(NamedTuple):
    """A training set with its network, the number of genes to select, the rows left out, and the true genes if known.

    `k` are the weights of the rows in `graphiht`'s class-balanced loss. Everyone gets the same matrix, in float64.
    """

    X: np.ndarray
    y: np.ndarray
    network: Network
    size: int
    X_test: np.ndarray
    y_test: np.ndarray
    truth: np.ndarray | None = None

    @property
    def k(self):
        return np.where(self.y == 1, np.mean(self.y == 0), np.mean(self.y == 1))


def problem(study, y, train, test, size, truth=None):
    """Return a problem of a study's matrix, standardised as in the study."""
    standardise, network = Standardiser(study.X[train]), Network(study.edges, study.X.shape[1])
    X, X_test = (standardise(study.X[rows]).astype(np.float64) for rows in (train, test))
    return Problem(X, y[train], network, size, X_test, y[test], truth)


def folds_of(study, size=50, trials=2):
    """Yield the problems of the study's first trials, five folds each."""
    splits = make_splits(study.y, seed=0, trials=trials, folds=5, inner_folds=5)
    for trial in range(1, trials + 1):
        for fold in range(1, 6):
            yield problem(study, study.y, splits.train(trial, fold), splits.test(trial, fold), size)


def study_argument(doc):
    """Return the study named on the command line."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--study", type=Path, default=Path("results/nki/scnet/study.npz"), help="study file")
    return Study.load(parser.parse_args().study)


def timed(function, repeats=5):
    """Return (answer, smallest processor time of some calls in seconds)."""
    seconds = []
    for _ in range(repeats):
        start = time.process_time()
        answer = function()
        seconds.append(time.process_time() - start)
    return answer, min(seconds)


def write(name, rows):
    """Write and print a table that the docs quote: docs/measured/<name>.csv."""
    MEASURED.mkdir(exist_ok=True)
    table = pd.DataFrame(rows)
    table.to_csv(MEASURED / f"{name}.csv", index=False, lineterminator="\n")
    print(f"{name}\n{table.to_string(index=False)}\n", flush=True)


def shown(value, digits=3):
    """Return a number of some significant digits as text, without the zero before its decimal point."""
    text = np.format_float_positional(value, digits, unique=False, fractional=False, trim="-")
    return text.removeprefix("0") if value else "0"


def refit(p, support, lam):
    """Return (weights, intercept, objective) on a support, by scikit-learn: the yardstick for every method."""
    model = LogisticRegression(C=1 / (len(p.y) * lam), solver="newton-cholesky", tol=1e-8, max_iter=200)
    model.fit(p.X[:, support], p.y, sample_weight=p.k)
    w, margins = model.coef_[0], model.decision_function(p.X[:, support])
    return w, model.intercept_[0], np.mean(p.k * np.logaddexp(0, margins * (1 - 2 * p.y))) + 0.5 * lam * w @ w


def ours(method, p, lam, **options):
    """Return the support that `fit` selects: exactly as many genes as the others."""
    return fit(method, p.X, p.y, sparsity=p.size, lam=lam, network=p.network, slack=0.0, **options).support


def largest(p, w):
    """Return the largest of some weights."""
    return np.sort(np.argsort(-np.abs(w))[: p.size])


def by_abess(p, lam):
    """Return the support of abess: the same loss and ridge, more exchanges and Newton steps than its defaults."""
    options = {"alpha": 0.5 * len(p.y) * lam, "exchange_num": 10, "primary_model_fit_max_iter": 30, "thread": 0}
    model = Abess(support_size=p.size, **options).fit(p.X, p.y, sample_weight=p.k, is_normal=False)
    return np.flatnonzero(model.coef_)


def by_skglm(p, lam):
    """Return the largest weights where a warm-started L1 path first has enough of them; skglm weighs no rows."""
    model, top = SparseLogisticRegression(warm_start=True), np.abs(p.X.T @ (p.y - p.y.mean())).max() / len(p.y)
    for model.alpha in top * np.logspace(0, -2, 41)[1:]:
        w = model.fit(p.X, 2 * p.y.astype(int) - 1).coef_.ravel()
        if np.count_nonzero(w) >= p.size:
            break
    return largest(p, w)


def ridge(p, lam):
    """Return scikit-learn's ridge on all genes, by the fastest of its solvers here."""
    return LogisticRegression(C=1 / (len(p.y) * lam), solver="newton-cg").fit(p.X, p.y, sample_weight=p.k)


def by_pcst_fast(p, lam):
    """Return the support of GraphIHT as one would write it with NumPy and pcst_fast, with our step rule and epochs.

    The plain search rarely meets a size, so it gets a window: nine tenths of the genes are enough.
    """
    w, c, n, sign = np.zeros(p.X.shape[1]), 0.0, len(p.y), 1 - 2 * p.y.astype(float)
    for _ in range(Settings.max_epochs):
        margins = p.X @ w + c
        residual = p.k * (expit(margins) - p.y) / n
        g, slope = p.X.T @ residual + lam * w, residual.sum()
        along = p.X @ g + slope
        for t in Settings.shrink ** np.arange(Settings.max_shrinks + 1):
            loss, there = (
                p.k @ np.logaddexp(0, (margins - u * along) * sign) / n + 0.5 * lam * ((w - u * g) ** 2).sum()
                for u in (0.0, t)
            )
            if there <= loss - 0.5 * t * (g @ g + slope**2):
                break
        z = w - t * g
        support = plain_search(z, p.network, p.size - p.size // 10, p.size)
        w, c = np.zeros_like(w), c - t * slope
        w[support] = z[support]
    return np.sort(support)


ABESS = {} if unavailable(["abess"]) else {"abess": by_abess}
if ABESS:
    # Here, so that its threads are known before they are limited.
    from abess import LogisticRegression as Abess
else:
    print("comparisons with abess left out: abess is not installed", file=sys.stderr)
PEERS = {
    **{name: functools.partial(ours, name) for name in OURS},
    "GraphIHT by NumPy and pcst_fast": by_pcst_fast,
    **ABESS,
    "skglm, L1": by_skglm,
    "scikit-learn, ridge": lambda p, lam: largest(p, ridge(p, lam).coef_[0]),
}


@functools.cache
def library():
    """Return the function of pcst_fast, or None, once with the reason, where it cannot be used."""
    try:
        return require_sound_pcst_fast()
    except RuntimeError as error:
        print(f"comparisons with pcst-fast left out: {error}", file=sys.stderr)
        return None


def plain_search(v, network, low, high, max_solves=50):
    """Return the support of the plain search: bisect the costs' multiplier in [0, 2 max prize] on pcst_fast.

    If the window is not reached: the largest support found below it.
    """
    edges, prizes = network.edges.astype(np.int64), v**2
    small, large, best = 0.0, 2.0 * prizes.max(), np.empty(0, np.int64)
    for _ in range(max_solves):
        multiplier = 0.5 * (small + large)
        support = library()(edges, prizes, multiplier * network.costs, -1, 1, "strong", 0)[0]
        if len(best) < len(support) <= high:
            best = support
        if low <= len(support) <= high:
            break
        small, large = (multiplier, large) if len(support) > high else (small, multiplier)
    return best
