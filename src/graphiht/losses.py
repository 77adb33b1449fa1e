"""The objective: a mean of weighted pointwise losses over rows, plus a ridge penalty on the weights.

    L(w, c) = (1/m) sum_{i in rows} k_i f(x_i w + c, y_i) + (lambda/2) ||w||^2

with f the logistic loss (y in {-1, +1}; k balances the classes) or the squared loss (f = (m - y)^2 / 2).
The intercept c is not penalised.
"""

import copy
import functools
import math
import numbers
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from graphiht import kernels
from graphiht.newton import second_moments
from graphiht.solver import LAM

TRANSPOSED_BYTES = 2**28  # the largest matrix that is held by columns, too
GRAM_COLUMNS = 2**14  # of the matrix that are in float64 at the same time


@functools.cache
def _blas() -> Any:
    """Return what limits the threads of the BLAS; looking for it takes milliseconds."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


class Estimate(NamedTuple):
    """An estimated gradient X^T coefficients + lambda w, and the rows whose loss it is meant to lower."""

    gradient: np.ndarray
    intercept_gradient: float
    coefficients: np.ndarray
    rows: np.ndarray


class Iterate(NamedTuple):
    """A point of the search: sparse weights, intercept, the margins X w + c of all rows, and ||w||^2."""

    weights: np.ndarray
    support: np.ndarray
    intercept: float
    margins: np.ndarray
    squared_norm: float


class Loss:
    """A data set with its pointwise loss: values, gradients and line searches on any set of rows.

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
    columns, for margins: without it they are the same, to the bit. Once a line search needs it and there are far fewer
    rows than features, there is X X^T: gradients lie in the row space of X, so their images X d cost n^2 instead of
    n p.
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

    def gram(self) -> np.ndarray | None:
        """Return X X^T, or None when it would not be smaller than X."""
        if "gram" not in self._shared:
            gram = None
            if 2 * self.n_rows <= self.n_features:
                # One thread, because BLAS may sum in another order with more.
                with _blas().limit(limits=1, user_api="blas"):
                    gram = np.zeros((self.n_rows, self.n_rows))
                    for start in range(0, self.n_features, GRAM_COLUMNS):
                        # The same array on both sides: NumPy then computes half of the symmetric product.
                        X = self.X[:, start : start + GRAM_COLUMNS].astype(np.float64)
                        gram += X @ X.T
            self._shared["gram"] = gram
        return self._shared["gram"]

    def curvatures(self, is_centred: bool = True) -> np.ndarray:
        """Return an upper bound of the second derivative of the mean loss along each weight, without the penalty.

        `is_centred` is for fits with an intercept: the features then count without their weighted means.
        """
        key = "centred curvatures" if is_centred else "curvatures"
        if key not in self._shared:
            bound = 0.25 if self.kind == kernels.LOGISTIC else 1.0
            self._shared[key] = second_moments(self.X, bound * self.row_weights / self.n_rows, is_centred)
        return self._shared[key]

    def iterate(self, z: np.ndarray, support: np.ndarray, intercept: float) -> Iterate:
        """Return the `Iterate` at z restricted to the sorted support, and this intercept."""
        weights, margins, squared_norm = kernels.restrict(z, support, self.X, self.XT, float(intercept))
        return Iterate(weights, support, float(intercept), margins, squared_norm)

    def value(self, x: Iterate, rows: np.ndarray | None = None) -> float:
        """Return L at an iterate, on all rows by default."""
        rows = self.all_rows if rows is None else rows
        data = kernels.mean_loss(self.kind, x.margins, self.targets, self.row_weights, rows)
        return data + 0.5 * self.lam * x.squared_norm

    def estimate(self, x: Iterate, rows: np.ndarray, lam: float) -> tuple[np.ndarray, float, np.ndarray]:
        """Return (gradient, slope of the intercept, coefficients) on `rows`: X^T coefficients + lam w."""
        return kernels.gradient(self.kind, self.X, x.margins, self.targets, self.row_weights, rows, lam, x.weights)

    def estimate_change(
        self, x: Iterate, anchor: Iterate, rows: np.ndarray, at_anchor: tuple[np.ndarray, float, np.ndarray]
    ) -> tuple[np.ndarray, float, np.ndarray]:
        """Return grad_rows(x) - grad_rows(anchor) + grad(anchor), as `estimate`; `at_anchor` is `estimate` there."""
        margins = x.margins, anchor.margins
        weighted = self.targets, self.row_weights, rows, self.lam, x.weights
        return kernels.reduced_gradient(self.kind, self.X, *margins, *weighted, *at_anchor)

    def gradient(self, x: Iterate, rows: np.ndarray | None = None) -> tuple[np.ndarray, float]:
        """Return the gradient of L on `rows` with respect to (weights, intercept)."""
        return self.estimate(x, self.all_rows if rows is None else rows, self.lam)[:2]

    def along(
        self, x: Iterate, estimate: Estimate, direction: np.ndarray, support: np.ndarray | None, slope: float
    ) -> np.ndarray:
        """Return X d + slope, d = `direction` being zero off `support` (None: d is the whole estimate)."""
        if support is None and self.gram() is not None:
            # d = X^T rho + lambda w, so X d = (X X^T) rho + lambda (margins - c).
            return kernels.image(self.gram(), estimate.coefficients, self.lam, x.margins, x.intercept, slope)
        everywhere = np.arange(self.n_features) if support is None else support
        return kernels.restrict(direction, everywhere, self.X, self.XT, slope)[1]

    def search(
        self,
        x: Iterate,
        along: np.ndarray,
        direction: np.ndarray,
        intercept_slope: float,
        rows: np.ndarray,
        shrink: float,
        max_shrinks: int,
        guess: int = 0,
    ) -> tuple[float, bool, int]:
        """Return (step, accepted, shrinks) of the backtracking search against (direction, intercept_slope)."""
        here = kernels.mean_loss(self.kind, x.margins, self.targets, self.row_weights, rows)
        data = self.kind, x.margins, along, self.targets, self.row_weights, rows, here
        ray = x.weights, x.support, direction, intercept_slope
        return kernels.backtrack(*data, self.lam, *ray, shrink, max_shrinks, guess)

    def refine_intercept(self, x: Iterate, rows: np.ndarray, max_steps: int) -> Iterate:
        """Return the iterate after at most `max_steps` Newton steps on its intercept, on `rows`."""
        data = self.kind, x.margins, self.targets, self.row_weights, rows
        change = kernels.intercept_change(*data, max_steps)
        return x._replace(intercept=x.intercept + change, margins=x.margins + change)


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
