"""The eight methods: a table of gradient estimators and sparsity models, and how to run a row of it.

estimator \\ model   top-s        graph
full                 iht          graph-iht
block                sto-iht      graph-sto-iht
SVRG                 svrg-iht     graph-svrg-iht      (Algorithm 1)
SCSG                 scsg-iht     graph-scsg-iht      (Algorithm 2)
"""

from dataclasses import fields
from typing import NamedTuple

import numpy as np

from graphiht.gradients import SCSG, SVRG, Batches, BlockGradient, Blocks, FullGradient
from graphiht.losses import Loss, balanced_logistic
from graphiht.models import HEADS, GraphSparsity, TopS
from graphiht.solver import INTERCEPTS, FitResult, Settings, solve


class Sampling(NamedTuple):
    """The sizes of what an estimator samples; None = default, see `estimator_sizes`."""

    n_blocks: int = 1
    batch_size: int | None = None
    mini_batch: int | None = None
    inner_steps: int | None = None
    option: int = 2


def _full(loss, sampling, rng):
    return FullGradient(loss)


def _block(loss, sampling, rng):
    return BlockGradient(loss, Blocks(loss.n_rows, sampling.n_blocks, rng))


def _svrg(loss, sampling, rng):
    if sampling.mini_batch is None:
        inner = Blocks(loss.n_rows, sampling.n_blocks, rng)
    else:
        inner = Batches(loss.n_rows, sampling.mini_batch, rng)
    return SVRG(loss, inner, sampling.inner_steps or sampling.n_blocks)


