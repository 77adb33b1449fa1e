"""Graph-structured iterative hard thresholding: one loop, a gradient estimator, a projection."""

# The estimators need scikit-learn, whose import takes longer than a fold's fits: load them when asked for.
_LAZY = {
    "GraphIHTClassifier": "graphiht.estimator",
    "GraphIHTRegressor": "graphiht.estimator",
    "Network": "graphiht.network",
    "FitResult": "graphiht.solver",
    "METHODS": "graphiht.methods",
    "fit": "graphiht.methods",
    "fit_path": "graphiht.methods",
}

__all__ = sorted(_LAZY)


def __getattr__(name):
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LAZY[name]), name)


def __dir__():
    return __all__
