"""Write a table of ratios, ours against others in the same run, and fail if one has fallen by more than a third.

    python tests/bench/bench_table.py --study results/nki/scnet/study.npz [--record]

Processor time of one thread, on a training set of the study. A ratio is the time of the other over ours. For a step the
other is a bound: one product of the matrix and a vector by BLAS, which reads the matrix once. The recorded ratios are
in tests/bench/recorded.json; --record writes them anew. The table is docs/measured/ratios.csv.
"""

import json
import sys
from functools import partial
from pathlib import Path

import numpy as np
from common import best_of, by_abess, by_pcst_fast, folds_of, library, ours, plain_search, ridge, shown, write
from common import study_argument
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

from graphiht.fitting import fit
from graphiht.losses import balanced_logistic
from graphiht.pcst import pcst
from graphiht.projection import tail
from graphiht.solver import LAM
from study.config import complete, load_schema
from study.cv.learners import make_learner
from study.methods import find

RECORDED = Path(__file__).with_name("recorded.json")
ALLOWED = 2 / 3  # of a recorded ratio


def projection_rows(p):
    """Yield (what, unit, against what, ours, other) of one forest and of one projection, at zero."""
    z, edges = p.X.T @ (p.k * (p.y - 0.5)), p.network.edges.astype(np.int64)
    v, size = tail(z, p.network, p.size), p.size
    prizes = z**2
    costs = v.multiplier * np.sort(prizes)[-size] * p.network.costs / p.network.min_cost
    instance = (edges, prizes, costs, -1, 1, "strong")
    yield (
        "forest",
        "the drop-in",
        "pcst_fast",
        best_of(lambda: pcst(*instance), 9),
        best_of(lambda: library()(*instance, 0), 9),
    )
    project = best_of(lambda: tail(z, p.network, size), 9)
    yield (
        "projection",
        "a tail projection",
        "pcst_fast, plain search",
        project,
        best_of(lambda: plain_search(z, p.network, size, int(1.1 * size))),
    )


def fit_rows(p):
    """Yield the rows of steps and fits."""
    loss = balanced_logistic(p.X, p.y, LAM)
    vector = np.ones(p.X.shape[1])
    bound = best_of(lambda: [loss.X @ vector for _ in range(50)], 9) / 50
    for method in ("iht", "graph-iht"):
        options = {"sparsity": p.size, "lam": 0.01, "network": p.network, "tol": -1.0, "max_epochs": 100}
        step = best_of(lambda method=method, options=options: fit(method, loss, **options)) / 100
        yield f"step {method}", "a step", "reading the matrix once", step, bound
    times = {name: best_of(partial(ours, name, p, LAM)) for name in ("graph-iht", "htp", "graph-htp")}
    abess = best_of(partial(by_abess, p, LAM))
    unit = f"{p.size} genes"
    if library():
        yield "fit graph-iht", unit, "NumPy and pcst_fast", times["graph-iht"], best_of(partial(by_pcst_fast, p, LAM))
    yield "fit htp", unit, "abess", times["htp"], abess
    yield "fit graph-htp", unit, "abess", times["graph-htp"], abess
    longest = best_of(partial(ours, "graph-iht", p, LAM, max_epochs=100))
    yield "graph-htp, graph-iht", unit, "graph-iht, 100 epochs", times["graph-htp"], longest

    # The same problem: all genes, the same penalty, to about the same gradient.
    options = {"sparsity": p.X.shape[1], "lam": LAM, "max_epochs": 1000, "tol": 1e-9}
    dense = best_of(lambda: fit("iht", p.X, p.y, **options))
    yield "fit iht, all genes", "converged", "scikit-learn, newton-cg", dense, best_of(partial(ridge, p, LAM))


def path_rows(study, p):
    """Yield the rows of the study's paths of penalties."""
    settings = complete({}, load_schema(Path(__file__).parents[2]))
    lbfgs = {"solver": "lbfgs", "tol": 1e-6}
    liblinear = {"solver": "liblinear", "l1_ratio": 1.0, "intercept_scaling": 10.0, "tol": 1e-5}
    for name, options in (("ridge", lbfgs), ("l1", liblinear)):
        learner = make_learner(find(name), settings | {"n_blocks": [1]}, study)
        options |= {"class_weight": "balanced", "max_iter": 5000}

        def path(learner=learner):
            return learner.fit_grid(p.X, p.y, np.random.default_rng(0))

        def theirs(learner=learner, options=options):
            for point in learner.points:
                LogisticRegression(**options | {"C": 1 / point.lam}).fit(p.X, p.y)

        unit = f"{len(learner.points)} penalties, tolerance {options['tol']:.0e}"
        yield f"path {name}", unit, f"scikit-learn, {options['solver']}", best_of(path, 3), best_of(theirs, 2)


def main():
    record = "--record" in sys.argv and not sys.argv.remove("--record")
    study = study_argument(__doc__)
    p = next(folds_of(study))
    recorded, rows, ratios, fallen = json.loads(RECORDED.read_text()), [], {}, []
    for group in (projection_rows(p) if library() else (), fit_rows(p), path_rows(study, p)):
        for what, unit, against, ours_, other in group:
            ratio, before = other / ours_, recorded.get(what)
            ratios[what] = float(shown(ratio))
            times = {"ours, ms": shown(1e3 * ours_, 2), "other, ms": shown(1e3 * other, 2), "ratio": shown(ratio, 2)}
            rows.append({"what": what, "unit": unit, "against": against, **times})
            if before is not None and ratio < ALLOWED * before:
                fallen.append(f"{what}: recorded {before:.2f}, now {ratio:.2f}")
    write("ratios", rows)
    if record:
        RECORDED.write_text(json.dumps(ratios, indent=1) + "\n")
    elif fallen:
        sys.exit(
            "error: these ratios fell by more than a third; find out why, or, if that was meant, record the new ones "
            "with --record:\n" + "\n".join(fallen)
        )


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
