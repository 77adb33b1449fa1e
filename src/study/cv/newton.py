"""Ridge-penalised, class-balanced logistic regression on a few genes, solved to the end by Newton's method.

Our own, because every fit job uses it and importing scikit-learn takes longer than a hundred of these fits.
"""

import numpy as np

from study.cv.model import Model

MAX_STEPS = 100


def balanced_weights(y: np.ndarray, weights: np.ndarray | None = None) -> np.ndarray:
    """Return n_neg/n for the positives and n_pos/n for the negatives, times weights of mean 1 if there are any."""
    if weights is None:
        share = np.mean(y == 1)
        return np.where(y == 1, 1.0 - share, share)
    share = weights[y == 1].sum() / weights.sum()
    return weights / weights.mean() * np.where(y == 1, 1.0 - share, share)


def fit_ridge(
    X: np.ndarray, y: np.ndarray, lam: float, weights: np.ndarray | None = None, tol: float = 1e-10
) -> tuple[np.ndarray, float]:
    """Return the weights and the intercept that minimise

        (1/n) sum_i k_i log(1 + exp(-y_i (x_i w + c))) + (lam/2) ||w||^2

    by Newton's method with step halving; c is not penalised. k are the balanced weights.
    """
    n_rows, n_genes = X.shape
    sign = np.where(y == 1, 1.0, -1.0)
    k = balanced_weights(y, weights) / n_rows
    A = np.column_stack([X, np.ones(n_rows)])
    penalty = np.r_[np.full(n_genes, lam), 0.0]

    def value(beta: np.ndarray) -> float:
        return float(k @ np.logaddexp(0.0, -sign * (A @ beta)) + 0.5 * penalty @ beta**2)

    beta = np.zeros(n_genes + 1)
    here = value(beta)
    for _ in range(MAX_STEPS):
        probability = 0.5 * (1.0 + np.tanh(0.5 * (A @ beta)))
        gradient = A.T @ (k * (probability - (sign > 0))) + penalty * beta
        curvature = k * probability * (1.0 - probability)
        hessian = (A * curvature[:, None]).T @ A + np.diag(penalty)
        move = np.linalg.solve(hessian + 1e-12 * np.eye(n_genes + 1), gradient)
        step = 1.0
        while (there := value(beta - step * move)) > here and step > 1e-6:
            step /= 2
        beta, previous, here = beta - step * move, here, there
        if previous - here <= tol * abs(here):
            break
    return beta[:-1], float(beta[-1])


def ridge_model(
    X: np.ndarray, y: np.ndarray, genes: np.ndarray, lam: float, weights: np.ndarray | None = None
) -> Model:
    """Return the model of some genes with ridge weights."""
    return Model(genes, *fit_ridge(X[:, genes], y, lam, weights))
