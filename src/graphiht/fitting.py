"""One fit, or a path of fits, of one of the methods."""

import math
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from graphiht._checks import LARGEST, check_int, check_real, shown
from graphiht.gradients import ESTIMATORS, Draws, Sampling
from graphiht.loop import solve
from graphiht.losses import Loss, balanced_logistic
from graphiht.methods import find_method
from graphiht.network import Network
from graphiht.projection import HEADS, GraphSparsity, Projection, TopS
from graphiht.pursuit import pursue
from graphiht.solver import HEAD, INTERCEPTS, LAM, N_COMPONENTS, SLACK, FitResult, Settings
from graphiht.survival import CoxLoss


def fit(
    method: str,
    X: ArrayLike | Loss | CoxLoss,
    y: ArrayLike | None = None,
    *,
    sparsity: int,
    lam: float | None = None,
    network: Network | None = None,
    n_components: int = N_COMPONENTS,
    head: str | int = HEAD,
    slack: float = SLACK,
    rng: np.random.Generator | None = None,
    first: tuple[np.ndarray, Projection] | None = None,
    sample_weight: ArrayLike | None = None,
    checkpoints: Sequence[int] = (),
    covariates: ArrayLike | None = None,
    **settings: Any,
) -> FitResult:
    """Return the `FitResult` of one method on one data set.

    Parameters
    ----------
    method : str
        A name in `METHODS`.
    X : array of shape (n_rows, n_features), Loss or CoxLoss
        An array means the class-balanced logistic loss of (X, y). A prepared `Loss` (then y is None) shares
        its copies of the matrix between fits. htp and graph-htp also take a `survival.CoxLoss`.
    y : array of shape (n_rows,), optional
        Labels; positive means y > 0.
    sparsity : int
        s, the number of features to keep.
    lam : float, optional
        The ridge penalty lambda; by default .1, or that of the loss given.
    network, n_components, head, slack
        For graph methods, see `projection.GraphSparsity`.
    rng : numpy.random.Generator
        The only source of randomness; methods with the same estimator draw the same rows from it. Needed by
        estimators that sample.
    first : optional
        The `first` of a fit of the same sparsity: its first projection is taken over.
    sample_weight : array of shape (n_rows,), optional
    checkpoints : sequence of int
        Numbers of epochs, at most `max_epochs`: `checkpoints[k]` of the result is, to the bit, the result with
        `max_epochs` k.
    covariates : array of shape (n_rows, n_covariates), optional
        For htp and graph-htp: columns, such as age, that are in every model without penalty. Their weights are
        `covariate_weights` of the result.
    **settings
        Fields of `gradients.Sampling`: n_blocks, batch_size, mini_batch, inner_steps, option; and of
        `solver.Settings`: step, shrink, max_shrinks, intercept, max_epochs, tol, patience. Methods ignore what they do
        not use: iht samples nothing; htp and graph-htp have no steps, no epochs and no head, and of `intercept` they
        use only whether it is "none".
    """
    loss = X if isinstance(X, (Loss, CoxLoss)) else _logistic(X, y, LAM, sample_weight)
    rng = np.random.default_rng(0) if rng is None else rng
    options = {"network": network, "n_components": n_components, "head": head, "slack": slack, **settings}
    draws, run = _prepare(method, loss, rng, checkpoints=checkpoints, covariates=covariates, **options)
    result = run(lam, sparsity, first)
    draws.rewind(result.epochs)
    return result


def fit_path(
    method: str,
    X: ArrayLike | Loss | CoxLoss,
    y: ArrayLike | None = None,
    *,
    sparsities: Sequence[int],
    lambdas: Sequence[float | None] = (None,),
    rng: np.random.Generator | None = None,
    sample_weight: ArrayLike | None = None,
    **options: Any,
) -> dict[tuple[float | None, int], FitResult]:
    """Return {(lambda, sparsity): FitResult} over a grid; `options` are those of `fit`. All fits draw the same rows.

    Every fit starts at zero, so none depends on what else is in the grid, or inherits a neighbour's support and
    overfitting.
    """
    loss = X if isinstance(X, (Loss, CoxLoss)) else _logistic(X, y, LAM, sample_weight)
    seed = 0 if rng is None else int(rng.integers(2**63))
    _, run = _prepare(method, loss, np.random.default_rng(seed), **options)
    results: dict[tuple[float | None, int], FitResult] = {}
    firsts: dict[int, tuple[np.ndarray, Projection] | None] = {}
    for lam in sorted(lambdas, reverse=True) if len(lambdas) > 1 else lambdas:  # type: ignore[type-var]
        for sparsity in sorted(sparsities):
            # At zero the gradient is the same for every lambda, so the first step is, too, if as long.
            result = run(lam, sparsity, firsts.get(sparsity))
            results[lam, sparsity], firsts[sparsity] = result, result.first
    return results


Run: TypeAlias = Callable[[float | None, int, tuple[np.ndarray, Projection] | None], FitResult]


