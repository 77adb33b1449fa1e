"""Do several runs choose the same genes, more than chance explains?

A run has some of all genes (`measured`) and chose some of those (`chosen`); both are boolean arrays (runs, genes). By
chance means: each run chose as many genes as it did, at random among those of its genes that as many runs have. So a
preference for genes that every run has does not count as agreement. Of two runs this leaves their shared genes, and the
overlap is hypergeometric.
"""

import numpy as np
from scipy.stats import binomtest, hypergeom, poisson_binom


def overlap_row(measured: np.ndarray, chosen: np.ndarray, weights: np.ndarray) -> dict:
    """Return what two runs have in common; `weights` (2, genes), whose signs are compared where both chose a gene.

    The p of the signs takes genes for independent, which genes that go up and down together are not.
    """
    shared = measured.all(axis=0)
    first, second = chosen[:, shared]
    both, total = first & second, int(shared.sum())
    a, b, overlap = int(first.sum()), int(second.sum()), int(both.sum())
    by_chance = hypergeom(total, a, b)
    sizes = np.arange(min(a, b) + 1)
    same = int((np.sign(weights[0, shared][both]) == np.sign(weights[1, shared][both])).sum())
    return {
        "shared_genes": total,
        "frequent_a": a,
        "frequent_b": b,
        "overlap": overlap,
        "expected": a * b / total if total else 0.0,
        "p": float(by_chance.sf(overlap - 1)) if total else 1.0,
        "jaccard": overlap / (a + b - overlap) if a + b else np.nan,
        "jaccard_expected": float(by_chance.pmf(sizes) @ (sizes / (a + b - sizes))) if a + b else np.nan,
        "same_sign": same,
        "p_sign": binomtest(same, overlap, alternative="greater").pvalue if overlap else np.nan,
    }


def chances(measured: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """Return (genes, runs): the probability that the run chose the gene by chance, 0 where it does not have it."""
    times = measured.sum(axis=0)
    chance = np.zeros(measured.shape)
    for number in np.unique(times[times > 0]):
        alike = measured & (times == number)
        share = (chosen & alike).sum(axis=1) / np.maximum(alike.sum(axis=1), 1)
        chance[alike] = np.broadcast_to(share[:, None], alike.shape)[alike]
    return chance.T


def chance_of_runs(chance: np.ndarray, number: np.ndarray | int) -> np.ndarray:
    """Return per gene the probability that at least `number` runs chose it, by `chances`: Poisson-binomial."""
    return np.clip(poisson_binom.sf(np.asarray(number) - 1, chance), 0, 1)


def at_least(chosen: np.ndarray) -> np.ndarray:
    """Return how many genes were chosen by at least 1, 2, ... runs."""
    by_number = np.bincount(chosen.sum(axis=0), minlength=len(chosen) + 1)
    return by_number[::-1].cumsum()[::-1][1:]


def recurrent_counts(
    measured: np.ndarray, chosen: np.ndarray, n_draws: int, rng: np.random.Generator
) -> list[tuple[int, int, float, float]]:
    """Return (runs, genes, expected, p) for the genes chosen by at least 2, 3, ... runs.

    The expectation is exact; p is the share of draws with as many genes, counting the observed one.
    """
    times = measured.sum(axis=0)
    pools = [[np.flatnonzero(own & (times == number)) for number in np.unique(times[own])] for own in measured]
    observed, chance = at_least(chosen), chances(measured, chosen)
    as_many = np.zeros(len(observed), int)
    for _ in range(n_draws):
        drawn = np.zeros(chosen.shape, bool)
        for row, picked, parts in zip(drawn, chosen, pools, strict=True):
            for genes in parts:
                row[rng.choice(genes, picked[genes].sum(), replace=False, shuffle=False)] = True
        as_many += at_least(drawn) >= observed
    return [
        (k, int(observed[k - 1]), float(chance_of_runs(chance, k).sum()), float((as_many[k - 1] + 1) / (n_draws + 1)))
        for k in range(2, len(chosen) + 1)
    ]
