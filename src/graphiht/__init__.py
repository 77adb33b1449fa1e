"""Graph-structured iterative hard thresholding: one loop, a gradient estimator, a projection."""

from importlib import import_module
from typing import Any

__version__ = "1.0.0"

# The estimators need scikit-learn, whose import takes longer than a fold's fits: load a name when asked for.
_MODULES = {
    "estimator": ["GraphIHTClassifier", "GraphIHTRegressor", "GraphIHTSurvival"],
    "fitting": ["fit", "fit_path"],
    "methods": ["METHODS"],
    "network": ["Network"],
    "projection": ["head", "tail", "top_s"],
    "solver": ["FitResult"],
}
_MODULE_OF = {name: f"graphiht.{module}" for module, names in _MODULES.items() for name in names}

__all__ = sorted(_MODULE_OF)


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULE_OF[name]), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
