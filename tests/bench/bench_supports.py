"""How good supports are: their distance from the best connected one, and how stable they make a method.

On the study's network and vectors of real fits three supports of the same vector and window are compared with the
optimum (`exact.py`): this package's; pcst_fast's with the plain search and the edges in the study's order; and the
same with the edges shuffled, because with equal edge costs its answer depends on their order. Then graph-iht and iht
are cross-validated at one fixed setting (50 genes, lambda .3, 6 trials of 5 folds): error, AUC, and the stability of
the gene sets, beside that on permuted labels, which is what overlapping training sets and the network give by
themselves. Prints tables and writes them to the benchmark report.
"""

from itertools import product

import numpy as np
import pandas as pd
from common import bench_parser, library, plain_search, projected_vectors, write_section
from exact import Optimum

from graphiht import projection
from graphiht.losses import balanced_logistic
from graphiht.network import Network
from study.cv.learners import make_learner
from study.cv.model import Point
from study.cv.nested import Standardiser
from study.cv.splits import generator, make_splits
from study.data.studyfile import Study
from study.methods import METHODS
from study.stats.scores import auc, balanced_error
from study.stats.supports import nogueira

POINT = Point(lam=0.3, sparsity=50, n_blocks=1, epochs=10)
SETTINGS = {"n_components": 1, "edge_cost": "unit", "tolerance": 1e-3, "scsg_option": 2}
SETTINGS |= {"lambdas": [0.3], "sparsities": [50], "n_blocks": [1], "epochs": [10]}


def vectors_of_fits(study, network, sparsity, n_fits, seed=1):
    """The first and the last vector that graph-iht projects in some fits on four fifths of the patients."""
    splits = make_splits(study.y, seed, 1, 5, 2)
    for fold in range(1, n_fits + 1):
        rows = splits.train(1, fold)
        loss = balanced_logistic(Standardiser(study.X[rows])(study.X[rows]), study.y[rows], dtype=np.float32)
        seen = projected_vectors(network, loss, sparsity, lam=0.3)
        yield seen[0][0]
        yield seen[-1][0]


def cross_validate(method, study, splits, X):
    """Balanced error, AUC and stability of a method at the fixed setting."""
    learner = make_learner(METHODS[method], SETTINGS, study)
    errors, areas, supports = [], [], []
    for trial, fold in product(range(1, len(splits.outer) + 1), range(1, splits.n_outer + 1)):
        train, test = splits.train(trial, fold), splits.test(trial, fold)
        standardise = Standardiser(X[train])
        model = learner.fit(standardise(X[train]), study.y[train], POINT, generator(1, trial, fold, "bench"))
        scores = model.scores(standardise(X[test]))
        errors.append(balanced_error(study.y[test], scores))
        areas.append(auc(study.y[test], scores))
        supports.append(np.isin(np.arange(X.shape[1]), model.genes))
    return np.mean(errors), np.mean(areas), nogueira(np.array(supports))[0]


def stability(study, n_permutations):
    """A row per method: error, AUC, stability, and the mean stability over permutations of the labels."""
    splits, rng = make_splits(study.y, 20260101, 6, 5, 2), np.random.default_rng(1)
    orders = [rng.permutation(len(study.y)) for _ in range(n_permutations)]
    rows = []
    for method in ("graph-iht", "iht"):
        error, area, index = cross_validate(method, study, splits, study.X)
        permuted = [cross_validate(method, study, splits, study.X[order])[2] for order in orders]
        row = {"method": method, "balanced_error": float(error), "auc": float(area), "stability": float(index)}
        rows.append(row | {"stability_permuted": float(np.mean(permuted)), "permutations": n_permutations})
    return rows


def gaps_to_optimum(study, sparsity, n_fits):
    """A row: how many vectors, how often the optimum is proven and reached, and the mean gap of each projection."""
    n_genes = study.X.shape[1]
    network = Network(study.edges, n_genes, names=study.symbol)
    edges = study.edges[np.random.default_rng(0).permutation(len(study.edges))]
    graphs = {"pcst_fast": network, "pcst_fast, edges shuffled": Network(edges, n_genes)}
    low, high = projection.window(sparsity, 0.1, n_genes)
    rows = []
    for v in vectors_of_fits(study, network, sparsity, n_fits):
        prizes = (v / np.abs(v).max()) ** 2
        bound, support = Optimum(study.edges, n_genes, prizes, high).solve()
        supports = {"graphiht": projection.project_unchecked(v, network, low, high).support}
        if library():
            supports |= {name: plain_search(v, graph, low, high)[0] for name, graph in graphs.items()}
        gaps = {name: 1 - prizes[chosen].sum() / bound for name, chosen in supports.items()}
        rows.append({"proven": support is not None, "optimal": gaps["graphiht"] <= 1e-6, **gaps})
    table = pd.DataFrame(rows)
    counts = {"sparsity": sparsity, "vectors": len(table), **table[["proven", "optimal"]].sum()}
    return counts | table[list(gaps)].mean().to_dict()


def main():
    parser = bench_parser(__doc__)
    parser.add_argument("--fits", type=int, default=5, help="fits per sparsity, at most 5 (%(default)s)")
    parser.add_argument("--permutations", type=int, default=20, help="permutations of the labels (%(default)s)")
    arguments = parser.parse_args()
    study = Study.load(arguments.study)
    tables = {
        "optimum": pd.DataFrame([gaps_to_optimum(study, sparsity, arguments.fits) for sparsity in (10, 30, 50, 100)]),
        "stability": pd.DataFrame(stability(study, arguments.permutations)),
    }
    for name, table in tables.items():
        print(f"\n{name}\n{table.to_string(index=False, float_format='%.4f')}")
        write_section(arguments.output, name, table.to_dict("records"))


if __name__ == "__main__":
    main()