def _scsg(loss, sampling, rng):
    batch = sampling.batch_size or -(-loss.n_rows // sampling.n_blocks)
    mini = sampling.mini_batch or -(-batch // 4)
    return SCSG(loss, Batches(loss.n_rows, batch, rng), Batches(loss.n_rows, mini, rng), sampling.option, rng)


class Method(NamedTuple):
    """A row of the table: how the gradient is estimated, and whether supports follow the network."""

    estimator: object
    uses_network: bool


WARM_STARTS = (None, "stronger", "smaller", "larger")

METHODS = {
    "iht": Method(_full, False),
    "sto-iht": Method(_block, False),
    "svrg-iht": Method(_svrg, False),
    "scsg-iht": Method(_scsg, False),
    "graph-iht": Method(_full, True),
    "graph-sto-iht": Method(_block, True),
    "graph-svrg-iht": Method(_svrg, True),
    "graph-scsg-iht": Method(_scsg, True),
}


def find_method(name):
    """Return the row of the table with this name."""
    if name not in METHODS:
        raise ValueError(f"method must be one of {', '.join(METHODS)}; got {name!r}")
    return METHODS[name]


def equivalent(method, n_blocks):
    """Return the method that computes the same weights, to the bit, with one block.

    Over one block, block gradients and (with one inner step) SVRG are the full gradient, so a study needs
    them once.
    """
    row = find_method(method)
    if n_blocks == 1 and row.estimator in (_block, _svrg):
        return "graph-iht" if row.uses_network else "iht"
    return method


def fit(
    method,
    X,
    y=None,
    *,
    sparsity,
    lam=None,
    network=None,
    n_components=1,
    head="identity",
    slack=0.1,
    n_blocks=1,
    batch_size=None,
    mini_batch=None,
    inner_steps=None,
    option=2,
    rng=None,
    start=None,
    first=None,
    sample_weight=None,
    **settings,
):
    """Return the `FitResult` of one method on one data set.

    Parameters
    ----------
    method : str
        A name in `METHODS`.
    X : array of shape (n_rows, n_features) or Loss
        An array means the class-balanced logistic loss of (X, y). A prepared `Loss` (then y is None) shares
        its copies of the matrix between fits.
    y : array of shape (n_rows,), optional
        Labels; positive means y > 0.
    sparsity : int
        s, the number of features to keep.
    lam : float, optional
        The ridge penalty lambda; by default 0, or that of the loss given.
    network, n_components, head, slack
        For graph methods, see `models.GraphSparsity`.
    n_blocks : int
        Blocks of the block and SVRG estimators; SCSG's default batch has n_rows / n_blocks rows.
    batch_size, mini_batch : int, optional
        SCSG's B (default ceil(n_rows / n_blocks)) and b (default ceil(B / 4)). A mini_batch given to SVRG
        replaces its blocks by uniform batches.
    inner_steps : int, optional
        SVRG's K, by default n_blocks.
    option : {1, 2}
        How SCSG chooses the number of inner steps.
    rng : numpy.random.Generator
        The only source of randomness; methods with the same estimator draw the same rows from it. Needed by
        estimators that sample.
    start : FitResult, optional
        Where to start, by default at zero.
    first : optional
        The `first` of a fit of the same sparsity that began at the same point: its first projection is taken
        over.
    sample_weight : array of shape (n_rows,), optional
    **settings
        Fields of `solver.Settings`: step, shrink, max_shrinks, intercept, max_epochs, tol, patience.
    """
    row = find_method(method)
    if isinstance(X, Loss):
        loss = X if lam is None else X.with_penalty(lam)
    else:
        loss = balanced_logistic(X, y, lam or 0.0, sample_weight=sample_weight)
    sampling = Sampling(n_blocks, batch_size, mini_batch, inner_steps, option)
    check_sizes(loss.n_rows, loss.n_features, sparsity, sampling)
    settings = make_settings(settings)
    if row.uses_network:
        check_network(network, loss.n_features, sparsity, n_components, head)
        warm = start.warm if start else None
        model = GraphSparsity(network, sparsity, n_components, head, slack, warm, first)
    else:
        model = TopS(sparsity)
    if rng is None:
        rng = np.random.default_rng(0)
    point = None if start is None else (start.weights, start.support, start.intercept)
    return solve(loss, row.estimator(loss, sampling, rng), model, point, settings)


def fit_path(
    method,
    X,
    y=None,
    *,
    sparsities,
    lambdas=(None,),
    warm=None,
    rng=None,
    sample_weight=None,
    **options,
):
    """Return {(lambda, sparsity): FitResult} over a grid. All fits draw the same rows.

    On the nki cohort, fits started at a neighbouring sparsity take a quarter to three quarters of the time of
    fits from zero but predict worse (mean inner AUC over the grid lower by .02 to .03): they inherit the
    neighbour's support and the overfitting of its iterations. A start at the stronger penalty costs .003 to
    .01. Hence the default.

    Parameters
    ----------
    sparsities : sequence of int
    lambdas : sequence of float
    warm : {None, "stronger", "smaller", "larger"}
        Where a fit starts: at zero; at the result of the same sparsity under the next stronger lambda; or of
        the next smaller or larger sparsity under the same lambda (the first of them: the same sparsity, next
        stronger lambda).
    method, X, y, rng, sample_weight, **options
        As in `fit`.
    """
    if warm not in WARM_STARTS:
        raise ValueError(f"warm must be one of {', '.join(map(repr, WARM_STARTS))}; got {warm!r}")
    loss = X if isinstance(X, Loss) else balanced_logistic(X, y, sample_weight=sample_weight)
    seed = 0 if rng is None else int(rng.integers(2**63))
    results, stronger, firsts = {}, {}, {}
    for lam in sorted(lambdas, reverse=True) if len(lambdas) > 1 else lambdas:
        neighbour = None
        for sparsity in sorted(sparsities, reverse=warm == "larger"):
            start = stronger.get(sparsity) if warm else None
            if warm in ("smaller", "larger") and neighbour is not None:
                start = neighbour
            neighbour = results[lam, sparsity] = fit(
                method,
                loss,
                sparsity=sparsity,
                lam=lam,
                rng=np.random.default_rng(seed),
                start=start,
                # Lambda does not matter at zero, so every penalty takes the same first step.
                first=firsts.get(sparsity),
                **options,
            )
        stronger = {sparsity: results[lam, sparsity] for sparsity in sparsities}
        firsts = {sparsity: result.first for sparsity, result in stronger.items()}
    return results


def make_settings(settings):
    """Return `Settings` from keywords, checked."""
    known = [f.name for f in fields(Settings)]
    unknown = [name for name in settings if name not in known]
    if unknown:
        raise TypeError(f"unknown option {unknown[0]!r}; settings of the loop are {', '.join(known)}")
    settings = Settings(**settings)
    if settings.step is not None and not settings.step > 0:
        raise ValueError(f"step must be positive or None (line search); got {settings.step!r}")
    if not 0 < settings.shrink < 1:
        raise ValueError(f"shrink must be in (0, 1); got {settings.shrink!r}")
    if settings.intercept not in INTERCEPTS:
        raise ValueError(f"intercept must be one of {', '.join(INTERCEPTS)}; got {settings.intercept!r}")
    if settings.max_epochs < 1:
        raise ValueError(f"max_epochs must be at least 1; got {settings.max_epochs!r}")
    return settings


def check_sizes(n_rows, n_features, sparsity, sampling):
    """Raise ValueError for a sparsity, batch size or number of blocks out of range."""
    ranges = [
        ("sparsity", sparsity, n_features, "n_features"),
        ("n_blocks", sampling.n_blocks, n_rows, "n_samples"),
        ("batch_size", sampling.batch_size, n_rows, "n_samples"),
        ("mini_batch", sampling.mini_batch, n_rows, "n_samples"),
        ("inner_steps", sampling.inner_steps, None, None),
    ]
    for name, value, most, what in ranges:
        if value is None and name not in ("sparsity", "n_blocks"):
            continue
        whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
        if not whole or value < 1 or (most is not None and value > most):
            upper = f" and at most {what} = {most}" if what else ""
            raise ValueError(f"{name} must be an integer of at least 1{upper}; got {value!r}")
    if sampling.option not in (1, 2):
        raise ValueError(f"option must be 1 (geometric) or 2 (B/b inner steps); got {sampling.option!r}")


def check_network(network, n_features, sparsity, n_components, head):
    """Raise ValueError for a network or graph model that does not fit the features."""
    if network is None:
        raise ValueError("network must be given for a graph method; got None")
    if network.n_nodes != n_features:
        raise ValueError(
            f"network must have one node per feature: expected {n_features} nodes, got {network.n_nodes}"
        )
    if not 1 <= n_components <= sparsity:
        raise ValueError(f"n_components must be between 1 and sparsity = {sparsity}; got {n_components!r}")
    if isinstance(head, str):
        if head not in HEADS:
            raise ValueError(f"head must be one of {', '.join(HEADS)} or a number of nodes; got {head!r}")
    elif not 1 <= head <= n_features:
        raise ValueError(f"head must be between 1 and the number of features, {n_features}; got {head!r}")


__all__ = [
    "METHODS",
    "FitResult",
    "check_network",
    "check_sizes",
    "equivalent",
    "find_method",
    "fit",
    "fit_path",
]
