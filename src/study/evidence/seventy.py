"""A stand-in for the 70-gene signature, to compare with.

The 70 genes are public (van 't Veer et al. 2002), the published classifier's averages are not in the sources of this
project. The stand-in keeps the idea: a patient's profile over the genes is correlated with the average profile of NKI
patients without the event, and a low correlation is a high risk. The 70 genes were chosen on patients of whom some are
among these 295, so on the NKI cohort itself its numbers would be optimistic; it is used in other cohorts only.
"""

from __future__ import annotations

import numpy as np

NAME = "70-gene stand-in"


def good_centroid(Z: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the mean standardised profile of the patients without the event."""
    return Z[y != 1].mean(axis=0)


def centroid_scores(Z: np.ndarray, centroid: np.ndarray) -> np.ndarray:
    """Return minus the cosine of each profile with the centroid: higher is worse."""
    lengths = np.linalg.norm(Z, axis=1) * np.linalg.norm(centroid)
    return -(Z @ centroid) / np.where(lengths > 0, lengths, 1.0)
