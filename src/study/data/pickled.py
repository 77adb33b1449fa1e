"""Read the pickled pandas tables of the survset wheel; a pickle that names anything else is refused."""

import pickle
from typing import IO

import pandas as pd

from graphiht.tables import shown
from study.errors import StudyError

# All names that the tables of the study use. None of them runs code, opens a file or imports a module.
ALLOWED = {
    ("builtins", "slice"),
    ("numpy", "dtype"),
    ("numpy", "ndarray"),
    ("numpy._core.multiarray", "_reconstruct"),
    ("numpy._core.numeric", "_frombuffer"),
    ("pandas._libs.arrays", "__pyx_unpickle_NDArrayBacked"),
    ("pandas._libs.internals", "_unpickle_block"),
    ("pandas.core.arrays.categorical", "Categorical"),
    ("pandas.core.arrays.integer", "Int32Dtype"),
    ("pandas.core.arrays.integer", "IntegerArray"),
    ("pandas.core.dtypes.dtypes", "CategoricalDtype"),
    ("pandas.core.frame", "DataFrame"),
    ("pandas.core.indexes.base", "Index"),
    ("pandas.core.indexes.base", "_new_Index"),
    ("pandas.core.indexes.range", "RangeIndex"),
    ("pandas.core.internals.managers", "BlockManager"),
}


class _TableUnpickler(pickle.Unpickler):
    """An unpickler that looks up the names in ALLOWED only."""

    def find_class(self, module: str, name: str) -> object:
        module = module.replace("numpy.core", "numpy._core")  # its name before numpy 2
        if (module, name) not in ALLOWED:
            raise pickle.UnpicklingError(f"it names {module}.{name}")
        return super().find_class(module, name)


def read_frame(stream: IO[bytes], path: str) -> pd.DataFrame:
    """Return the pickled table in `stream`; errors name its `path`."""
    try:
        frame = _TableUnpickler(stream).load()
    except Exception as error:  # a damaged pickle can raise any
        raise StudyError(
            f"{path}: not a pickled pandas table ({shown(error, 150)[1:-1]}). Use the pinned wheel."
        ) from None
    if not isinstance(frame, pd.DataFrame):
        raise StudyError(f"{path}: holds a {type(frame).__name__}, not a pandas table. Use the pinned wheel.")
    return frame
