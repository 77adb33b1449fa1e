"""Print one table of ratios, ours against others in the same run, and fail if one has fallen by more than a third.

    python tests/bench/bench_table.py --study results/nki/scnet/study.npz [--record]

Processor time of one thread, on a training set of the study. A ratio is the time of the other over ours. For a step the
other is a bound: one product of the matrix and a vector by BLAS, which reads the matrix once. The recorded ratios are
in tests/bench/recorded.json; --record writes them anew.
"""

import json
import sys
from pathlib import Path

import numpy as np
from common import (
    bench_parser,
    best_of,
    library,
    plain_projection,
    plain_search,
    projected_vectors,
    projecting,
    readable_loop,
    training_set,
)
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

from graphiht._pcst.order import forget_order, sort_down_to
from graphiht._pcst.search import load_prizes, reference_prize, solve_strong
from graphiht.fitting import fit, fit_path
from graphiht.losses import balanced_logistic
from graphiht.methods import STEP_METHODS as METHODS
from graphiht.projection import project_unchecked, window
from graphiht.solver import SLACK
from study.config import complete, load_schema
from study.cv.learners import make_learner
from study.cv.nested import score_fold
from study.cv.splits import make_splits
from study.data.studyfile import Study
from study.methods import find

RECORDED = Path(__file__).with_name("recorded.json")
ALLOWED = 2 / 3  # of a recorded ratio
SPARSITIES, LAMBDAS = list(range(10, 101, 10)), [1e-3, 0.1, 0.3, 1.0]


def native_solve(ws, multiplier, min_cost):
    """Find one forest, with everything a single solve needs."""
    sort_down_to(ws, 0.5 * multiplier * min_cost)
    solve_strong(ws, multiplier, 1, min_cost)
    forget_order(ws)


def forest_rows(network, loss):
    """Yield (what, unit, against what, ours, other) of one forest and of one projection."""
    size = 50
    low, high = window(size, SLACK, network.n_nodes)
    ws, edges = network.workspace, network.edges.astype(np.int64)
    found = []
    for v, _ in projected_vectors(network, loss, size, lam=0.1):
        result = project_unchecked(v, network, low, high)
        load_prizes(ws, v)
        prizes, multiplier = ws.nodes["prize"].copy(), result.multiplier * reference_prize(ws, low)
        costs = multiplier * network.costs
        row = [best_of(lambda m=multiplier: native_solve(ws, m, 1.0), 9)]
        row.append(best_of(lambda p=prizes, c=costs: library()(edges, p, c, -1, 1, "strong", 0), 3))
        warm = result.multiplier
        row.append(best_of(lambda v=v, w=warm: project_unchecked(v, network, low, high, 1, w), 9))
        row.append(best_of(lambda v=v: plain_search(v, network, low, high), 1))
        found.append(row)
    solve, their_solve, project, plain = np.sum(found, axis=0) / len(found)
    yield "solve", "a forest", "pcst_fast", solve, their_solve
    yield "projection", "a tail projection, warm", "pcst_fast, plain search", project, plain


def fit_rows(network, loss, X, y):
    """Yield the rows of a step, a fit and a path."""
    for method in METHODS:
        options = {"sparsities": SPARSITIES, "lambdas": LAMBDAS, "network": network, "n_blocks": 2}

        def path(method=method, options=options):
            return fit_path(method, loss, rng=np.random.default_rng(0), **options)

        n_steps = sum(result.n_steps for result in path().values())
        ours = best_of(path, 3)
        with readable_loop():
            readable = best_of(path, 3)
        yield f"path {method}", f"{len(SPARSITIES) * len(LAMBDAS)} fits", "readable loop", ours, readable
        if method in ("iht", "graph-iht"):
            vector = np.ones(X.shape[1], loss.X.dtype)
            bound = best_of(lambda vector=vector: [loss.X @ vector for _ in range(50)], 9) / 50
            yield f"step {method}", "a step", "reading the matrix once", ours / n_steps, bound

    def graph_fit():
        return fit("graph-iht", loss, sparsity=50, lam=0.1, network=network)

    ours = best_of(graph_fit)
    with projecting(plain_projection):
        plain = best_of(graph_fit, 1)
    yield "fit graph-iht", "s = 50, 10 epochs", "the same on pcst_fast, plain search", ours, plain

    # The same problem: all genes, the same penalty, to about the same gradient.
    lam, weights = 0.1, np.where(y == 1, np.mean(y == 0), np.mean(y == 1))

    def dense():
        return fit("iht", loss, sparsity=X.shape[1], lam=lam, max_epochs=1000, tol=1e-9)

    def sklearn():
        return LogisticRegression(C=1 / (len(y) * lam), tol=1e-4, max_iter=1000).fit(X, y, sample_weight=weights)

    yield "fit iht, all genes", "converged", "scikit-learn, lbfgs", best_of(dense), best_of(sklearn)


