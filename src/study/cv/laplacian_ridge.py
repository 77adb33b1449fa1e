"""Ridge with the network as a smoother: neighbours are drawn towards similar weights."""

import numpy as np

from study.cv.network import laplacian_solver
from study.cv.penalised import Ridge, grid, rotated
from study.data.studyfile import Study
from study.methods import Method


class LaplacianRidge(Ridge):
    """Logistic regression with the penalty (1/2C) w' (I + gamma L) w, L the normalised Laplacian of the network.

    With Z = X (I + gamma L)^-1 the solution lies in the span of the rows of Z, and X Z' takes the place of X X' in
    ridge: a fit costs what one of ridge costs. gamma is the point's `smoothing`; 0 is ridge.
    """

    def __init__(self, method: Method, settings: dict, study: Study):
        self.points = [point._replace(smoothing=gamma) for gamma in method.smoothing for point in grid(method)]
        self.solvers = {gamma: laplacian_solver(study.edges, study.X.shape[1], gamma) for gamma in method.smoothing}

    def prepare(self, X: np.ndarray, smoothing: float) -> tuple[np.ndarray, np.ndarray]:
        """Return the design on which the penalty is that of ridge, and the way back to genes."""
        return rotated(X, self.solvers[smoothing](np.ascontiguousarray(X.T)).T)
