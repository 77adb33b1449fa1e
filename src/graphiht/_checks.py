"""Checks of arguments: each returns the value in its working type or raises a ValueError."""

import math
import numbers
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

LARGEST = 2**31 - 1


def shown(value: Any) -> str:
    """Return the text of a value for an error, at most 80 characters of it."""
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:80]}..."


def check_int(name: str, value: Any, low: int = 1, high: int | tuple[str, int] = LARGEST) -> int:
    """Return `value` as an int in low..high, or raise a ValueError; `high` may be (name, number)."""
    limit, most = (f"{high[0]} = {high[1]}", high[1]) if isinstance(high, tuple) else (str(high), high)
    whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not whole or not low <= value <= most:
        raise ValueError(f"{name} must be an integer of at least {low} and at most {limit}; got {shown(value)}")
    return int(value)


def check_real(name: str, value: Any, low: float = 0.0, below: float = math.inf, over: bool = False) -> float:
    """Return `value` as a float from `low` (or, `over` it) to below a limit, or raise a ValueError."""
    is_number = isinstance(value, numbers.Real) and not isinstance(value, bool)
    if not is_number or not (low < value if over else low <= value) or not value < below:
        expected = f"{'over' if over else 'of at least'} {low:g} and below {below:g}"
        raise ValueError(f"{name} must be a number {expected}; got {shown(value)}")
    return float(value)


def check_edges(edges: ArrayLike, n_nodes: int) -> np.ndarray:
    """Return `edges` as an int32 array of shape (n_edges, 2), or raise a ValueError."""
    edges = np.asarray(edges)
    if edges.size == 0:
        return np.empty((0, 2), dtype=np.int32)
    if edges.ndim != 2 or edges.shape[1] != 2:
        raise ValueError(f"edges must have shape (n_edges, 2); got {edges.shape}")
    if edges.dtype.kind not in "iu":
        raise ValueError(f"edges must be integers; got dtype {edges.dtype}")
    if edges.min() < 0 or edges.max() >= n_nodes:
        raise ValueError(f"edges must join nodes in 0..{n_nodes - 1}; got {edges.min()}..{edges.max()}")
    loops = np.flatnonzero(edges[:, 0] == edges[:, 1])
    if len(loops):
        raise ValueError(f"edges must have no self-loops; got {len(loops)}, the first in row {loops[0]}")
    return np.ascontiguousarray(edges, dtype=np.int32)


def check_costs(costs: ArrayLike, n_edges: int) -> np.ndarray:
    """Return `costs` as a float64 array of shape (n_edges,), or raise a ValueError."""
    costs = check_floats("costs", costs, n_edges)
    if n_edges and costs.min() <= 0:
        raise ValueError(f"costs must be positive; got {costs.min()}")
    return costs


def check_floats(name: str, values: ArrayLike, length: int) -> np.ndarray:
    """Return `values` as a finite float64 vector of the given length, or raise a ValueError naming `name`."""
    values = np.asarray(values)
    if values.size == 0 and length == 0:
        return np.empty(0)
    if values.dtype.kind not in "fiu":
        raise ValueError(f"{name} must be real numbers; got dtype {values.dtype}")
    if values.shape != (length,):
        raise ValueError(f"{name} must have shape ({length},); got {values.shape}")
    values = np.ascontiguousarray(values, dtype=np.float64)
    if not np.isfinite(values).all():
        raise ValueError(f"{name} must be finite; got NaN or infinity")
    return values


def check_names(names: ArrayLike, length: int) -> np.ndarray:
    """Return `names` as an array of `length` different names, or raise a ValueError."""
    array = np.asarray(names)
    if array.shape != (length,) or array.dtype.kind not in "USiu":
        raise ValueError(f"names must be {length} names; got shape {array.shape} of {array.dtype}")
    unique, counts = np.unique(array, return_counts=True)
    if len(unique) < length:
        raise ValueError(f"names must differ; got {unique[counts > 1][0]!r} {counts.max()} times")
    return array
