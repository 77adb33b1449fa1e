"""Are known genes and pathways over-represented among selected genes, more than size and degree explain?

The universe is the genes of the network. A set is a boolean array over it.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from scipy.special import gammaln
from scipy.stats import hypergeom

GENES_PER_BIN = 30
LEAST_GENES = 5
PATHWAY_COLUMNS = [
    "pathway",
    "name",
    "genes_in_network",
    "overlap",
    "expected",
    "p",
    "q",
    "p_matched",
    "q_matched",
    "genes",
    "genes_tested",
    "pathways_tested",
]


def benjamini_hochberg(p: np.ndarray) -> np.ndarray:
    """Return the false discovery rates (q values) of a family of p values (Benjamini and Hochberg 1995)."""
    p = np.asarray(p, float)
    order = np.argsort(-p, kind="stable")
    stepped = np.minimum.accumulate(p[order] * len(p) / np.arange(len(p), 0, -1))
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(stepped, 1.0)
    return adjusted


def overlap_p(selected: np.ndarray, members: np.ndarray) -> float:
    """Return the probability that as many random genes as `selected` hold as many `members`: hypergeometric."""
    overlap = int((selected & members).sum())
    return float(hypergeom.sf(overlap - 1, len(selected), members.sum(), selected.sum()))


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


def matched_p(selected: np.ndarray, members: np.ndarray, bins: np.ndarray) -> float:
    """Return the probability that random genes matched to `selected` hold as many `members`.

    Matched: as many genes from every bin. The overlap is then a sum of independent hypergeometric numbers, one per
    bin, whose distribution is computed exactly: it is what (k + 1)/(n + 1) tends to with the number n of
    random sets, without its noise and without its least value 1/(n + 1).
    """
    overlap = int((selected & members).sum())
    if overlap == 0:
        return 1.0
    size = np.bincount(bins)
    drawn = np.bincount(bins[selected], minlength=len(size))
    inside = np.bincount(bins[members], minlength=len(size))
    distribution = np.ones(1)
    for n_genes, n_members, n_drawn in zip(size, inside, drawn, strict=True):
        if n_members and n_drawn:
            distribution = np.convolve(distribution, _hypergeometric(n_genes, n_members, n_drawn))
    return float(min(distribution[overlap:].sum(), 1.0))


def _hypergeometric(n_genes: int, n_members: int, n_drawn: int) -> np.ndarray:
    """Return the probabilities of 0, 1, ... members among the drawn genes."""
    k = np.arange(min(n_members, n_drawn) + 1)
    possible = n_drawn - k <= n_genes - n_members
    probability = np.zeros(len(k))
    k = k[possible]
    probability[possible] = np.exp(
        _log_choose(n_members, k)
        + _log_choose(n_genes - n_members, n_drawn - k)
        - _log_choose(n_genes, n_drawn)
    )
    return probability


def _log_choose(n, k):
    return gammaln(n + 1) - gammaln(k + 1) - gammaln(n - k + 1)


def average_precision(frequency: np.ndarray, known: np.ndarray) -> float:
    """Return the average precision of ranking genes by frequency against the known ones; ties are one step."""
    found, reached = _steps(frequency, known)
    gained = np.diff(found, prepend=0)
    return float((gained * found / reached).sum() / known.sum())


def chance_precision(frequency: np.ndarray, n_known: int) -> float:
    """Return the expected average precision of the same frequencies when the known genes are random ones.

    With n_j genes in step j and N_j up to it, of N genes K known, E = sum_j n_j / (K N_j) (K/N + (N_j - 1)
    K (K - 1) / (N (N - 1))).
    """
    n_genes = len(frequency)
    _, reached = _steps(frequency, np.zeros(n_genes, bool))
    both = n_known * (n_known - 1) / (n_genes * (n_genes - 1))
    terms = np.diff(reached, prepend=0) / reached * (n_known / n_genes + (reached - 1) * both)
    return float(terms.sum() / n_known)


def _steps(score: np.ndarray, positive: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (positives, genes) at or above each distinct score, from the highest down."""
    order = np.argsort(-score, kind="stable")
    last = np.flatnonzero(np.r_[np.diff(score[order]) != 0, True])
    return np.cumsum(positive[order])[last], last + 1


def known_row(frequency: np.ndarray, frequent: np.ndarray, known: np.ndarray, bins: np.ndarray) -> dict:
    """Return how well a method recovers the known genes: by its ranking, and among its frequent genes."""
    return {
        "known_in_network": int(known.sum()),
        "union_found": int((known & (frequency > 0)).sum()),
        "average_precision": average_precision(frequency, known),
        "chance_precision": chance_precision(frequency, int(known.sum())),
        "overlap": int((frequent & known).sum()),
        "p": overlap_p(frequent, known),
        "p_matched": matched_p(frequent, known, bins),
        "genes_tested": int(frequent.sum()),
    }


def pathways_table(
    selected: np.ndarray, pathways: pd.DataFrame, members: np.ndarray, symbols: np.ndarray, bins: np.ndarray
) -> pd.DataFrame:
    """Return the pathways that share genes with the selected ones, the least likely first.

    Parameters
    ----------
    selected : bool array (genes,)
    pathways : table with the columns pathway, name
    members : bool array (pathways, genes)
    symbols, bins : arrays (genes,)

    Notes
    -----
    Tested, and counted by q, are all pathways with at least LEAST_GENES genes in the network; those without a
    selected gene have p = 1 and are not listed.
    """
    tested = np.flatnonzero(members.sum(axis=1) >= LEAST_GENES)
    rows = []
    for i in tested:
        shared, size = selected & members[i], int(members[i].sum())
        rows.append(
            {
                "pathway": pathways["pathway"].iloc[i],
                "name": pathways["name"].iloc[i],
                "genes_in_network": size,
                "overlap": int(shared.sum()),
                "expected": selected.sum() * size / len(selected),
                "p": overlap_p(selected, members[i]),
                "p_matched": matched_p(selected, members[i], bins),
                "genes": ";".join(symbols[shared]),
                "genes_tested": int(selected.sum()),
                "pathways_tested": len(tested),
            }
        )
    table = pd.DataFrame(rows, columns=[name for name in PATHWAY_COLUMNS if not name.startswith("q")])
    table["q"] = benjamini_hochberg(table["p"])
    table["q_matched"] = benjamini_hochberg(table["p_matched"])
    listed = table[table["overlap"] > 0].sort_values(["p", "pathway"], kind="stable", ignore_index=True)
    return listed[PATHWAY_COLUMNS]
