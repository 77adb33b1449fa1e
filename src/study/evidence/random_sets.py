"""Connected gene sets drawn at random: what any connected piece of the network would reach."""

from itertools import pairwise

import numpy as np

from graphiht.network import Network
from study.cv.newton import fit_ridge
from study.cv.splits import generator
from study.data.studyfile import Cohort
from study.stats.scores import auc

# Fixed in advance: the penalty at which the baseline t-graph did best on splits outside this study.
LAMBDA = 1.0


def neighbours_of(edges: np.ndarray, n_genes: int) -> list[list[int]]:
    """Return the neighbours of every gene, in ascending order."""
    network = Network(edges, n_genes)
    return [sorted(network.neighbours[start:end].tolist()) for start, end in pairwise(network.indptr)]


def connected_set(neighbours: list[list[int]], size: int, rng: np.random.Generator) -> np.ndarray:
    """Return `size` genes of a connected network in one piece: a random gene, then each time a random neighbour.

    Not uniform over all connected sets, of which nobody can draw; genes with many neighbours come more often, as they
    do in sets that methods select.
    """
    first = int(rng.integers(len(neighbours)))
    inside, border = {first}, list(neighbours[first])
    seen = {first, *border}
    while len(inside) < size:
        position = int(rng.integers(len(border)))
        border[position], border[-1] = border[-1], border[position]
        gene = border.pop()
        inside.add(gene)
        new = [other for other in neighbours[gene] if other not in seen]
        border += new
        seen.update(new)
    return np.array(sorted(inside))


def ridge_weights(X: np.ndarray, y: np.ndarray, genes: np.ndarray) -> np.ndarray:
    """Return the weights (genes of X,) of a ridge fit on some genes, 0 for the others; X is standardised."""
    weights = np.zeros(X.shape[1])
    weights[genes] = fit_ridge(X[:, genes], y, LAMBDA)[0]
    return weights


def random_models(
    X: np.ndarray, y: np.ndarray, neighbours: list[list[int]], size: int, n_sets: int, seed: int
) -> np.ndarray:
    """Return the weights (sets, genes) of ridge fits on random connected sets of one size; X is standardised."""
    rngs = (generator(seed, size, number, "random connected set") for number in range(n_sets))
    return np.array([ridge_weights(X, y, connected_set(neighbours, size, rng)) for rng in rngs])


def random_row(
    scores: np.ndarray, weights: np.ndarray, refitted: np.ndarray, place: np.ndarray, cohort: Cohort, Z: np.ndarray
) -> dict:
    """Return a model's row of random_sets.csv: its AUC and those of random connected sets of its size.

    `weights` are those of `random_models`, `refitted` those of the same kind for the model's own genes, to compare like
    with like. `place` says where each gene of the network stands in the cohort, -1 where it does not.
    """
    measured = place >= 0
    Z = Z[:, place[measured]]
    random = np.array([auc(cohort.y, row) for row in weights[:, measured] @ Z.T])
    median, low, high = np.quantile(random, [0.5, 0.025, 0.975])
    row = {"sets": len(random), "genes": int(np.count_nonzero(refitted))}
    row |= {"random_median": median, "random_low": low, "random_high": high}
    for suffix, values in (("", scores), ("_refit", Z @ refitted[measured])):
        own = auc(cohort.y, values)
        row |= {f"auc{suffix}": own, f"share_as_good{suffix}": share_as_good(own, random)}
    return row


def share_as_good(value: float, random: np.ndarray) -> float:
    """Return (k + 1) / (n + 1) for the k of n random values that reach `value`."""
    return float((1 + np.sum(random >= value - 1e-12)) / (1 + len(random)))
