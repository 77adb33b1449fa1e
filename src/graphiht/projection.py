"""Projections onto sparse vectors."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Projection:
    """A support, and what it cost to find."""

    support: np.ndarray
    n_solves: int
    lam: float
    in_window: bool


def top_s(v, s):
    """Return the support of the s largest |v|, ties broken by lower index."""
    size = np.abs(v)
    if s >= len(size):
        return Projection(np.arange(len(size)), 0, 0.0, True)
    threshold = np.partition(size, len(size) - s)[len(size) - s]
    above = np.flatnonzero(size > threshold)
    ties = np.flatnonzero(size == threshold)[: s - len(above)]
    return Projection(np.sort(np.concatenate([above, ties])), 0, 0.0, True)
