"""The optional library ``pcst_fast``: imported only after it has given a known answer."""

import functools
from collections.abc import Callable

import numpy as np

REINSTALL = "pip install --no-binary pcst-fast --force-reinstall pcst-fast"


@functools.cache
def require_sound_pcst_fast() -> Callable[..., tuple[np.ndarray, np.ndarray]]:
    """Return the function ``pcst_fast.pcst_fast``, or raise a RuntimeError that says how to reinstall it.

    The wheel of pcst-fast 1.0.10 under NumPy 2 returns arrays of the right length in which every entry
    equals the first, silently; built from source it is right. On the path 0-1-2-3-4 with unit costs and
    prizes 5, 0, 5, 5, 5 the answer is the whole path. Checked once per process.
    """
    try:
        from pcst_fast import pcst_fast
    except ImportError as error:
        raise RuntimeError(f"pcst_fast is not installed: run `{REINSTALL}`") from error
    path = np.array([[0, 1], [1, 2], [2, 3], [3, 4]])
    vertices, edges = pcst_fast(path, np.array([5.0, 0.0, 5.0, 5.0, 5.0]), np.ones(4), -1, 1, "strong", 0)
    if sorted(vertices) != [0, 1, 2, 3, 4] or sorted(edges) != [0, 1, 2, 3]:
        raise RuntimeError(
            f"pcst_fast gives wrong answers (vertices {list(map(int, vertices))}, expected 0..4), as its "
            f"wheel does under NumPy 2: run `{REINSTALL}`"
        )
    return pcst_fast
