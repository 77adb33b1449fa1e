"""scikit-learn estimators around the loop: `GraphIHTClassifier` and `GraphIHTRegressor`."""

import warnings

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets, type_of_target
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from graphiht import methods
from graphiht.losses import balanced_logistic, least_squares
from graphiht.network import Network
from graphiht.solver import DIVERGED


class _GraphIHT(BaseEstimator):
    """What the two estimators share: parameters, the network, the fit, the linear predictor."""

    def __init__(
        self,
        network=None,
        method=None,
        *,
        sparsity=None,
        n_components=1,
        alpha=0.0,
        n_blocks=1,
        batch_size=None,
        mini_batch=None,
        inner_steps=None,
        option=2,
        head="identity",
        slack=0.0,
        step=None,
        shrink=0.6,
        max_shrinks=60,
        fit_intercept=True,
        max_epochs=200,
        tol=1e-6,
        random_state=None,
    ):
        self.network = network
        self.method = method
        self.sparsity = sparsity
        self.n_components = n_components
        self.alpha = alpha
        self.n_blocks = n_blocks
        self.batch_size = batch_size
        self.mini_batch = mini_batch
        self.inner_steps = inner_steps
        self.option = option
        self.head = head
        self.slack = slack
        self.step = step
        self.shrink = shrink
        self.max_shrinks = max_shrinks
        self.fit_intercept = fit_intercept
        self.max_epochs = max_epochs
        self.tol = tol
        self.random_state = random_state

    def _fit(self, X, make_loss):
        """Return (weights, intercept) of the method on `make_loss(X)`; set the other fitted attributes."""
        if not self.alpha >= 0:
            raise ValueError(f"alpha must be at least 0; got {self.alpha!r}")
        method = self.method or ("iht" if self.network is None else "graph-iht")
        network, allowed = None, np.arange(X.shape[1])
        if methods.find_method(method).uses_network:
            network, allowed = self._connected_network(X.shape[1])
        loss = make_loss(X if len(allowed) == X.shape[1] else X[:, allowed])
        sparsity = min(10, len(allowed)) if self.sparsity is None else self.sparsity
        rng = np.random.default_rng(check_random_state(self.random_state).randint(2**31))
        result = methods.fit(
            method,
            loss,
            sparsity=sparsity,
            network=network,
            n_components=self.n_components,
            head=self.head,
            slack=self.slack,
            n_blocks=self.n_blocks,
            batch_size=self.batch_size,
            mini_batch=self.mini_batch,
            inner_steps=self.inner_steps,
            option=self.option,
            rng=rng,
            step=self.step,
            shrink=self.shrink,
            max_shrinks=self.max_shrinks,
            intercept="newton" if self.fit_intercept else "none",
            max_epochs=self.max_epochs,
            tol=self.tol,
        )
        if result.status == DIVERGED:
            warnings.warn(
                f"the fit diverged after {result.epochs} epochs (status_ says so): use a smaller step than "
                f"{self.step!r}, or step=None for a line search",
                ConvergenceWarning,
                stacklevel=3,
            )
        self.support_ = allowed[result.support]
        self.status_ = result.status
        self.n_iter_ = result.epochs
        self.trace_ = np.array(result.loss_trace)
        self.result_ = result
        weights = np.zeros(X.shape[1])
        weights[allowed] = result.weights
        return weights, result.intercept

    def _connected_network(self, n_features):
        """Return the network to project on and the features that are its nodes.

        With `n_components=1` a support lies in one component, so only the largest is searched.
        """
        if self.network is None:
            raise ValueError(f"network must be given for method {self.method!r}; got None")
        network = self.network
        if not isinstance(network, Network):
            network = Network(np.asarray(network), n_features)
        if network.n_nodes != n_features:
            raise ValueError(
                f"network must have one node per feature: X has {n_features} features, the network "
                f"{network.n_nodes} nodes"
            )
        n_found = network.components().max() + 1
        if self.n_components > 1 or n_found == 1:
            return network, np.arange(n_features)
        network, allowed = network.largest_component()
        warnings.warn(
            f"the network has {n_found} components and n_components is 1: only the largest, of "
            f"{len(allowed)} features, is used; "
            f"{n_features - len(allowed)} of {n_features} features are left out",
            UserWarning,
            stacklevel=4,
        )
        return network, allowed

    def _margins(self, X):
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=np.float64)
        # Only the support counts, and its columns are few.
        return X[:, self.support_] @ np.ravel(self.coef_)[self.support_] + self.intercept_


