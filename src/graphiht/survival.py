"""Survival: the loss of Cox's model for `fit`, ridge regression on all features, and concordance."""

import copy
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from graphiht.cox import COX, curvatures, partial_likelihood
from graphiht.kernels import combine_rows
from graphiht.losses import Iterate, _check_lam, _mean_one
from graphiht.newton import minimise
from graphiht.solver import LAM

TIED = 1e-8  # risk scores that differ by less are equal, as in scikit-survival


class CoxLoss:
    """The mean negative log partial likelihood of Cox's model plus (lam/2) ||w||^2, with Breslow's ties.

    `fit` takes it in place of X for htp and graph-htp. There is no intercept, because it would cancel.

    Parameters
    ----------
    X : array of shape (n_rows, n_features)
    event : array of shape (n_rows,)
        Whether the event was seen; else the patient is censored.
    time : array of shape (n_rows,)
    lam : float
        lambda. The penalty alpha of scikit-survival is n_rows times as large.
    sample_weight : array of shape (n_rows,), optional
        Positive; scaled to mean 1, so that an integer weight means as much as repeating the row.
    dtype : {float64, float32}
        Of the matrix.
    """

    kind = COX

    def __init__(
        self,
        X: ArrayLike,
        event: ArrayLike,
        time: ArrayLike,
        lam: float = LAM,
        *,
        sample_weight: ArrayLike | None = None,
        dtype: DTypeLike = np.float64,
    ):
        self.X = np.ascontiguousarray(X, dtype=dtype)
        self.XT = np.empty((0, 0), self.X.dtype)
        self.n_rows, self.n_features = self.X.shape
        self.all_rows = np.arange(self.n_rows)
        self.targets = np.ascontiguousarray(np.asarray(event).astype(bool), dtype=np.float64)
        times = np.asarray(time, dtype=np.float64)
        if not len(times) == len(self.targets) == self.n_rows:
            raise ValueError(
                f"event and time need one value per row of X: got {len(self.targets)}, {len(times)} and {self.n_rows}"
            )
        wrong = np.flatnonzero(~(np.isfinite(times) & (times >= 0)))
        if len(wrong):
            raise ValueError(f"times must be finite and at least 0; got {times[wrong[0]]} in row {wrong[0]}")
        if not self.targets.any():
            raise ValueError("all patients are censored: Cox's model needs at least one event")
        self.row_weights = _mean_one(sample_weight, self.n_rows)
        if not (self.row_weights > 0).all():
            raise ValueError("sample_weight must be positive: leave out rows of weight zero")
        order = np.argsort(-times, kind="stable")
        self.ties = order, np.append(np.flatnonzero(np.diff(times[order], prepend=np.inf)), self.n_rows)
        self.lam = _check_lam(lam)

    def with_lam(self, lam: float) -> Self:
        """Return the same loss with another lambda, sharing all arrays."""
        other = copy.copy(self)
        other.lam = _check_lam(lam)
        return other

    def value(self, x: Iterate) -> float:
        """Return L at an iterate."""
        return partial_likelihood(x.margins, self.targets, self.row_weights, *self.ties)[0] + (
            0.5 * self.lam * x.squared_norm
        )

    def gradient(self, x: Iterate) -> tuple[np.ndarray, float]:
        """Return the gradient of L with respect to the weights; the slope of an intercept is 0."""
        slopes = partial_likelihood(x.margins, self.targets, self.row_weights, *self.ties)[1]
        sums = np.empty(self.n_features, self.X.dtype)
        combine_rows(self.X, self.all_rows, slopes.astype(self.X.dtype), sums)
        return sums + self.lam * x.weights, 0.0

    def curvatures(self, x: Iterate) -> np.ndarray:
        """Return the second derivative along each weight at an iterate, without the penalty.

        Unlike that of the logistic loss it has no bound that holds at all scores.
        """
        _, _, shares, deaths = partial_likelihood(x.margins, self.targets, self.row_weights, *self.ties)
        return curvatures(self.X, shares, deaths, *self.ties)


def ridge_cox(X: ArrayLike, event: ArrayLike, time: ArrayLike, lam: float) -> np.ndarray:
    """Return the weights of Cox's model with the ridge penalty (lam/2) ||w||^2 on all features.

    Newton's method in the row space of X, in which the weights lie: n_rows^3 operations per step however many features
    there are. The space is found by BLAS, so that last bits may depend on its threads.

    Examples
    --------
    >>> import numpy as np
    >>> from graphiht.survival import ridge_cox
    >>> ridge_cox([[0.0, 1.0], [1.0, 0.0], [2.0, 0.0]], [True, True, False], [3, 2, 1], lam=1.0).shape
    (2,)
    """
    matrix = np.asarray(X, dtype=np.float64)
    # X = coordinates basis^T with an orthonormal basis, from the small one of X X^T and X^T X.
    wide = matrix.shape[1] > matrix.shape[0]
    values, vectors = np.linalg.eigh(matrix @ matrix.T if wide else matrix.T @ matrix)
    kept = values > 1e-12 * values[-1]
    basis = matrix.T @ (vectors[:, kept] / np.sqrt(values[kept])) if wide else vectors[:, kept]
    loss = CoxLoss(matrix @ basis, event, time, lam)
    penalties = np.full(loss.n_features, loss.lam)
    weights = loss.targets, loss.row_weights, penalties, np.zeros(loss.n_features)
    return basis @ minimise(loss.kind, loss.X, *weights, 1e-12, *loss.ties)[0]


def concordance(event: ArrayLike, time: ArrayLike, risk: ArrayLike) -> float:
    """Return Harrell's concordance: the share of comparable pairs in which the higher risk has the earlier event.

    A pair is comparable if the earlier time is an event; a censored time counts as later than an equal event.
    Equal risks count half.
    """
    events, times, risks = np.asarray(event, bool), np.asarray(time, float), np.asarray(risk, float)
    good = pairs = 0.0
    for i in np.flatnonzero(events):
        later = (times > times[i]) | ((times == times[i]) & ~events)
        ahead = risks[i] - risks[later]
        good += np.sum(ahead > TIED) + 0.5 * np.sum(np.abs(ahead) <= TIED)
        pairs += np.sum(later)
    if not pairs:
        raise ValueError("concordance needs an event before another patient's time; got none")
    return float(good / pairs)
