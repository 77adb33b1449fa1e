"""A pickled pandas table, read without unpickling: nothing that a file names is looked up, called or built.

The opcodes that the tables of the data wheels need are interpreted here, and no others, into terms: numbers, text,
bytes, tuples, lists, dictionaries, and what would have been a call, kept as a name with its arguments. Then the one
shape that such a table has is looked for in the terms, and its columns are made from checked bytes. A file that says
anything else is a `StudyError`. The cost is that of reading the file once.
"""

from __future__ import annotations

import pickletools
from dataclasses import dataclass
from typing import IO, Any

import numpy as np
import pandas as pd

from graphiht.tables import shown
from study.errors import StudyError

VALUES = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False, "EMPTY_TUPLE": ()}
ARGUMENTS = {"SHORT_BINUNICODE", "BINUNICODE", "BININT", "BININT1", "BININT2", "SHORT_BINBYTES", "BYTEARRAY8"}
TUPLES = {"TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}
# The kinds of numbers in the tables, as numpy names them: fixed sizes, no objects.
NUMBERS = {"i8", "i4", "i1", "f8", "b1"}
# The form in which pandas pickles a categorical column.
CATEGORICAL = 82904607


@dataclass(eq=False)
class Name:
    """What a pickle calls module.name."""

    text: str


@dataclass(eq=False)
class Call:
    """What a pickle would have called, on what, and the state it would have given the result."""

    name: str
    arguments: tuple
    state: Any = None


class NotATable(Exception):
    """A pickle that is none of a table; the message says by what."""


def read_frame(stream: IO[bytes], name: str) -> pd.DataFrame:
    """Return the DataFrame pickled in `stream`; `name` says in an error which file it was."""
    try:
        return _frame(terms(stream))
    except (NotATable, ValueError, TypeError, IndexError, KeyError, AttributeError, OverflowError) as error:
        raise StudyError(
            f"{name}: expected a pickled pandas table of numbers, text and categories, found otherwise "
            f"({shown(error, 150)[1:-1]})."
        ) from None


def terms(stream: IO[bytes]) -> Any:
    """Return what a pickle says, as terms; raise NotATable at an opcode that tables do not need."""
    stack: list[Any] = []
    marks: list[int] = []
    memo: list[Any] = []

    def since_mark() -> list[Any]:
        start = marks.pop()
        found = stack[start:]
        del stack[start:]
        return found

    for opcode, argument, place in pickletools.genops(stream):
        kind = opcode.name
        if kind in ARGUMENTS:
            stack.append(argument)
        elif kind in VALUES:
            stack.append(VALUES[kind])
        elif kind == "MEMOIZE":
            memo.append(stack[-1])
        elif kind in ("BINGET", "LONG_BINGET"):
            stack.append(memo[argument])
        elif kind == "MARK":
            marks.append(len(stack))
        elif kind in TUPLES:
            size = TUPLES[kind]
            stack[-size:] = [tuple(stack[-size:])]
        elif kind == "TUPLE":
            stack.append(tuple(since_mark()))
        elif kind == "EMPTY_LIST":
            stack.append([])
        elif kind == "EMPTY_DICT":
            stack.append({})
        elif kind == "APPENDS":
            items = since_mark()
            _expect(stack[-1], list).extend(items)
        elif kind == "SETITEMS":
            items = since_mark()
            _expect(stack[-1], dict).update(zip(_texts(items[::2]), items[1::2], strict=True))
        elif kind == "SETITEM":
            key, value = stack.pop(-2), stack.pop()
            _expect(stack[-1], dict)[_expect(key, str)] = value
        elif kind == "STACK_GLOBAL":
            stack[-2:] = [Name(".".join(_texts(stack[-2:])))]
        elif kind in ("REDUCE", "NEWOBJ"):
            arguments, called = _expect(stack.pop(), tuple), _expect(stack.pop(), Name)
            stack.append(Call(called.text, arguments))
        elif kind == "BUILD":
            state = stack.pop()
            _expect(stack[-1], Call).state = state
        elif kind == "STOP":
            return stack.pop()
        elif kind not in ("PROTO", "FRAME"):
            raise NotATable(f"{kind} at byte {place:,} is not part of a table")
    raise NotATable("it has no end")


def _expect(term: Any, kind: type) -> Any:
    if type(term) is not kind:
        raise NotATable(f"expected a {kind.__name__.lower()}, found {_said(term)}")
    return term


def _texts(items: list[Any]) -> list[str]:
    return [_expect(item, str) for item in items]


def _said(term: Any) -> str:
    """Return what a term is, for a message; never the whole of it."""
    if isinstance(term, Call):
        return f"a call of {term.name[:80]}"
    return term.text[:80] if isinstance(term, Name) else f"a {type(term).__name__}"


def _call(term: Any, name: str) -> Call:
    """Return a term that is a call of `name`; numpy has moved what it calls _core."""
    if type(term) is not Call or term.name.replace("numpy.core.", "numpy._core.") != name:
        raise NotATable(f"expected {name}, found {_said(term)}")
    return term


def _named(term: Any, name: str) -> None:
    if type(term) is not Name or term.text != name:
        raise NotATable(f"expected {name}, found {_said(term)}")


def _frame(term: Any) -> pd.DataFrame:
    """Return the table that a DataFrame's state holds: blocks of columns, their places, and the axes' names."""
    state = _expect(_call(term, "pandas.core.frame.DataFrame").state, dict)
    blocks, axes = _call(state["_mgr"], "pandas.core.internals.managers.BlockManager").arguments
    columns, rows = (_index(axis) for axis in _expect(axes, list))
    parts = [_block(block, len(rows)) for block in _expect(blocks, tuple)]
    placed = sorted(place for part in parts for place in part.columns)
    if placed != list(range(len(columns))):
        raise NotATable(f"expected every one of {len(columns):,} columns once, found {len(placed):,}")
    return pd.concat(parts, axis=1)[list(range(len(columns)))].set_axis(columns, axis=1).set_axis(rows, axis=0)


def _block(term: Any, n_rows: int) -> pd.DataFrame:
    """Return some columns, named by their places in the table."""
    held, places, dimensions = _call(term, "pandas._libs.internals._unpickle_block").arguments
    if dimensions != 2:
        raise NotATable(f"expected a block of 2 dimensions, found {_said(dimensions)}")
    where = _places(places)
    if type(held) is Call and held.name == "pandas._libs.arrays.__pyx_unpickle_NDArrayBacked":
        part = pd.DataFrame({0: _categories(held)})
    else:
        values = _array(held)
        if values.ndim != 2:
            raise NotATable(f"expected a block of 2 dimensions, found {values.ndim}")
        part = pd.DataFrame(values.T, dtype=values.dtype)
    if part.shape != (n_rows, len(where)):
        raise NotATable(f"expected {n_rows:,} rows and {len(where):,} columns in a block, found {part.shape}")
    return part.set_axis(where, axis=1)


def _places(term: Any) -> list[int]:
    if type(term) is Call and term.name == "builtins.slice":
        start, stop, step = (_expect(number, int) for number in term.arguments)
        if not (0 <= start <= stop <= 10_000_000 and step >= 1):
            raise NotATable("expected places of columns, found others")
        return list(range(start, stop, step))
    return _array(term).tolist()


def _categories(term: Call) -> pd.Categorical:
    kind, form, _ = term.arguments
    _named(kind, "pandas.core.arrays.categorical.Categorical")
    if form != CATEGORICAL:
        raise NotATable(f"expected a categorical column of form {CATEGORICAL}, found {_said(form)}")
    dtype, codes, _ = term.state
    state = _expect(_call(dtype, "pandas.core.dtypes.dtypes.CategoricalDtype").state, dict)
    return pd.Categorical.from_codes(
        _array(codes), categories=_index(state["categories"]), ordered=_expect(state["ordered"], bool)
    )


def _index(term: Any) -> pd.Index:
    """Return names of rows or columns, or categories."""
    kind, state = _call(term, "pandas.core.indexes.base._new_Index").arguments
    if type(kind) is Name and kind.text == "pandas.core.indexes.range.RangeIndex":
        start, stop, step = (_expect(_expect(state, dict)[key], int) for key in ("start", "stop", "step"))
        return pd.RangeIndex(start, stop, step)
    _named(kind, "pandas.core.indexes.base.Index")
    data = _expect(state, dict)["data"]
    if type(data) is Call and data.name == "pandas.core.arrays.integer.IntegerArray":
        parts = _expect(data.state, dict)
        return pd.Index(pd.arrays.IntegerArray(_array(parts["_data"]), _array(parts["_mask"])))
    names = _array(data)
    return pd.Index(names, dtype=names.dtype)


def _array(term: Any) -> np.ndarray:
    """Return an array of numbers from its bytes, or one of text from a list of it."""
    if type(term) is Call and term.name.endswith("._frombuffer"):
        data, dtype, shape, order = _call(term, "numpy._core.numeric._frombuffer").arguments
        if order not in ("C", "F"):
            raise NotATable("expected an array in C or Fortran order")
        return np.frombuffer(_expect(data, bytearray), _dtype(dtype)).reshape(_shape(shape), order=order)
    kind, _, _ = _call(term, "numpy._core.multiarray._reconstruct").arguments
    _named(kind, "numpy.ndarray")
    _, shape, dtype, by_column, data = term.state
    if type(data) is bytes:
        return np.frombuffer(data, _dtype(dtype)).reshape(_shape(shape), order="F" if by_column else "C")
    if _call(dtype, "numpy.dtype").arguments[0] != "O8" or by_column is not False:
        raise NotATable("expected text in an array of objects")
    found = np.array(_texts(_expect(data, list)), dtype=object)
    return found.reshape(_shape(shape))


def _dtype(term: Any) -> np.dtype:
    """Return a kind of numbers; its state may say no more than the order of its bytes, which is little-endian."""
    call = _call(term, "numpy.dtype")
    if call.arguments[0] not in NUMBERS or call.state[1:] not in (
        ("<", None, None, None, -1, -1, 0),
        ("|", None, None, None, -1, -1, 0),
    ):
        raise NotATable("expected little-endian numbers of a fixed size")
    return np.dtype(f"<{call.arguments[0]}")


def _shape(term: Any) -> tuple[int, ...]:
    shape = tuple(_expect(size, int) for size in _expect(term, tuple))
    if len(shape) > 2 or min(shape, default=0) < 0:
        raise NotATable(f"expected one or two dimensions, found {shape[:3]}")
    return shape