def study_rows(study, X, y):
    """Yield the rows of a fold of the study, and of its baselines' paths of penalties."""
    settings = complete({}, load_schema(Path(__file__).parents[2]))
    splits = make_splits(study.y, seed=0, trials=1, folds=5, inner_folds=5)
    rows = {name: find(name) for name in ("graph-iht", "ridge", "l1")}
    learners = {name: make_learner(row, settings | {"n_blocks": [1]}, study) for name, row in rows.items()}

    def fold():
        return score_fold(rows["graph-iht"], learners["graph-iht"], study, splits, 1, 1, settings)

    compiled = best_of(fold, 1)
    with readable_loop():
        readable = best_of(fold, 1)
    yield "study", "a fold of graph-iht, the whole grid", "readable loop", compiled, readable

    lbfgs = {"solver": "lbfgs"}
    liblinear = {"solver": "liblinear", "l1_ratio": 1.0, "intercept_scaling": 10.0}
    for name, tolerance, options in (("ridge", "1e-6", lbfgs), ("l1", "1e-5", liblinear)):
        options |= {"tol": float(tolerance), "class_weight": "balanced", "max_iter": 5000}

        def ours(name=name):
            return learners[name].fit_grid(X, y, np.random.default_rng(0))

        def theirs(name=name, options=options):
            for point in learners[name].points:
                LogisticRegression(**options | {"C": 1 / point.lam}).fit(X, y)

        unit, other = f"13 penalties, tolerance {tolerance}", f"scikit-learn, {options['solver']}"
        yield f"path {name}", unit, other, best_of(ours), best_of(theirs)


def main():
    parser = bench_parser(__doc__)
    parser.add_argument("--record", action="store_true", help="write the ratios to tests/bench/recorded.json")
    arguments = parser.parse_args()
    study = Study.load(arguments.study)
    X, y, network = training_set(study)
    loss = balanced_logistic(X, y, dtype=np.float32)
    recorded = json.loads(RECORDED.read_text()) if RECORDED.exists() else {}
    ratios, fallen = {}, []
    print(f"{len(X)} patients, {X.shape[1]} genes, {network.n_edges} edges; processor time\n")
    print("| what | unit | against | ours, ms | other, ms | ratio | recorded |\n|---|---|---|---|---|---|---|")
    groups = [fit_rows(network, loss, X, y), study_rows(study, X, y)]
    if library():
        groups.insert(0, forest_rows(network, loss))
    for what, unit, against, ours, other in (row for group in groups for row in group):
        ratio, before = other / ours, recorded.get(what)
        ratios[what] = round(ratio, 3)
        cells = [what, unit, against, f"{1e3 * ours:.3f}", f"{1e3 * other:.3f}", f"{ratio:.2f}"]
        print("|", " | ".join([*cells, "" if before is None else f"{before:.2f}"]), "|", flush=True)
        if before is not None and ratio < ALLOWED * before:
            fallen.append(f"{what}: recorded {before:.2f}, now {ratio:.2f}")
    if arguments.record:
        RECORDED.write_text(json.dumps(recorded | ratios, indent=1) + "\n")
    elif fallen:
        sys.exit(
            "error: these ratios fell by more than a third; find out why, or, if that was meant, record the new ones "
            "with --record:\n" + "\n".join(fallen)
        )


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
