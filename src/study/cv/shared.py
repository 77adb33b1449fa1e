"""Scores of fits that several methods share: over one block of rows every gradient estimator is the full gradient."""

from pathlib import Path

import numpy as np

from study.cv.model import GridPoint
from study.io import read_arrays, write_arrays

COUNTS = ("sparsity", "n_blocks", "epochs")


def write_scores(path: str | Path, points: list[GridPoint], scores: np.ndarray) -> None:
    """Write points and their out-of-fold scores (points, patients)."""
    write_arrays(path, {"points": np.array(points), "scores": scores})


def read_scores(path: str | Path) -> tuple[list[GridPoint], np.ndarray]:
    """Return what `write_scores` wrote; an array of floats turns counts into floats, and fits need integers."""
    stored = read_arrays(path, ("points", "scores"))
    points = map(GridPoint._make, stored["points"].tolist())
    return [point._replace(**{name: int(getattr(point, name)) for name in COUNTS}) for point in points], stored[
        "scores"
    ]