class GraphIHTClassifier(ClassifierMixin, _GraphIHT):
    """Sparse logistic regression whose features are connected in a network.

    Minimises (1/n) sum_i k_i log(1 + exp(-y_i (x_i w + c))) + (alpha/2) ||w||^2 over w with at most
    `sparsity` nonzeros that, for graph methods, form at most `n_components` connected components of
    `network`.

    Parameters
    ----------
    network : array of shape (n_edges, 2) or Network, optional
        Edges between features (column numbers of X). None: no network, methods without "graph" only.
    method : str, optional
        "iht", "sto-iht", "svrg-iht", "scsg-iht", or one of these with "graph-" before it. By default
        "graph-iht" with a network and "iht" without.
    sparsity : int, optional
        Features to keep; by default min(10, n_features).
    n_components : int
        Connected components of the support. With 1 and a network of several components the largest is used.
    alpha : float
        The ridge penalty lambda.
    class_weight : "balanced", None or dict
        k. "balanced" weighs each class by the share of the other: n_neg/n for positives, n_pos/n for
        negatives.
    n_blocks, batch_size, mini_batch, inner_steps, option
        What the stochastic methods sample, see `graphiht.fit`.
    head, slack
        Size of the head projection and how far the support may exceed `sparsity`, see
        `graphiht.models.GraphSparsity`.
    step, shrink, max_shrinks
        A fixed step, or None for a line search from 1 by factors `shrink`.
    fit_intercept : bool
    max_epochs, tol
        When to stop, see `graphiht.solver.Settings`.
    random_state : int, RandomState or None

    Attributes
    ----------
    classes_ : array of shape (2,)
    coef_ : array of shape (1, n_features)
    intercept_ : array of shape (1,)
    support_ : array of int
        The selected features. One that only connects others may have the weight zero.
    status_ : {"converged", "epoch limit", "diverged"}
    n_iter_ : int
        Epochs.
    trace_ : array of shape (n_iter_ + 1,)
        Loss at the start and after each epoch.
    result_ : FitResult
        With line searches, their failures, Steiner solves and data points.

    Notes
    -----
    Standardise the features first: the projection compares their weights.

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

    def __init__(
        self,
        network=None,
        method=None,
        *,
        sparsity=None,
        n_components=1,
        alpha=0.1,
        class_weight="balanced",
        n_blocks=1,
        batch_size=None,
        mini_batch=None,
        inner_steps=None,
        option=2,
        head="identity",
        slack=0.0,
        step=None,
        shrink=0.6,
        max_shrinks=60,
        fit_intercept=True,
        max_epochs=200,
        tol=1e-6,
        random_state=None,
    ):
        super().__init__(
            network,
            method,
            sparsity=sparsity,
            n_components=n_components,
            alpha=alpha,
            n_blocks=n_blocks,
            batch_size=batch_size,
            mini_batch=mini_batch,
            inner_steps=inner_steps,
            option=option,
            head=head,
            slack=slack,
            step=step,
            shrink=shrink,
            max_shrinks=max_shrinks,
            fit_intercept=fit_intercept,
            max_epochs=max_epochs,
            tol=tol,
            random_state=random_state,
        )
        self.class_weight = class_weight

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def fit(self, X, y, sample_weight=None):
        """Return self, fitted to X and the two classes of y."""
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        kind = type_of_target(y, input_name="y", raise_unknown=True)
        if kind != "binary":
            raise ValueError(f"Only binary classification is supported. The type of the target is {kind}.")
        sample_weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        # A row of weight zero must not count as one of the rows an estimator samples.
        used = sample_weight > 0
        self.classes_, codes = np.unique(y[used], return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"y must have two classes; got one class only, {self.classes_[0]!r}")
        weight = self.class_weight
        if isinstance(weight, dict):
            weight = tuple(weight.get(label, 1.0) for label in self.classes_.tolist())
        elif not (weight is None or weight == "balanced"):
            raise ValueError(f"class_weight must be 'balanced', None or a dict; got {weight!r}")
        weights, intercept = self._fit(
            X[used],
            lambda X: balanced_logistic(
                X, codes, self.alpha, sample_weight=sample_weight[used], class_weight=weight
            ),
        )
        self.coef_, self.intercept_ = weights[None, :], np.array([intercept])
        return self

    def decision_function(self, X):
        """Return x w + c for the rows of X."""
        return self._margins(X)

    def predict_proba(self, X):
        """Return the probabilities of the two classes, of shape (n_rows, 2)."""
        margins = self.decision_function(X)
        # tanh does not overflow.
        positive = 0.5 * (1.0 + np.tanh(0.5 * margins))
        return np.column_stack([1.0 - positive, positive])

    def predict(self, X):
        """Return the likelier class of each row of X."""
        positive = self.decision_function(X) > 0
        return self.classes_[positive.astype(int)]


class GraphIHTRegressor(RegressorMixin, _GraphIHT):
    """Sparse least squares whose features are connected in a network.

    Minimises (1/2n) ||X w + c - y||^2 + (alpha/2) ||w||^2 over w with at most `sparsity` nonzeros that, for
    graph methods, form at most `n_components` connected components of `network`. Parameters and attributes
    are those of `GraphIHTClassifier`, without the classes, and alpha is 0 by default; `coef_` has shape
    (n_features,) and `intercept_` is a number.
    """

    def fit(self, X, y, sample_weight=None):
        """Return self, fitted to X and y."""
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        sample_weight = _check_sample_weight(sample_weight, X, dtype=np.float64, ensure_non_negative=True)
        used = sample_weight > 0
        self.coef_, self.intercept_ = self._fit(
            X[used], lambda X: least_squares(X, y[used], self.alpha, sample_weight=sample_weight[used])
        )
        return self

    def predict(self, X):
        """Return x w + c for the rows of X."""
        return self._margins(X)
