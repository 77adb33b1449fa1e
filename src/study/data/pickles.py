"""Read pickled data frames without letting the pickle run code of its choice."""

from __future__ import annotations

import pickle
from typing import IO

import pandas as pd

from study.run.errors import StudyError

# The names that a pickled DataFrame of numbers, text and categories is made of, and nothing else.
ALLOWED = {
    "builtins": {"slice"},
    "numpy": {"dtype", "ndarray"},
    "numpy._core.multiarray": {"_reconstruct", "scalar"},
    "numpy._core.numeric": {"_frombuffer"},
    "pandas._libs.arrays": {"__pyx_unpickle_NDArrayBacked"},
    "pandas._libs.internals": {"_unpickle_block"},
    "pandas.core.arrays.categorical": {"Categorical"},
    "pandas.core.arrays.integer": {"Int32Dtype", "IntegerArray"},
    "pandas.core.dtypes.dtypes": {"CategoricalDtype"},
    "pandas.core.frame": {"DataFrame"},
    "pandas.core.indexes.base": {"Index", "_new_Index"},
    "pandas.core.indexes.range": {"RangeIndex"},
    "pandas.core.internals.managers": {"BlockManager"},
}


class _FrameUnpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str):
        module = module.replace("numpy.core.", "numpy._core.")
        if name not in ALLOWED.get(module, ()):
            raise pickle.UnpicklingError(f"{module}.{name} is not part of a table")
        return super().find_class(module, name)


def read_frame(stream: IO[bytes], name: str) -> pd.DataFrame:
    """Return the DataFrame pickled in `stream`; refuse anything but pandas and numpy types.

    `name` says in the error which file it was.
    """
    try:
        frame = _FrameUnpickler(stream).load()
    except Exception as error:
        raise StudyError(f"{name}: expected a pickled pandas table, found otherwise ({error}).") from None
    if not isinstance(frame, pd.DataFrame):
        raise StudyError(f"{name}: expected a pickled pandas table, found a {type(frame).__name__}.")
    return frame
