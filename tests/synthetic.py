"""Synthetic problems for the tests: grids, planted connected supports, small classes, tables of them; equal fits."""

import csv

import numpy as np


def grid_edges(side):
    """Return the edges of a side x side grid graph."""
    nodes = np.arange(side * side).reshape(side, side)
    right = np.column_stack([nodes[:, :-1].ravel(), nodes[:, 1:].ravel()])
    down = np.column_stack([nodes[:-1].ravel(), nodes[1:].ravel()])
    return np.concatenate([right, down])


def random_walk_support(edges, n_nodes, size, rng):
    """Return `size` nodes visited by a random walk from a random node, sorted."""
    neighbours = [[] for _ in range(n_nodes)]
    for a, b in edges:
        neighbours[a].append(b)
        neighbours[b].append(a)
    node = int(rng.integers(n_nodes))
    seen = {node}
    while len(seen) < size:
        node = neighbours[node][rng.integers(len(neighbours[node]))]
        seen.add(node)
    return np.array(sorted(seen))


def planted_regression(side, sparsity, n_rows, seed):
    """Return (A, y, x_true, edges) with a connected support on a grid, noiseless y = A x_true."""
    rng = np.random.default_rng(seed)
    edges = grid_edges(side)
    support = random_walk_support(edges, side * side, sparsity, rng)
    x_true = np.zeros(side * side)
    x_true[support] = rng.standard_normal(sparsity)
    A = rng.standard_normal((n_rows, side * side)) / np.sqrt(n_rows)
    return A, A @ x_true, x_true, edges


def noisy_classes(n_rows, n_features, seed, share=0.3):
    """Return (X, y) with y in {0, 1}, a `share` of ones on average, and overlapping classes."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_rows, n_features))
    w = rng.standard_normal(n_features) * (rng.random(n_features) < 0.5)
    score = X @ w / np.sqrt(n_features) + 1.5 * rng.standard_normal(n_rows)
    return X, (score > np.quantile(score, 1 - share)).astype(int)


def write_table(path, rows):
    """Write rows, separated by tabs where the name ends in .tsv."""
    with path.open("w", newline="") as file:
        csv.writer(file, delimiter="\t" if path.suffix == ".tsv" else ",").writerows(rows)


def expression_rows(genes, patients, X):
    """Return the rows of an expression table, exact to the bit."""
    return [["patient", *genes], *([p, *map(repr, row)] for p, row in zip(patients, X.tolist(), strict=True))]


def write_cohort(folder, genes, patients, X, y, edges):
    """Write X.csv, y.csv and edges.tsv."""
    write_table(folder / "X.csv", expression_rows(genes, patients, X))
    write_table(folder / "y.csv", [["patient", "event"], *zip(patients, y.astype(int), strict=True)])
    header = ["gene_a", "gene_b", "confidence"][: len(edges[0])]
    write_table(folder / "edges.tsv", [header, *edges])


def assert_same_fit(a, b, *but):
    """Assert that two results are the same to the bit, their checkpoints too, but for some fields."""
    for name, value in vars(a).items():
        other = getattr(b, name)
        if name in but:
            continue
        if name == "checkpoints":
            assert list(value) == list(other)
            for epochs in value:
                assert_same_fit(value[epochs], other[epochs])
        elif name == "first" and None not in (value, other):
            np.testing.assert_array_equal(value[0], other[0])
            np.testing.assert_array_equal(value[1].support, other[1].support)
            np.testing.assert_array_equal(value[1][1:], other[1][1:])
        else:
            np.testing.assert_array_equal(value, other, err_msg=name)
            assert type(value) is type(other), name
