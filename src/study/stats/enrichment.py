"""Are known genes and pathways over-represented among selected genes, more than size and degree explain?

The universe is the genes of the network. A selection is a boolean array (genes,), gene sets are one (sets, genes).
"""

from functools import cache, reduce

import numpy as np
import pandas as pd
from scipy.stats import hypergeom
from sklearn.metrics import average_precision_score
from statsmodels.stats.multitest import multipletests

GENES_PER_BIN = 30
LEAST_GENES = 5


def overlap_p(selected: np.ndarray, members: np.ndarray) -> np.ndarray:
    """Return per set the probability that as many random genes as `selected` hold as many of its members."""
    overlap = (members & selected).sum(axis=1)
    return hypergeom.sf(overlap - 1, len(selected), members.sum(axis=1), selected.sum())


def degree_bins(degree: np.ndarray, at_least: int = GENES_PER_BIN) -> np.ndarray:
    """Return a bin number per gene: genes of similar degree, at least `at_least` of them, 0 = the hubs.

    Made from the largest degree down, so that hubs, which are few, are compared with hubs; genes of equal degree
    share a bin.
    """
    values, counts = np.unique(degree, return_counts=True)
    bins, current, held = {}, 0, 0
    remaining = len(degree)
    for value, count in zip(values[::-1], counts[::-1], strict=True):
        bins[value] = current
        held += count
        remaining -= count
        if held >= at_least and remaining >= at_least:
            current, held = current + 1, 0
    return np.array([bins[value] for value in degree], np.int64)


def matched_expectation(selected: np.ndarray, members: np.ndarray, bins: np.ndarray) -> np.ndarray:
    """Return per set how many of its members random genes matched to `selected`, as many from every bin, hold."""
    in_bin = np.eye(bins.max() + 1)[bins]
    return (members @ in_bin) @ (selected @ in_bin / in_bin.sum(axis=0))


def matched_p(selected: np.ndarray, members: np.ndarray, bins: np.ndarray) -> np.ndarray:
    """Return per set the probability that random genes matched to `selected` hold as many of its members.

    Matched: as many genes from every bin. The overlap is then a sum of independent hypergeometric numbers, one per
    bin, whose distribution is computed exactly.
    """
    overlap = (members & selected).sum(axis=1)
    in_bin = np.eye(bins.max() + 1)[bins]
    size, drawn, inside = (counts.astype(int) for counts in (in_bin.sum(axis=0), selected @ in_bin, members @ in_bin))
    p = np.ones(len(members))
    for i in np.flatnonzero(overlap):
        hit = (inside[i] > 0) & (drawn > 0)
        cases = zip(size[hit].tolist(), inside[i, hit].tolist(), drawn[hit].tolist(), strict=True)
        p[i] = min(reduce(np.convolve, [_overlaps(*case) for case in cases])[overlap[i] :].sum(), 1.0)
    return p


@cache
def _overlaps(size: int, inside: int, drawn: int) -> np.ndarray:
    """Return the probabilities of each overlap in a bin; pairs of a set and a bin are many and mostly equal."""
    return hypergeom.pmf(np.arange(min(inside, drawn) + 1), size, inside, drawn)


def chance_precision(frequency: np.ndarray, n_known: int) -> float:
    """Return the expected average precision of the same frequencies when the known genes are random ones.

    With n_j genes in step j (of equal frequency, from the highest down) and N_j up to it, of N genes K known,
    E = sum_j n_j / (K N_j) (K/N + (N_j - 1) K (K - 1) / (N (N - 1))).
    """
    n_genes = len(frequency)
    _, in_step = np.unique(-frequency, return_counts=True)
    reached = np.cumsum(in_step)
    both = n_known * (n_known - 1) / (n_genes * (n_genes - 1))
    terms = in_step / reached * (n_known / n_genes + (reached - 1) * both)
    return float(terms.sum() / n_known)


def known_row(frequency: np.ndarray, frequent: np.ndarray, known: np.ndarray, bins: np.ndarray) -> dict:
    """Return how well a method recovers the known genes: by its ranking, and among its frequent genes."""
    return {
        "known_in_network": int(known.sum()),
        "union_found": int((known & (frequency > 0)).sum()),
        "average_precision": average_precision_score(known, frequency),
        "chance_precision": chance_precision(frequency, int(known.sum())),
        "overlap": int((frequent & known).sum()),
        "p": overlap_p(frequent, known[None])[0],
        "p_matched": matched_p(frequent, known[None], bins)[0],
        "genes_tested": int(frequent.sum()),
    }


def pathways_table(
    selected: np.ndarray, pathways: pd.DataFrame, members: np.ndarray, symbols: np.ndarray, bins: np.ndarray
) -> pd.DataFrame:
    """Return the pathways of a collection that share genes with the selected ones, the least likely first.

    Tested, and counted by the false discovery rates q (Benjamini and Hochberg), are all pathways with at least
    LEAST_GENES genes in the network; those without a selected gene have p = 1 and are not listed. What is expected is
    of random genes of the same degrees.
    """
    size = members.sum(axis=1)
    tested = size >= LEAST_GENES
    members, size = members[tested], size[tested]
    table = pathways.loc[tested, ["collection", "pathway", "name"]].assign(
        genes_in_network=size,
        overlap=(members & selected).sum(axis=1),
        expected=matched_expectation(selected, members, bins),
        p=overlap_p(selected, members),
        p_matched=matched_p(selected, members, bins),
        genes=[";".join(symbols[shared]) for shared in members & selected],
        genes_tested=int(selected.sum()),
        pathways_tested=len(members),
    )
    for p, q in (("p", "q"), ("p_matched", "q_matched")):
        table[q] = multipletests(table[p], method="fdr_bh")[1]
    return table[table["overlap"] > 0].sort_values(["p", "pathway"], kind="stable", ignore_index=True)
