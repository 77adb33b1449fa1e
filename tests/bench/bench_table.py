"""Write ratios, ours against others in the same run, and fail if one has fallen by more than a third.

    python tests/bench/bench_table.py --study results/nki/scnet/study.npz

Processor time of one thread, on a training set of the study. A ratio is the time of the other over ours. For a step the
other is a bound: one product of the matrix and a vector by BLAS, which reads the matrix once. The table is
docs/measured/ratios.csv, the ratios to hold tests/bench/recorded.json; delete the file to record new ones.
"""

import json
import sys
from functools import partial
from pathlib import Path

import numpy as np
from common import best_of, by_abess, by_pcst_fast, folds_of, library, ours, plain_search, ridge, shown, study_argument

from common import write  # isort: skip
from sklearn.linear_model import LogisticRegression
from threadpoolctl import threadpool_limits

from graphiht.fitting import fit
from graphiht.losses import balanced_logistic
from graphiht.projection import tail
from graphiht.solver import LAM
from study.config import complete, load_schema
from study.cv.learners import make_learner
from study.methods import find

RECORDED = Path(__file__).with_name("recorded.json")
ALLOWED = 2 / 3  # of a recorded ratio


def pairs(study, p):
    """Yield (what, against what, ours, other): two functions that do the same, or nearly."""
    loss, gradient = balanced_logistic(p.X, p.y, LAM), p.X.T @ (p.k * (p.y - 0.5))
    if library():
        window = p.network, p.size, int(1.1 * p.size)
        projection = partial(tail, gradient, *window[:2]), partial(plain_search, gradient, *window)
        yield "a tail projection", "pcst_fast, plain search", *projection
        yield (
            "fit `graph-iht`",
            "NumPy and pcst_fast",
            partial(ours, "graph-iht", p, LAM),
            partial(by_pcst_fast, p, LAM),
        )
    for name in ("iht", "graph-iht"):
        options = {"sparsity": p.size, "lam": 0.01, "network": p.network, "tol": -1.0, "max_epochs": 100}
        steps, ones = partial(fit, name, loss, **options), np.ones(p.X.shape[1])
        yield f"100 steps `{name}`", "reading the matrix", steps, lambda ones=ones: [loss.X @ ones for _ in range(100)]
    longest = partial(ours, "graph-iht", p, LAM, max_epochs=100)
    for name in ("htp", "graph-htp"):
        yield f"fit `{name}`", "abess", partial(ours, name, p, LAM), partial(by_abess, p, LAM)
        yield f"fit `{name}`, epochs", "`graph-iht`, 100 epochs", partial(ours, name, p, LAM), longest
    # All genes, the same penalty, to about the same gradient.
    options = {"sparsity": p.X.shape[1], "lam": LAM, "max_epochs": 1000, "tol": 1e-9}
    yield (
        "fit `iht`, all genes",
        "scikit-learn, newton-cg",
        partial(fit, "iht", p.X, p.y, **options),
        partial(ridge, p, LAM),
    )

    # The study's paths of penalties.
    lbfgs = {"solver": "lbfgs", "tol": 1e-6}
    liblinear = {"solver": "liblinear", "l1_ratio": 1.0, "intercept_scaling": 10.0, "tol": 1e-5}
    for name, options in (("ridge", lbfgs), ("l1", liblinear)):
        settings = complete({}, load_schema(Path(__file__).parents[2])) | {"n_blocks": [1]}
        learner, model = make_learner(find(name), settings, study), partial(LogisticRegression, **options)

        def path(learner=learner, model=model):
            for point in learner.points:
                model(C=1 / point.lam, class_weight="balanced", max_iter=5000).fit(p.X, p.y)

        path_of = partial(learner.fit_grid, p.X, p.y, np.random.default_rng(0))
        yield f"path `{name}`", f"scikit-learn, {options['solver']}", path_of, path


def main():
    study = study_argument(__doc__)
    recorded, ratios, rows = json.loads(RECORDED.read_text()) if RECORDED.exists() else {}, {}, []
    for what, against, *functions in pairs(study, next(folds_of(study))):
        own, other = (best_of(function) for function in functions)
        ratios[what] = round(other / own, 2)
        row = {"ours": what, "other": against, "ours, ms": shown(1e3 * own, 2), "other, ms": shown(1e3 * other, 2)}
        rows.append(row | {"ratio": shown(other / own, 2)})
    write("ratios", rows)
    fallen = [what for what, ratio in ratios.items() if ratio < ALLOWED * recorded.get(what, 0.0)]
    if fallen:
        sys.exit(f"error: these ratios fell by more than a third; find out why, or record new ones: {fallen}")
    if not recorded:
        RECORDED.write_text(json.dumps(ratios, indent=1) + "\n")


if __name__ == "__main__":
    with threadpool_limits(1):
        main()
