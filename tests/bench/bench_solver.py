"""Measure what a fit of each method costs on a cohort, and how many of its line searches fail.

python tests/bench/bench_solver.py --study results/nki/scnet/study.npz
"""

import argparse
import platform
import time
from itertools import product
from pathlib import Path

import numpy as np
from common import write_section

from graphiht.fitting import fit, fit_path
from graphiht.losses import balanced_logistic
from graphiht.methods import STEP_METHODS as METHODS
from graphiht.network import Network
from study.cv.nested import Standardiser
from study.cv.splits import stratified

SPARSITIES = list(range(10, 101, 10))
LAMBDAS = [1e-3, 0.1, 0.3, 1.0]
LINE = "{:<16}{:>7}{:>10}{:>10}{:>9}{:>9}{:>9}{:>10}{:>9}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--study", type=Path, default=Path("results/nki/scnet/study.npz"), help="study file")
    parser.add_argument("--output", type=Path, default=Path("reports/benchmarks.json"), help="JSON to merge into")
    parser.add_argument("--repeats", type=int, default=5, help="timed repetitions, of which the median counts")
    parser.add_argument("--seed", type=int, default=20240601)
    arguments = parser.parse_args()
    if not arguments.study.exists():
        parser.error(f"--study: expected a study file, found nothing at {arguments.study}; `make study` writes it")
    with np.load(arguments.study) as study:
        X, y, edges = study["X"], study["y"].astype(int), study["edges"]
    write_section(arguments.output, "solver", time_methods(X, y, edges, arguments))


def time_methods(X, y, edges, arguments):
    """Return and print the table: a training set of four fifths, s = 50, 40 epochs, by method and blocks."""
    network = Network(edges, X.shape[1])
    train = stratified(y, 5, np.random.default_rng(arguments.seed)) != 1
    loss = balanced_logistic(Standardiser(X[train])(X[train]), y[train])
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


if __name__ == "__main__":
    main()
