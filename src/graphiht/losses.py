"""The objective: a mean of weighted pointwise losses over rows, plus a ridge penalty on the weights.

    L(w, c) = (1/m) sum_{i in rows} k_i f(x_i w + c, y_i) + (lambda/2) ||w||^2

with f the logistic loss (y in {-1, +1}; k balances the classes) or the squared loss (f = (m - y)^2 / 2).
The intercept c is not penalised.
"""

import copy
import functools
import math
import numbers
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from graphiht import kernels
from graphiht.kernels import Iterate
from graphiht.newton import second_moments
from graphiht.solver import LAM

TRANSPOSED_BYTES = 2**28  # the largest matrix that is held by columns, too
GRAM_COLUMNS = 2**14  # of the matrix that are in float64 at the same time
NO_MATRIX = np.empty((0, 0))


@functools.cache
def _blas() -> Any:
    """Return what limits the threads of the BLAS; looking for it takes milliseconds."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


class Loss:
    """A data set with its pointwise loss: values and gradients on any set of rows.

    Parameters
    ----------
    X : array of shape (n_rows, n_features)
    targets : array of shape (n_rows,)
    row_weights : array of shape (n_rows,)
        The k_i.
    kind : {kernels.LOGISTIC, kernels.SQUARED}
    lam : float
        lambda.
    dtype : {float64, float32}
        Of the matrix, of margins from it and of sums over its rows; everything else is float64. In float32 a
        gradient over 200 rows and 2,000 features takes a sixth of the time, because the matrix stays in the
        processor's cache, and is right to seven digits.

    Notes
    -----
    Holds X as it is given if that is by rows and of this dtype, else a copy. Up to a size there is a second one by
    columns, for margins: without it they are the same, to the bit.
    """

    def __init__(
        self,
        X: ArrayLike,
        targets: ArrayLike,
        row_weights: ArrayLike,
        kind: int,
        lam: float = 0.0,
        dtype: DTypeLike = np.float64,
    ):
        if dtype not in ("float64", "float32", np.float64, np.float32):
            raise ValueError(f"dtype must be float64 or float32; got {dtype!r}")
        self.X = np.ascontiguousarray(X, dtype=dtype)
        is_small = self.X.nbytes <= TRANSPOSED_BYTES
        self.XT = np.ascontiguousarray(self.X.T) if is_small else np.empty((0, 0), self.X.dtype)
        self.targets = np.ascontiguousarray(targets, dtype=np.float64)
        self.row_weights = np.ascontiguousarray(row_weights, dtype=np.float64)
        self.kind = kind
        self.lam = _check_lam(lam)
        self.n_rows, self.n_features = self.X.shape
        self.all_rows = np.arange(self.n_rows)
        self._shared: dict[str, Any] = {}

    def with_lam(self, lam: float) -> Self:
        """Return the same loss with another lambda, sharing all arrays."""
        other = copy.copy(self)
        other.lam = _check_lam(lam)
        return other

    def precompute(self) -> None:
        """Compute X X^T for line searches, if there are far fewer rows than features.

        Gradients lie in the row space of X, so that their images X d then cost n^2 instead of n p. This pays when the
        fits on this loss take some hundred steps in all.
        """
        if 2 * self.n_rows > self.n_features or "gram" in self._shared:
            return
        gram = np.zeros((self.n_rows, self.n_rows))
        # One thread, because BLAS may sum in another order with more.
        with _blas().limit(limits=1, user_api="blas"):
            for start in range(0, self.n_features, GRAM_COLUMNS):
                # The same array on both sides: NumPy then computes half of the symmetric product.
                X = self.X[:, start : start + GRAM_COLUMNS].astype(np.float64)
                gram += X @ X.T
        self._shared["gram"] = gram

    def curvatures(self, is_centred: bool = True) -> np.ndarray:
        """Return an upper bound of the second derivative of the mean loss along each weight, without the penalty.

        `is_centred` is for fits with an intercept: the features then count without their weighted means.
        """
        key = "centred curvatures" if is_centred else "curvatures"
        if key not in self._shared:
            bound = 0.25 if self.kind == kernels.LOGISTIC else 1.0
            self._shared[key] = second_moments(self.X, bound * self.row_weights / self.n_rows, is_centred)
        return self._shared[key]

    def data(self) -> kernels.Data:
        """Return what compiled code takes."""
        arrays = self.X, self.XT, self.targets, self.row_weights, self.all_rows
        return kernels.Data(self.kind, *arrays, self.lam, self._shared.get("gram", NO_MATRIX))

    def iterate(self, z: np.ndarray, support: np.ndarray, intercept: float) -> Iterate:
        """Return the `Iterate` at z restricted to the sorted support, and this intercept."""
        return kernels.iterate(self.data(), z, support, float(intercept))

    def value(self, x: Iterate, rows: np.ndarray | None = None) -> float:
        """Return L at an iterate, on all rows by default."""
        rows = self.all_rows if rows is None else rows
        data = kernels.mean_loss(self.kind, x.margins, self.targets, self.row_weights, rows)
        return data + 0.5 * self.lam * x.squared_norm

    def gradient(self, x: Iterate, rows: np.ndarray | None = None) -> tuple[np.ndarray, float]:
        """Return the gradient of L on `rows` with respect to (weights, intercept)."""
        return kernels.gradient(self.data(), x, self.all_rows if rows is None else rows, self.lam)[:2]


def balanced_logistic(
    X: ArrayLike,
    y: ArrayLike,
    lam: float = LAM,
    *,
    sample_weight: ArrayLike | None = None,
    class_weight: str | tuple[float, float] | None = "balanced",
    dtype: DTypeLike = np.float64,
) -> Loss:
    """Return the class-balanced logistic loss of a data set.

    Parameters
    ----------
    y : array of shape (n_rows,)
        The positive class is y > 0; 0/1 and -1/+1 both work.
    sample_weight : array of shape (n_rows,), optional
        Scaled to mean 1, so that an integer weight means as much as repeating the row.
    class_weight : "balanced", None or (weight of negatives, weight of positives)
        "balanced": n_neg/n for positives and n_pos/n for negatives, counted (with the sample weights) over
        all rows given here, whatever rows an estimator samples later.
    dtype : {float64, float32}
        See `Loss`.
    """
    positive = np.asarray(y) > 0
    weights = _mean_one(sample_weight, len(positive))
    if class_weight is None:
        negatives, positives = 1.0, 1.0
    elif isinstance(class_weight, str):
        negatives = weights[positive].sum() / weights.sum()
        positives = 1.0 - negatives
    else:
        negatives, positives = class_weight
    row_weights = weights * np.where(positive, positives, negatives)
    return Loss(X, np.where(positive, 1.0, -1.0), row_weights, kernels.LOGISTIC, lam, dtype)


def least_squares(
    X: ArrayLike,
    y: ArrayLike,
    lam: float = 0.0,
    *,
    scale: float = 1.0,
    sample_weight: ArrayLike | None = None,
    dtype: DTypeLike = np.float64,
) -> Loss:
    """Return the loss with f_i = (scale/2) (x_i w + c - y_i)^2.

    With scale = n_rows it is the synthetic experiments' F(x) = (1/2) ||A x - y||^2, whose every f_i is
    (n/2)(a_i x - y_i)^2.
    """
    return Loss(X, y, scale * _mean_one(sample_weight, np.size(y)), kernels.SQUARED, lam, dtype)


def _mean_one(sample_weight: ArrayLike | None, n_rows: int) -> np.ndarray:
    if sample_weight is None:
        return np.ones(n_rows)
    weights = np.asarray(sample_weight, dtype=np.float64)
    return weights * (n_rows / weights.sum())


def _check_lam(lam: float) -> float:
    if not isinstance(lam, numbers.Real) or isinstance(lam, bool) or not 0 <= lam < math.inf:
        raise ValueError(f"lambda must be a finite number of at least 0; got {lam!r}")
    return float(lam)
