"""scikit-learn estimators around `fit`: `GraphIHTClassifier`, `GraphIHTRegressor` and `GraphIHTSurvival`."""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, fields
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_selection import SelectorMixin
from sklearn.preprocessing import StandardScaler
from sklearn.utils import Tags, check_consistent_length, check_random_state
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from graphiht._checks import check_int
from graphiht.columns import copies
from graphiht.fitting import check_network, fit
from graphiht.gradients import Sampling
from graphiht.graphs import as_network
from graphiht.losses import Loss, balanced_logistic, least_squares
from graphiht.methods import STEP_METHODS, find_method
from graphiht.network import Network
from graphiht.pursuit import PursuitResult
from graphiht.solver import (
    DIVERGED,
    EPOCH_LIMIT,
    HEAD,
    LAM,
    N_COMPONENTS,
    REFIT_LIMIT,
    SLACK,
    SPARSITY,
    FitResult,
    Settings,
)
from graphiht.survival import CoxLoss, concordance

# What is handed to `fit` as it is; sparsity and network may have to be cut to the data first.
_OPTIONS = [
    "n_components",
    "head",
    "slack",
    *(f.name for group in (Sampling, Settings) for f in fields(group)),
]


# A dataclass writes the `__init__` that scikit-learn wants: it stores its arguments and does nothing else.
@dataclass(eq=False, repr=False)
class _GraphIHT(SelectorMixin, BaseEstimator):
    """What the estimators share: parameters, the network, the fit, the linear predictor, the selected features."""

    _default_method: ClassVar[str] = "iht"

    network: Any = None
    method: str | None = None
    _: KW_ONLY
    edge_costs: str = "unit"
    covariates: Sequence[str] | Sequence[int] | None = None
    standardize: bool = True
    sparsity: int | None = None
    n_components: int = N_COMPONENTS
    lam: float = 0.0
    n_blocks: int = Sampling.n_blocks
    batch_size: int | None = Sampling.batch_size
    mini_batch: int | None = Sampling.mini_batch
    inner_steps: int | None = Sampling.inner_steps
    option: int = Sampling.option
    head: str | int = HEAD
    slack: float = SLACK
    step: float | None = Settings.step
    shrink: float = Settings.shrink
    max_shrinks: int = Settings.max_shrinks
    intercept: str = Settings.intercept
    max_epochs: int = Settings.max_epochs
    tol: float = Settings.tol
    patience: int = Settings.patience
    dtype: str = "float64"
    random_state: int | np.random.RandomState | None = None

    def _validate(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None, **options: bool) -> Any:
        """Return X, y and the sample weights as arrays, checked by scikit-learn."""
        features, targets = validate_data(self, X, y, dtype=np.float64, **options)
        weights = _check_sample_weight(sample_weight, features, dtype=np.float64, ensure_non_negative=True)
        return features, targets, weights

    def _fit(
        self, X: np.ndarray, row_weights: np.ndarray, make_loss: Callable[[np.ndarray], Loss | CoxLoss], *y: np.ndarray
    ) -> tuple[np.ndarray, float]:
        """Return (weights, intercept) on the scale of X, by the method on `make_loss`; set the fitted attributes.

        `y` is the target, or event and time, of which no covariate may be a copy.
        """
        method = self.method or ("" if self.network is None else "graph-") + self._default_method
        self.covariates_ = self._covariate_columns(X.shape[1])
        copied = copies(X[:, self.covariates_], *y) if len(self.covariates_) else np.zeros(0, bool)
        if copied.any():
            raise ValueError(f"covariates must not hold y; column {self.covariates_[copied][0]} of X is a copy of it")
        network, allowed = None, np.setdiff1d(np.arange(X.shape[1]), self.covariates_)
        if find_method(method).uses_network:
            network, allowed = self._connected_network(method, X.shape[1], allowed)
        mean, scale = self._scaling(X, row_weights)
        Z = (X - mean) / scale
        result = fit(
            method,
            make_loss(Z if len(allowed) == X.shape[1] else Z[:, allowed]),
            sparsity=min(SPARSITY, len(allowed)) if self.sparsity is None else self.sparsity,
            network=network,
            rng=np.random.default_rng(check_random_state(self.random_state).randint(2**31)),
            covariates=Z[:, self.covariates_] if len(self.covariates_) else None,
            **{name: getattr(self, name) for name in _OPTIONS},
        )
        self._warn_unless_converged(method, result)
        self.support_ = allowed[result.support]
        self.status_ = result.status
        self.n_iter_ = result.epochs
        self.trace_ = np.array(result.loss_trace)
        self.result_ = result
        weights = np.zeros(X.shape[1])
        weights[allowed] = result.weights
        if isinstance(result, PursuitResult):
            weights[self.covariates_] = result.covariate_weights
        weights /= scale
        return weights, float(result.intercept - mean @ weights)

    def _scaling(self, X: np.ndarray, row_weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return what to subtract from each column and what to divide it by: nothing with `standardize=False`."""
        mean, scale = np.zeros(X.shape[1]), np.ones(X.shape[1])
        if self.standardize:
            scaler = StandardScaler().fit(X, sample_weight=row_weights)
            scale = scaler.scale_
            # Without an intercept the origin has a meaning.
            mean = mean if self.intercept == "none" else scaler.mean_
        return mean, scale

    def _covariate_columns(self, n_features: int) -> np.ndarray:
        """Return the sorted columns of X that `covariates` names."""
        if self.covariates is None:
            return np.empty(0, dtype=np.int64)
        names = list(getattr(self, "feature_names_in_", ()))
        given: list[Any] = [self.covariates] if np.ndim(self.covariates) == 0 else list(self.covariates)
        columns: list[Any] = [names.index(each) if each in names else each for each in given]
        for each, column in zip(given, columns, strict=True):
            is_number = isinstance(column, (int, np.integer)) and not isinstance(column, bool)
            if not is_number or not 0 <= column < n_features or columns.count(column) > 1:
                known = f"; its names are {', '.join(map(str, names[:3]))}, ..." if names else ", which has no names"
                raise ValueError(f"covariates must be columns of X, by name or number, each once; got {each!r}{known}")
        if len(columns) == n_features:
            raise ValueError(f"covariates must leave a feature to select; got all {n_features} columns of X")
        return np.sort(np.array(columns, dtype=np.int64))

    def _warn_unless_converged(self, method: str, result: FitResult) -> None:
        """Warn of a fit that diverged, or that ended before the minimum which it was given more epochs to reach.

        The default number of epochs stops early on purpose, as a penalty would, and so does a smaller one: there is
        nothing to warn of. A higher limit requests convergence. Methods that refit have no number of epochs to raise.
        """
        text = None
        if result.status == DIVERGED:
            text = (
                f"the fit diverged after {result.epochs} epochs (status_ says so): use a smaller step than "
                f"{self.step!r}, or step=None for a line search"
            )
        elif method in STEP_METHODS and result.status == EPOCH_LIMIT and self.max_epochs > Settings.max_epochs:
            text = (
                f"the fit did not converge in {result.epochs} epochs: raise max_epochs or tol, or stop early on "
                f"purpose, with max_epochs of at most {Settings.max_epochs}"
            )
        elif result.status == REFIT_LIMIT:
            text = (
                "the refit did not reach the minimum of the loss, because selected features are nearly equal or "
                f"separate the outcomes: raise lam above {self.lam!r}"
            )
        if text:
            warnings.warn(text, ConvergenceWarning, stacklevel=4)

    def _get_support_mask(self) -> np.ndarray:
        """Return which features are selected, for `get_support`, `transform` and `get_feature_names_out`."""
        check_is_fitted(self)
        mask = np.zeros(self.n_features_in_, dtype=bool)
        mask[self.support_] = True
        mask[self.covariates_] = True
        return mask

    def _connected_network(self, method: str, n_features: int, features: np.ndarray) -> tuple[Network, np.ndarray]:
        """Return the network to project on and the features that are its nodes, those of `features` at most.

        With `n_components=1` a support lies in one component, so only the largest is searched.
        """
        check_int("n_components", self.n_components)
        network = self.network
        if network is not None:
            network = as_network(network, n_features, getattr(self, "feature_names_in_", None), self.edge_costs)
        network = check_network(network, method, n_features)
        if len(features) < n_features:
            network, _ = network.subnetwork(features)
        n_pieces = network.components().max() + 1
        if self.n_components > 1 or n_pieces == 1:
            return network, features
        network, largest = network.largest_component()
        allowed = features[largest]
        warnings.warn(
            f"the network has {n_pieces} components and n_components is 1: only the largest, of "
            f"{len(allowed)} features, is used; "
            f"{len(features) - len(allowed)} of {len(features)} features are left out",
            UserWarning,
            stacklevel=4,
        )
        return network, allowed

    def _margins(self, X: ArrayLike) -> np.ndarray:
        check_is_fitted(self)
        checked = validate_data(self, X, reset=False, dtype=np.float64)
        # Only what is selected counts, and its columns are few.
        used = self._get_support_mask()
        return checked[:, used] @ np.ravel(self.coef_)[used] + self.intercept_


@dataclass(eq=False, repr=False, kw_only=True)
class GraphIHTClassifier(ClassifierMixin, _GraphIHT):
    """Sparse logistic regression whose features are connected in a network.

    Minimises (1/n) sum_i k_i log(1 + exp(-y_i (x_i w + c))) + (lam/2) ||w||^2 over w with at most
    `sparsity` nonzeros that, for graph methods, form at most `n_components` connected components of
    `network`; up to the slack (1.1 times as many by default) for these. The defaults are those of the study, but for
    `dtype`.

    Parameters
    ----------
    network : edges, networkx graph, scipy sparse adjacency or Network, optional
        Edges are rows of an array, a list or a DataFrame: two ends and, maybe, a weight. Ends, like the nodes of a
        graph, are names of features or, if they are numbers, column numbers of the X that reaches the estimator. By
        name, edges to what is no column of X are left out, so that a Pipeline may select features before. None: no
        network, methods without "graph" only.
    method : str, optional
        "iht", "sto-iht", "svrg-iht", "scsg-iht", "htp", or one of these with "graph-" before it. By default
        "graph-iht" with a network and "iht" without. "htp" and "graph-htp" refit on each support (`graphiht.pursuit`)
        and ignore everything about sampling, head, steps and epochs.
    edge_costs : {"unit", "confidence", "weight"}
        What an edge costs in a projection: 1; 1.01 minus its weight, a confidence in (0, 1]; or its weight. Weights
        are the third column of edges, the entries of an adjacency, the attribute "weight" of a networkx graph. A
        `Network` has costs of its own.
    covariates : list of str or of int, optional
        Columns of X, by name or number, that are always in the model, without penalty, and never projected, such as
        age or tumour size. For "htp" and "graph-htp". They do not count for `sparsity` and are not network nodes.
    standardize : bool
        Whether features are brought to mean 0 and standard deviation 1 inside `fit` (weighted by `sample_weight`),
        because the projection compares their weights. `coef_` and `intercept_` are on the scale of X all the same;
        lam, `trace_` and `result_` are on that of the standardised features. Without an intercept means stay.
    sparsity : int, optional
        Features to keep; by default min(50, n_features).
    n_components : int
        Connected components of the support. With 1 and a network of several components the largest is used.
    lam : float
        The ridge penalty lambda.
    class_weight : "balanced", None or dict
        k. "balanced" weighs each class by the share of the other: n_neg/n for positives, n_pos/n for
        negatives.
    n_blocks, batch_size, mini_batch, inner_steps, option
        What the stochastic methods sample, see `graphiht.gradients.Sampling`.
    head, slack
        Size of the head projection, and how far the support may exceed `sparsity` (by a tenth; 0 makes
        the size a promise), see `graphiht.projection.GraphSparsity`.
    step, shrink, max_shrinks
        A fixed step, or None for a line search from 1 by factors `shrink`.
    intercept : {"gradient", "newton", "exact", "none"}
        What moves the intercept, see `graphiht.solver.Settings`; "none": there is none.
    max_epochs : int
        Ten epochs stop most fits early, on purpose: later ones overfit. `status_` is "epoch limit" then. For the
        minimum itself, set hundreds and a smaller `tol`; a fit that does not reach it then gives a
        ConvergenceWarning.
    tol, patience
        When to stop before, see `graphiht.solver.Settings`.
    dtype : {"float64", "float32"}
        Of the matrix. The study uses "float32": gradients take a sixth of the time and are right to seven
        digits.
    random_state : int, RandomState or None

    Attributes
    ----------
    classes_ : array of shape (2,)
    coef_ : array of shape (1, n_features)
    intercept_ : array of shape (1,)
    support_ : array of int
        The selected features. One that only connects others may have the weight zero.
    covariates_ : array of int
        The columns of the covariates. `get_support` and `transform` keep these, too.
    status_ : {"converged", "epoch limit", "refit limit", "diverged"}
    n_iter_ : int
        Epochs.
    trace_ : array
        Loss at the start and after each epoch.
    result_ : FitResult
        With line searches, their failures, Steiner solves and data points.

    Notes
    -----
    All estimators are feature selectors too: `get_support`, `get_feature_names_out`, `transform`.

    Examples
    --------
    >>> import numpy as np
    >>> from graphiht import GraphIHTClassifier
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((200, 50))
    >>> y = X[:, 10:15].sum(axis=1) > 0
    >>> chain = [(i, i + 1) for i in range(49)]
    >>> GraphIHTClassifier(chain, sparsity=5).fit(X, y).support_
    array([10, 11, 12, 13, 14])
    """

    lam: float = LAM
    class_weight: str | dict | None = "balanced"

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Return self, fitted to X and the two classes of y."""
        features, labels, row_weights = self._validate(X, y, sample_weight)
        check_classification_targets(labels)
        kind = type_of_target(labels, input_name="y", raise_unknown=True)
        if kind != "binary":
            raise ValueError(f"Only binary classification is supported. The type of the target is {kind}.")
        # A row of weight zero must not count as one of the rows an estimator samples.
        used = row_weights > 0
        self.classes_, codes = np.unique(labels[used], return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"y must have two classes; got one class only, {self.classes_[0]!r}")
        weight: Any = self.class_weight
        if isinstance(weight, dict):
            weight = tuple(weight.get(label, 1.0) for label in self.classes_.tolist())
        elif not (weight is None or weight == "balanced"):
            raise ValueError(f"class_weight must be 'balanced', None or a dict; got {weight!r}")
        options = {"sample_weight": row_weights[used], "class_weight": weight, "dtype": self.dtype}
        weights, intercept = self._fit(
            features[used], row_weights[used], lambda X: balanced_logistic(X, codes, self.lam, **options), codes
        )
        self.coef_, self.intercept_ = weights[None, :], np.array([intercept])
        return self

    def decision_function(self, X: ArrayLike) -> np.ndarray:
        """Return x w + c for the rows of X."""
        return self._margins(X)

    def predict_proba(self, X: ArrayLike) -> np.ndarray:
        """Return the probabilities of the two classes, of shape (n_rows, 2)."""
        margins = self.decision_function(X)
        # tanh does not overflow.
        positive = 0.5 * (1.0 + np.tanh(0.5 * margins))
        return np.column_stack([1.0 - positive, positive])

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Return the likelier class of each row of X."""
        positive = self.decision_function(X) > 0
        return self.classes_[positive.astype(int)]


@dataclass(eq=False, repr=False)
class GraphIHTRegressor(RegressorMixin, _GraphIHT):
    """Sparse least squares whose features are connected in a network.

    Minimises (1/2n) ||X w + c - y||^2 + (lam/2) ||w||^2 over w with at most `sparsity` nonzeros that, for
    graph methods, form at most `n_components` connected components of `network`. Parameters and attributes
    are those of `GraphIHTClassifier`, without the classes, and lam is 0 by default; `coef_` has shape
    (n_features,) and `intercept_` is a number. `standardize` standardises y, too: neither weights, relative to y, nor
    the meaning of lam change.
    """

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Return self, fitted to X and y."""
        features, targets, row_weights = self._validate(X, y, sample_weight, y_numeric=True)
        used = row_weights > 0
        options = {"sample_weight": row_weights[used], "dtype": self.dtype}
        centre, spread = (each[0] for each in self._scaling(targets[used, None], row_weights[used]))
        scaled = (targets[used] - centre) / spread
        weights, intercept = self._fit(
            features[used], row_weights[used], lambda X: least_squares(X, scaled, self.lam, **options), scaled
        )
        self.coef_, self.intercept_ = spread * weights, spread * intercept + centre
        return self

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Return x w + c for the rows of X."""
        return self._margins(X)


@dataclass(eq=False, repr=False)
class GraphIHTSurvival(_GraphIHT):
    """Sparse Cox regression whose features are connected in a network.

    Minimises the mean negative log partial likelihood (Breslow's ties) plus (lam/2) ||w||^2 over w with at most
    `sparsity` nonzeros that, for graph methods, form at most `n_components` connected components of `network`.
    Parameters and attributes are those of `GraphIHTClassifier`, without classes and intercept; `coef_` has shape
    (n_features,), log hazard ratios per unit. `method` is "graph-htp" with a network and "htp" without, by default; the
    methods that step are not for Cox's model.

    Examples
    --------
    >>> import numpy as np
    >>> from graphiht import GraphIHTSurvival
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((200, 50))
    >>> time = rng.exponential(np.exp(-X[:, 10:15].sum(axis=1)))
    >>> y = np.array([(True, t) for t in time], dtype=[("event", bool), ("time", float)])
    >>> chain = [(i, i + 1) for i in range(49)]
    >>> GraphIHTSurvival(chain, sparsity=5, slack=0).fit(X, y).support_
    array([10, 11, 12, 13, 14])
    """

    _default_method: ClassVar[str] = "htp"
    # What scikit-survival asks: `predict` returns risks, not times.
    _predict_risk_score: ClassVar[bool] = True

    lam: float = LAM

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags

    def fit(self, X: ArrayLike, y: np.ndarray, sample_weight: ArrayLike | None = None) -> Self:
        """Return self, fitted to X and the events and times of y.

        Parameters
        ----------
        X : array of shape (n_samples, n_features)
        y : structured array of shape (n_samples,)
            A boolean event and a time, as `sksurv.util.Surv` makes it.
        sample_weight : array of shape (n_samples,), optional
        """
        features = validate_data(self, X, dtype=np.float64)
        event, time = _event_and_time(y)
        check_consistent_length(features, event)
        row_weights = _check_sample_weight(sample_weight, features, dtype=np.float64, ensure_non_negative=True)
        used = row_weights > 0
        followed = event[used], time[used]
        options = {"sample_weight": row_weights[used], "dtype": self.dtype}
        self.coef_, _ = self._fit(
            features[used], row_weights[used], lambda X: CoxLoss(X, *followed, self.lam, **options), *followed
        )
        # The baseline hazard holds whatever is the same for all patients.
        self.intercept_ = 0.0
        return self

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Return the risk scores x w, log hazards up to a constant, of the rows of X."""
        return self._margins(X)

    def score(self, X: ArrayLike, y: np.ndarray) -> float:
        """Return Harrell's concordance of the risk scores with events and times."""
        return concordance(*_event_and_time(y), self.predict(X))


def _event_and_time(y: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the two fields of a structured array; raise ValueError for any other y."""
    fields_of: Sequence[str] = getattr(getattr(y, "dtype", None), "names", None) or ()
    if len(fields_of) != 2 or y[fields_of[0]].dtype.kind != "b" or y[fields_of[1]].dtype.kind not in "fiu":
        found = f"an array of {y.dtype}" if hasattr(y, "dtype") else f"a {type(y).__name__}"
        raise ValueError(
            f"y must be a structured array of a boolean event and a time, as sksurv.util.Surv.from_arrays(event, time) "
            f"makes it; got {found}"
        )
    return y[fields_of[0]], y[fields_of[1]].astype(np.float64)
