"""Connected gene sets drawn at random: what any connected piece of the network would reach."""

from __future__ import annotations

import numpy as np

from study.cv.newton import fit_ridge
from study.cv.splits import generator
from study.run.errors import StudyError

# Fixed in advance: the penalty at which the baseline t-graph did best on splits outside this study.
LAMBDA = 1.0


def neighbours_of(edges: np.ndarray, n_genes: int) -> list[list[int]]:
    """Return the neighbours of every gene, in ascending order."""
    lists: list[list[int]] = [[] for _ in range(n_genes)]
    for a, b in edges.tolist():
        lists[a].append(b)
        lists[b].append(a)
    return [sorted(neighbours) for neighbours in lists]


def connected_set(neighbours: list[list[int]], size: int, rng: np.random.Generator) -> np.ndarray:
    """Return `size` genes in one piece: from a random gene on, each time a random neighbour of what is there.

    Not uniform over all connected sets, of which nobody can draw; genes with many neighbours come more often, as they
    do in sets that methods select.
    """
    if size > len(neighbours):
        raise StudyError(
            f"random sets: expected at most the network's {len(neighbours)} genes, found size {size}."
        )
    first = int(rng.integers(len(neighbours)))
    inside, border = {first}, list(neighbours[first])
    seen = {first, *border}
    while len(inside) < size:
        if not border:
            raise StudyError(
                f"random sets: expected a connected network, found a piece of {len(inside)} genes."
            )
        position = int(rng.integers(len(border)))
        border[position], border[-1] = border[-1], border[position]
        gene = border.pop()
        inside.add(gene)
        new = [other for other in neighbours[gene] if other not in seen]
        border += new
        seen.update(new)
    return np.array(sorted(inside))


def random_models(
    X: np.ndarray, y: np.ndarray, neighbours: list[list[int]], size: int, n_sets: int, seed: int
) -> np.ndarray:
    """Return the weights (sets, genes) of ridge fits on random connected sets of one size; X is standardised."""
    weights = np.zeros((n_sets, X.shape[1]))
    for number in range(n_sets):
        genes = connected_set(neighbours, size, generator(seed, size, number, "random connected set"))
        weights[number, genes] = fit_ridge(X[:, genes], y, LAMBDA)[0]
    return weights
