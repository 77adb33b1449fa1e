"""Which genes a method selects again and again, and how similar its selections are.

A support matrix has a row per fit (fold) and a column per gene of the network, True where the fit selected the gene.
"""

import numpy as np
import pandas as pd
from scipy.spatial.distance import pdist
from scipy.stats import norm

from graphiht.network import Network

STABLE_FREQUENCY = 0.5


def weight_matrices(genes: pd.DataFrame, metrics: pd.DataFrame, symbols: np.ndarray) -> dict[str, np.ndarray]:
    """Return per method the weights (folds, genes), NaN where a gene was not selected.

    Folds come in the order of the metrics table, which also has those that selected nothing.
    """
    keys, matrices = ["trial", "fold"], {}
    for method, folds in metrics.groupby("method", sort=False):
        wide = genes[genes["method"] == method].pivot(index=keys, columns="symbol", values="weight")
        wide = wide.reindex(pd.MultiIndex.from_frame(folds[keys]), columns=symbols)
        # Sums over genes depend on the order in memory in their last bit.
        matrices[method] = np.ascontiguousarray(wide, float)
    return matrices


def selects(supports: np.ndarray) -> bool:
    """Return whether a method selects at all: one that keeps every gene in every fit does not."""
    return not supports.all()


def nogueira(supports: np.ndarray, level: float = 0.95) -> tuple[float, float, float]:
    """Return Nogueira's stability index with its asymptotic confidence interval.

    1 - mean_f(s_f^2) / (k/d (1 - k/d)), where s_f^2 is the unbiased variance of gene f's selection over the M fits,
    d the number of genes and k the mean number selected: 1 for equal supports, 0 on average for random ones (of one
    size; else up to a bias of order 1/M). NaN when undefined: one fit, or no or all genes selected everywhere.

    The interval takes the M supports for independent. Those of cross-validation are not, because their training
    sets overlap, so the interval is too narrow.

    References
    ----------
    Nogueira, Sechidis, Brown (2018), On the stability of feature selection algorithms, JMLR 18(174).
    """
    Z = np.asarray(supports, float)
    n_fits, n_genes = Z.shape
    share = Z.sum() / (n_fits * n_genes)
    chance = share * (1 - share)
    if n_fits < 2 or chance == 0:
        return np.nan, np.nan, np.nan
    frequency = Z.mean(axis=0)
    index = 1 - (n_fits / (n_fits - 1) * frequency * (1 - frequency)).mean() / chance
    size = Z.sum(axis=1) / n_genes
    influence = (Z @ frequency / n_genes - size * share + index / 2 * (2 * share * size - size - share + 1)) / chance
    half = norm.ppf((1 + level) / 2) * np.sqrt(4 * ((influence - influence.mean()) ** 2).sum()) / n_fits
    return float(index), float(index - half), float(index + half)


def jaccard_within(supports: np.ndarray) -> float:
    """Return the mean Jaccard index over all pairs of fits; NaN for a single fit. Two empty supports are equal."""
    return float(1 - pdist(supports, "jaccard").mean()) if len(supports) > 1 else np.nan


def jaccard_between(first: np.ndarray, second: np.ndarray) -> float:
    """Return the mean Jaccard index of the supports of the same fold."""
    both, either = (first & second).sum(axis=1), (first | second).sum(axis=1)
    return float(np.divide(both, either, out=np.ones(len(both)), where=either > 0).mean())


def frequencies_table(weights: np.ndarray) -> pd.DataFrame:
    """Return a row per gene that was ever selected, most frequent first, then in gene order.

    Columns: gene (position), frequency, mean_weight over the fits that selected it, and same_sign, the share of
    these fits whose weight has the majority's sign.
    """
    selected = ~np.isnan(weights)
    counts = selected.sum(axis=0)
    genes = np.flatnonzero(counts)
    chosen = weights[:, genes]
    more, fewer = (chosen > 0).sum(axis=0), (chosen < 0).sum(axis=0)
    table = pd.DataFrame(
        {
            "gene": genes,
            "frequency": counts[genes] / len(weights),
            "mean_weight": np.nansum(chosen, axis=0) / counts[genes],
            "same_sign": np.maximum(more, fewer) / counts[genes],
        }
    )
    return table.sort_values("frequency", ascending=False, kind="stable", ignore_index=True)


def stability_row(supports: np.ndarray) -> dict:
    """Return the stability of a method as a row of its table; the index of one that keeps every gene is empty."""
    index, low, high = nogueira(supports)
    return {
        "nogueira": index,
        "low": low,
        "high": high,
        "mean_jaccard": jaccard_within(supports),
        "mean_genes": float(supports.sum(axis=1).mean()),
        "supports": len(supports),
    }


def jaccard_table(supports: dict[str, np.ndarray]) -> pd.DataFrame:
    """Return a row per ordered pair of methods; a method with itself: over the pairs of its folds."""
    rows = [
        (a, b, jaccard_within(first) if a == b else jaccard_between(first, second))
        for a, first in supports.items()
        for b, second in supports.items()
    ]
    return pd.DataFrame(rows, columns=["method_a", "method_b", "jaccard"])


def largest_connected(frequent: np.ndarray, network: Network) -> np.ndarray:
    """Return which genes are in the largest connected part of the frequent ones; of equals that of the lowest gene."""
    chosen = np.zeros(len(frequent), bool)
    if frequent.any():
        part, genes = network.subnetwork(np.flatnonzero(frequent))
        chosen[genes[part.largest_component()[1]]] = True
    return chosen
