"""Measure the solver on a cohort: cost and failed line searches per method, and what chose the defaults.

    python tests/bench/bench_solver.py --study results/nki/scnet/study.npz
    python tests/bench/bench_solver.py --study results/nki/scnet/study.npz --compare

The table (first form) goes to the screen and into the section "solver" of reports/benchmarks.json. The
comparison (second form) of head sizes, intercept steps and stopping rules looks only at
inner errors: patients of a trial's outer test fold are never predicted.
"""

import argparse
import platform
import time
from itertools import product
from pathlib import Path

import numpy as np
from sections import write_section

from graphiht.fitting import fit, fit_path
from graphiht.losses import balanced_logistic
from graphiht.methods import METHODS
from graphiht.network import Network
from study.cv.splits import stratified
from study.stats.scores import auc, balanced_error

SPARSITIES = list(range(10, 101, 10))
LAMBDAS = [1e-3, 0.1, 0.3, 1.0]
LINE = "{:<16}{:>7}{:>10}{:>10}{:>9}{:>9}{:>9}{:>10}{:>9}"


def main():
    """Run the benchmark that the arguments ask for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--study", type=Path, default=Path("results/nki/scnet/study.npz"), help="study file")
    parser.add_argument("--output", type=Path, default=Path("reports/benchmarks.json"), help="JSON to merge into")
    parser.add_argument("--repeats", type=int, default=5, help="timed repetitions, of which the median counts")
    parser.add_argument("--compare", action="store_true", help="compare settings by inner error (minutes)")
    parser.add_argument("--only", nargs="*", help="with --compare: only these comparisons")
    parser.add_argument("--trials", type=int, default=2, help="with --compare: trials of five outer folds")
    parser.add_argument("--seed", type=int, default=20240601)
    arguments = parser.parse_args()
    if not arguments.study.exists():
        parser.error(f"--study: expected a study file, found nothing at {arguments.study}; `make study` writes it")
    with np.load(arguments.study) as study:
        X, y, edges = study["X"], study["y"].astype(int), study["edges"]
    if arguments.compare:
        section, result = "solver_comparison", compare(X, y, edges, arguments)
    else:
        section, result = "solver", time_methods(X, y, edges, arguments)
    write_section(arguments.output, section, result)


def standardised(X, train):
    """Return X, centred and scaled by the training rows."""
    scale = X[train].std(axis=0)
    return (X - X[train].mean(axis=0)) / np.where(scale > 0, scale, 1.0)


def time_methods(X, y, edges, arguments):
    """Return and print the table: a training set of four fifths, s = 50, 40 epochs, by method and blocks."""
    network = Network(edges, X.shape[1])
    train = stratified(y, 5, np.random.default_rng(arguments.seed)) != 1
    loss = balanced_logistic(standardised(X, train)[train], y[train])
    print(f"{train.sum()} patients, {X.shape[1]} genes, {len(edges)} edges; CPU milliseconds a fit")
    print("40 epochs: s = 50, lambda = 0.1, no early stop; default: with it, ten at most; grid: mean over s and lambda")
    print(LINE.format("method", "blocks", "40 epochs", "default", "grid", "steps", "solves", "searches", "failed"))
    rows = []
    for method, n_blocks in product(METHODS, (1, 2)):
        options = {"network": network, "n_blocks": n_blocks}

        def single(method=method, options=options, **settings):
            rng = np.random.default_rng(arguments.seed)
            return fit(method, loss, sparsity=50, lam=0.1, rng=rng, **options, **settings)

        def grid(method=method, options=options):
            rng = np.random.default_rng(arguments.seed)
            return fit_path(method, loss, sparsities=SPARSITIES, lambdas=LAMBDAS, rng=rng, **options)

        full_ms, full = median_ms(lambda single=single: single(max_epochs=40, tol=-1.0), arguments.repeats)
        default_ms, _ = median_ms(single, arguments.repeats)
        grid_ms, fits = median_ms(grid, 1)
        searches = sum(f.n_line_searches for f in fits.values())
        failed = sum(f.n_line_searches_failed for f in fits.values())
        row = {
            "method": method,
            "n_blocks": n_blocks,
            "ms_40_epochs": full_ms,
            "ms_default": default_ms,
            "ms_grid": grid_ms / len(fits),
            "steps_40_epochs": full.n_steps,
            "solves_40_epochs": full.n_solves,
            "line_searches_grid": searches,
            "share_failed_grid": failed / searches,
            "worst_share_failed_grid": max(f.n_line_searches_failed / f.n_line_searches for f in fits.values()),
            "epochs_grid": float(np.mean([f.epochs for f in fits.values()])),
            "share_converged_grid": float(np.mean([f.status == "converged" for f in fits.values()])),
        }
        rows.append(row)
        numbers = [f"{row[key]:.1f}" for key in ("ms_40_epochs", "ms_default", "ms_grid")]
        share = f"{100 * row['share_failed_grid']:.1f} %"
        print(LINE.format(method, n_blocks, *numbers, full.n_steps, full.n_solves, searches, share), flush=True)
    return {
        "study": arguments.study.name,
        "patients": int(train.sum()),
        "genes": X.shape[1],
        "machine": platform.machine(),
        "methods": rows,
    }


def median_ms(function, repeats):
    """Return (median CPU milliseconds, last result) of calls after one that compiles."""
    function()
    seconds = []
    for _ in range(repeats):
        start = time.process_time()
        result = function()
        seconds.append(time.process_time() - start)
    return 1e3 * float(np.median(seconds)), result


COMPARISONS = {
    "head": [
        ("graph-iht", 1, {"head": "identity"}),
        ("graph-iht", 1, {"head": "half"}),
        ("graph-iht", 1, {"head": "2s"}),
    ],
    "intercept": [
        (method, 1, {"intercept": intercept})
        for method in ("graph-iht", "iht")
        for intercept in ("newton", "exact", "gradient", "none")
    ],
    "stop": [
        (method, n_blocks, {"max_epochs": max_epochs, "tol": tol})
        for method, n_blocks in (("graph-iht", 1), ("graph-svrg-iht", 2), ("graph-scsg-iht", 2))
        for max_epochs, tol in ((40, 1e-4), (20, 1e-3), (10, 1e-3), (5, 1e-3))
    ],
}


def compare(X, y, edges, arguments):
    """Return and print inner errors of the settings compared; differences are from the first of a method."""
    network = Network(edges, X.shape[1])
    inner_sets = [
        inner
        for trial in range(arguments.trials)
        for inner in inner_splits(y, np.random.default_rng([arguments.seed, trial]))
    ]
    print(f"{len(inner_sets)} outer training sets, inner 5-fold; grid of 10 sparsities x 4 lambdas")
    print("chosen: at the cell of lowest inner error; grid: mean over cells; difference: paired +- SE")
    results = []
    for name in arguments.only or COMPARISONS:
        print(f"\n{name}\n{'':<44}{'chosen':>8}{'AUC':>7}{'grid':>7}{'AUC':>7}{'ms/fit':>8}  difference")
        reference = {}
        for method, n_blocks, settings in COMPARISONS[name]:
            scores = [
                inner_scores(X, y, network, method, n_blocks, settings, *inner, arguments.seed) for inner in inner_sets
            ]
            row = summarise(scores, reference.setdefault(method, scores))
            label = f"{method} {n_blocks} " + " ".join(f"{k}={v}" for k, v in settings.items())
            results.append({"comparison": name, "method": method, "n_blocks": n_blocks, **settings, **row})
            print(
                f"{label:<44}{row['chosen_error']:>8.4f}{row['chosen_auc']:>7.4f}{row['grid_error']:>7.4f}"
                f"{row['grid_auc']:>7.4f}{row['ms']:>8.2f}"
                f"  {row['error_difference']:+.4f} +- {row['error_difference_se']:.4f}"
                f"  {row['auc_difference']:+.4f} +- {row['auc_difference_se']:.4f}",
                flush=True,
            )
    return results


def inner_splits(y, rng):
    """Yield (outer training rows, inner fold of each) for the five outer folds of a trial."""
    outer = stratified(y, 5, rng)
    for fold in range(1, 6):
        rows = np.flatnonzero(outer != fold)
        yield rows, stratified(y[rows], 5, rng)


def inner_scores(X, y, network, method, n_blocks, settings, rows, folds, seed):
    """Return balanced errors and AUCs, both (lambda, sparsity) -> mean over inner folds, and ms a fit."""
    options = {"network": network, "n_blocks": n_blocks, "max_epochs": 20, **settings}
    errors, areas, seconds = [], [], 0.0
    for fold in range(1, 6):
        train, test = rows[folds != fold], rows[folds == fold]
        Z = standardised(X, train)
        start = time.process_time()
        loss = balanced_logistic(Z[train], y[train])
        fits = fit_path(
            method, loss, sparsities=SPARSITIES, lambdas=LAMBDAS, rng=np.random.default_rng(seed), **options
        )
        seconds += time.process_time() - start
        cells = [fits[cell] for cell in product(LAMBDAS, SPARSITIES)]
        margins = [Z[test] @ fit.weights + fit.intercept for fit in cells]
        errors.append([balanced_error(y[test], m) for m in margins])
        areas.append([auc(y[test], m) for m in margins])
    return np.mean(errors, axis=0), np.mean(areas, axis=0), 1e3 * seconds / (5 * len(cells))


def summarise(scores, reference):
    """Return the row of a comparison from the scores per outer training set."""
    best = [int(np.argmin(errors)) for errors, _, _ in scores]
    pairs = list(zip(scores, reference, strict=True))
    error_difference = np.array([ours[0].mean() - other[0].mean() for ours, other in pairs])
    auc_difference = np.array([ours[1].mean() - other[1].mean() for ours, other in pairs])
    root = np.sqrt(len(pairs))
    return {
        "chosen_error": float(np.mean([s[0][b] for s, b in zip(scores, best, strict=True)])),
        "chosen_auc": float(np.mean([s[1][b] for s, b in zip(scores, best, strict=True)])),
        "grid_error": float(np.mean([s[0].mean() for s in scores])),
        "grid_auc": float(np.mean([s[1].mean() for s in scores])),
        "ms": float(np.mean([s[2] for s in scores])),
        "error_difference": float(error_difference.mean()),
        "error_difference_se": float(error_difference.std(ddof=1) / root),
        "auc_difference": float(auc_difference.mean()),
        "auc_difference_se": float(auc_difference.std(ddof=1) / root),
    }


if __name__ == "__main__":
    main()
