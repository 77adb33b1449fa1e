"""How good supports are: their distance from the best connected one.

On the study's network and vectors of real fits three supports of the same vector and window are compared with the
optimum (`exact.py`): this package's; pcst_fast's with the plain search and the edges in the study's order; and the
same with the edges shuffled, because with equal edge costs its answer depends on their order.
"""

import numpy as np
import pandas as pd
from common import bench_parser, library, plain_search, projected_vectors
from exact import Optimum

from graphiht import projection
from graphiht.losses import balanced_logistic
from graphiht.network import Network
from study.cv.nested import Standardiser
from study.cv.splits import make_splits
from study.data.studyfile import Study


def vectors_of_fits(study, network, sparsity, n_fits, seed=1):
    """The first and the last vector that graph-iht projects in some fits on four fifths of the patients."""
    splits = make_splits(study.y, seed, 1, 5, 2)
    for fold in range(1, n_fits + 1):
        rows = splits.train(1, fold)
        loss = balanced_logistic(Standardiser(study.X[rows])(study.X[rows]), study.y[rows], dtype=np.float32)
        seen = projected_vectors(network, loss, sparsity, lam=0.3)
        yield seen[0][0]
        yield seen[-1][0]


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
    study = Study.load(bench_parser(__doc__).parse_args().study)
    table = pd.DataFrame([gaps_to_optimum(study, sparsity, n_fits=5) for sparsity in (10, 30, 50, 100)])
    print(table.to_string(index=False, float_format="%.4f"))


if __name__ == "__main__":
    main()
