"""How far projections are from the best connected support, on the study's network and vectors of real fits.

Three supports of the same vector and window are compared with the optimum (`exact.py`): this package's; pcst_fast's
with the plain search and the edges in the study's order; and the same with the edges shuffled, because with equal edge
costs its answer depends on their order. Prints a table and writes it to the benchmark report.
"""

import argparse
import statistics
import sys

import numpy as np
from bench_projection import library, plain_search
from exact import Optimum
from sections import write_section

from graphiht import projection
from graphiht.fitting import fit
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
        seen = []

        def spy(v, *arguments, seen=seen, project=projection.project_unchecked):
            seen.append(v.copy())
            return project(v, *arguments)

        original, projection.project_unchecked = projection.project_unchecked, spy
        try:
            loss = balanced_logistic(Standardiser(study.X[rows])(study.X[rows]), study.y[rows], dtype=np.float32)
            fit("graph-iht", loss, sparsity=sparsity, lam=0.3, network=network)
        finally:
            projection.project_unchecked = original
        yield seen[0]
        yield seen[-1]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--study", required=True, help="a study file of the workflow")
    parser.add_argument("--fits", type=int, default=5, help="fits per sparsity, at most 5 (%(default)s)")
    parser.add_argument("--report", default="reports/benchmarks.json", help="where the figures go (%(default)s)")
    arguments = parser.parse_args()
    study = Study.load(arguments.study)
    n_genes, rng = study.X.shape[1], np.random.default_rng(0)
    network = Network(study.edges, n_genes, names=study.symbol)
    shuffled = Network(study.edges[rng.permutation(len(study.edges))], n_genes)
    rows = []
    for sparsity in (10, 30, 50, 100):
        gaps = {"graphiht": [], "pcst_fast": [], "pcst_fast, edges shuffled": []}
        optimal = proven = 0
        for v in vectors_of_fits(study, network, sparsity, arguments.fits):
            low, high = projection.window(sparsity, 0.1, n_genes)
            prizes = (v / np.abs(v).max()) ** 2
            bound, support = Optimum(study.edges, n_genes, prizes, high).solve()
            proven += support is not None
            own = prizes[projection.project_unchecked(v, network, low, high).support].sum()
            optimal += bool(own >= bound * (1 - 1e-6))
            gaps["graphiht"].append(1 - own / bound)
            if library() is not None:
                for name, graph in (("pcst_fast", network), ("pcst_fast, edges shuffled", shuffled)):
                    gaps[name].append(1 - prizes[plain_search(v, graph, low, high)[0]].sum() / bound)
        n = len(gaps["graphiht"])
        print(f"s = {sparsity}: {n} vectors, optimum proven for {proven}, reached for {optimal}", file=sys.stderr)
        means = {name: float(statistics.mean(values)) for name, values in gaps.items() if values}
        rows.append({"sparsity": sparsity, "vectors": n, "proven": proven, "optimal": optimal, "mean_gap": means})
    print(f"{'s':>4} {'vectors':>8} {'proven':>7} {'optimal':>8}  mean gap to the optimum")
    for row in rows:
        gaps = ", ".join(f"{name} {gap:.2%}" for name, gap in row["mean_gap"].items())
        print(f"{row['sparsity']:>4} {row['vectors']:>8} {row['proven']:>7} {row['optimal']:>8}  {gaps}")
    write_section(arguments.report, "optimum", rows)


if __name__ == "__main__":
    main()