def _prepare(
    method: str,
    loss: Loss | CoxLoss,
    rng: np.random.Generator,
    *,
    network: Network | None = None,
    n_components: int = N_COMPONENTS,
    head: str | int = HEAD,
    slack: float = SLACK,
    checkpoints: Sequence[int] = (),
    covariates: ArrayLike | None = None,
    **options: Any,
) -> tuple[Draws, Run]:
    """Return the rows drawn, and the function (lambda, sparsity, first projection) -> result of fits that draw them."""
    row, n_features = find_method(method), loss.n_features
    if isinstance(loss, CoxLoss) and row.update != "refit":
        raise ValueError(f"Cox's model needs a method that refits, htp or graph-htp; got method {method!r}")
    sampling, settings = make_settings(options, loss.n_rows)
    for epochs in checkpoints:
        if not 1 <= epochs <= settings.max_epochs:
            raise ValueError(f"checkpoints must be between 1 and max_epochs = {settings.max_epochs}; got {epochs!r}")
    if row.uses_network:
        network = check_network(network, method, n_features)
        if isinstance(head, str) and head not in HEADS:
            raise ValueError(f"head must be one of {', '.join(HEADS)} or a number of nodes; got {shown(head)}")
        head = head if isinstance(head, str) else check_int("head", head, 1, ("n_features", n_features))
    slack = check_real("slack", slack)
    kept = None if covariates is None else _check_covariates(covariates, row.update, method, loss.n_rows)
    draws = Draws(ESTIMATORS[row.gradient](loss.n_rows, sampling, rng), rng)

    def run(lam: float | None, sparsity: int, first: tuple[np.ndarray, Projection] | None) -> FitResult:
        sparsity = check_int("sparsity", sparsity, 1, ("n_features", n_features))
        model: TopS | GraphSparsity = TopS(sparsity)
        if network is not None and row.uses_network:
            n_trees = check_int("n_components", n_components, 1, ("sparsity", sparsity))
            model = GraphSparsity(network, sparsity, n_trees, head, slack, first)
        penalised = loss if lam is None else loss.with_lam(lam)
        if row.update == "refit" or isinstance(penalised, CoxLoss):
            return pursue(penalised, model, settings.intercept != "none", checkpoints, kept)
        return solve(penalised, draws, model, settings, checkpoints)

    return draws, run


def _logistic(X: ArrayLike, y: ArrayLike | None, lam: float, sample_weight: ArrayLike | None) -> Loss:
    if y is None:
        raise ValueError("y must be given with an array X; got None")
    return balanced_logistic(X, y, lam, sample_weight=sample_weight)


def make_settings(options: dict[str, Any], n_rows: int) -> tuple[Sampling, Settings]:
    """Return `Sampling` and `Settings` from keywords, checked."""
    names = {group: [f.name for f in fields(group)] for group in (Sampling, Settings)}
    known = [*names[Sampling], *names[Settings]]
    unknown = [name for name in options if name not in known]
    if unknown:
        raise TypeError(f"unknown option {unknown[0]!r}; settings are {', '.join(known)}")
    sampling = Sampling(**{name: value for name, value in options.items() if name in names[Sampling]})
    settings = Settings(**{name: value for name, value in options.items() if name in names[Settings]})
    for name in ("n_blocks", "batch_size", "mini_batch", "inner_steps"):
        if getattr(sampling, name) is not None or name == "n_blocks":
            check_int(name, getattr(sampling, name), 1, LARGEST if name == "inner_steps" else ("n_samples", n_rows))
    if sampling.option not in (1, 2):
        raise ValueError(f"option must be 1 (geometric) or 2 (B/b inner steps); got {sampling.option!r}")
    if settings.intercept not in INTERCEPTS:
        raise ValueError(f"intercept must be one of {', '.join(INTERCEPTS)}; got {shown(settings.intercept)}")
    # Numbers of one type each, because kernels are compiled for types.
    settings = replace(
        settings,
        step=None if settings.step is None else check_real("step", settings.step, over=True),
        shrink=check_real("shrink", settings.shrink, 0.0, 1.0, over=True),
        tol=check_real("tol", settings.tol, -math.inf, over=True),
        max_shrinks=check_int("max_shrinks", settings.max_shrinks, 0),
        max_epochs=check_int("max_epochs", settings.max_epochs),
        patience=check_int("patience", settings.patience),
    )
    return sampling, settings


def check_network(network: Network | None, method: str, n_features: int) -> Network:
    """Return the network, or raise ValueError if there is none or it does not fit the features."""
    if network is None:
        raise ValueError(f"network must be given for method {method!r}; got None")
    if network.n_nodes != n_features:
        sizes = f"X has {n_features} features, the network {network.n_nodes} nodes"
        raise ValueError(f"network must have one node per feature: {sizes}")
    return network


def _check_covariates(covariates: ArrayLike, update: str, method: str, n_rows: int) -> np.ndarray:
    """Return the covariates as an array, or raise ValueError."""
    if update != "refit":
        raise ValueError(f"covariates need a method that refits, htp or graph-htp; got method {method!r}")
    columns = np.asarray(covariates, dtype=np.float64)
    if columns.ndim != 2 or len(columns) != n_rows or not np.isfinite(columns).all():
        raise ValueError(
            f"covariates must be finite numbers of shape (n_samples, n_covariates) with n_samples = {n_rows}; got "
            f"shape {columns.shape}" + ("" if np.isfinite(columns).all() else " with NaN or infinity")
        )
    return columns
