"""A small study on a ring, and learners on it by name."""

import numpy as np

from study.cv.learners import make_learner
from study.data.studyfile import Study
from study.methods import METHODS

SETTINGS = {
    "seed": 3,
    "sparsities": [2, 5],
    "lambdas": [0.01, 1.0],
    "n_blocks": [1, 2],
    "tie_tolerance": 0.0,
    "n_components": 1,
    "epochs": [3, 20],
    "tolerance": 1e-4,
    "edge_cost": "unit",
}


def study_of(X, y, edges=None, time=None, source=None):
    """A study of these patients; by default its genes form a ring, and nothing is known of times or cohorts."""
    n_patients, n_genes = X.shape
    edges = [[i, (i + 1) % n_genes] for i in range(n_genes)] if edges is None else edges
    return Study(
        X=np.asarray(X, float),
        y=np.asarray(y, np.int8),
        time=np.full(n_patients, np.nan) if time is None else np.asarray(time, float),
        patients=np.array([f"P{i}" for i in range(n_patients)]),
        entrez=np.zeros(n_genes, np.int64),
        symbol=np.array([f"G{i}" for i in range(n_genes)]),
        counts=np.full(3, n_genes),
        edges=np.asarray(edges, np.int64),
        confidence=np.ones(len(edges)),
        source=source,
    )


def learner_of(method, settings, study, n_blocks=None):
    """The learner of a method with the numbers of blocks that matter to it, or with these."""
    row = METHODS[method]
    blocks = row.blocks(settings["n_blocks"]) if n_blocks is None else n_blocks
    return make_learner(row, {"edge_cost": "unit", **settings, "n_blocks": blocks}, study)
