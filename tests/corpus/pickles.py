"""Pickles that are no tables; unpickled, many would run code, end the process or fill the memory."""

import pickle
import struct
from copy import deepcopy

from study.data.pickled import Call, Name

FRAME = "pandas.core.frame.DataFrame"
MANAGER = "pandas.core.internals.managers.BlockManager"
BLOCK = "pandas._libs.internals._unpickle_block"
BUFFER = "numpy._core.numeric._frombuffer"
INDEX = "pandas.core.indexes.base._new_Index"
ARRAY = "numpy._core.multiarray._reconstruct"


def dumps(term) -> bytes:
    """Return terms as a pickle that says them."""
    return b"\x80\x05" + _encoded(term) + b"."


def _encoded(term) -> bytes:
    if isinstance(term, Name):
        module, _, name = term.text.rpartition(".")
        return _encoded(module) + _encoded(name) + pickle.STACK_GLOBAL
    if isinstance(term, Call):
        built = b"" if term.state is None else _encoded(term.state) + pickle.BUILD
        return _encoded(Name(term.name)) + _encoded(term.arguments) + pickle.REDUCE + built
    if isinstance(term, tuple):
        return pickle.MARK + b"".join(map(_encoded, term)) + pickle.TUPLE
    if isinstance(term, list):
        return pickle.EMPTY_LIST + pickle.MARK + b"".join(map(_encoded, term)) + pickle.APPENDS
    if isinstance(term, dict):
        items = b"".join(_encoded(key) + _encoded(value) for key, value in term.items())
        return pickle.EMPTY_DICT + pickle.MARK + items + pickle.SETITEMS
    if isinstance(term, str):
        data = term.encode()
        return pickle.BINUNICODE + struct.pack("<I", len(data)) + data
    if isinstance(term, bytes):
        return pickle.SHORT_BINBYTES + struct.pack("<B", len(term)) + term
    if isinstance(term, bytearray):
        return pickle.BYTEARRAY8 + struct.pack("<Q", len(term)) + term
    # A number, or None, as Python writes it, without what stands before and behind.
    return pickle.dumps(term, 2)[2:-1]


def dtype(kind: str = "f8", order: str = "<", flags: int = 0) -> Call:
    """Return the call that makes a kind of numbers."""
    return Call("numpy.dtype", (kind, False, True), (3, order, None, None, None, -1, -1, flags))


def texts(*values: str) -> Call:
    """Return the call that makes an array of text."""
    state = (1, (len(values),), dtype("O8", "|", 63), False, list(values))
    return Call(ARRAY, (Name("numpy.ndarray"), (0,), b"b"), state)


def table() -> Call:
    """Return a table of two columns, a and b, and three rows."""
    values = Call(BUFFER, (bytearray(struct.pack("<6d", *range(6))), dtype(), (2, 3), "C"))
    block = Call(BLOCK, (values, Call("builtins.slice", (0, 2, 1)), 2))
    columns = Call(INDEX, (Name("pandas.core.indexes.base.Index"), {"data": texts("a", "b"), "name": None}))
    rows = {"name": None, "start": 0, "stop": 3, "step": 1}
    axes = [columns, Call(INDEX, (Name("pandas.core.indexes.range.RangeIndex"), rows))]
    return Call(FRAME, (), {"_mgr": Call(MANAGER, ((block,), axes)), "_typ": "dataframe"})


def _with(change) -> bytes:
    """Return the table after `change(manager, block, values, columns)`."""
    term = deepcopy(table())
    manager = term.state["_mgr"]
    (block,), axes = manager.arguments
    change(manager, block, block.arguments[0], axes[0])
    return dumps(term)


def _values(held) -> bytes:
    """Return the table with something else where its values are."""

    def change(manager, block, values, columns):
        block.arguments = (held, *block.arguments[1:])

    return _with(change)


def _buffer(data=None, kind=None, shape=(2, 3), order="C") -> bytes:
    data = bytearray(48) if data is None else data
    return _values(Call(BUFFER, (data, kind or dtype(), shape, order)))


def _named(data) -> bytes:
    """Return the table with something else where the names of its columns are."""

    def change(manager, block, values, columns):
        columns.arguments[1]["data"] = data

    return _with(change)


def _categorical(codes: bytes) -> bytes:
    """Return the table with one categorical column of two categories."""

    def change(manager, block, values, columns):
        kind = Call("pandas.core.dtypes.dtypes.CategoricalDtype", (), {"categories": columns, "ordered": False})
        numbers = Call(BUFFER, (bytearray(codes), dtype("i1", "|"), (len(codes),), "C"))
        name = Name("pandas.core.arrays.categorical.Categorical")
        held = Call("pandas._libs.arrays.__pyx_unpickle_NDArrayBacked", (name, 82904607, None), (kind, numbers, {}))
        block.arguments = (held, Call("builtins.slice", (0, 1, 1)), 2)

    return _with(change)


def _slice(*numbers) -> bytes:
    def change(manager, block, values, columns):
        block.arguments = (values, Call("builtins.slice", numbers), 2)

    return _with(change)


def _rows(**changes) -> bytes:
    def change(manager, block, values, columns):
        manager.arguments[1][1].arguments[1].update(changes)

    return _with(change)


class _Runs:
    def __init__(self, command: str):
        self.command = command

    def __reduce__(self):
        import os

        return os.system, (self.command,)


def hostile(canary: str) -> dict[str, bytes]:
    """Return hostile pickles by name; each must be refused, and none may make the file `canary`."""
    command = f"touch '{canary}'"
    call = Call("posix.system", (command,))
    evil = Call("builtins.eval", (f"open({canary!r}, 'w')",))
    plain = dumps(table())
    objects = dtype("O8", "|", 63)
    return {
        **{f"os.system, protocol {version}": pickle.dumps(_Runs(command), version) for version in range(6)},
        "eval for a table": dumps(evil),
        "eval for the values": _values(evil),
        "a command for the values": _values(call),
        "a command for a kind of numbers": _buffer(kind=call),
        "a command behind a table": plain[:-1] + pickle.POP + dumps(call)[2:],
        "a command before a table": dumps(call)[:-1] + pickle.POP + plain[2:],
        "attributes of an allowed module": dumps(Call("numpy.f2py.os.system", (command,))),
        "INST": b"(S'" + command.encode() + b"'\niposix\nsystem\n.",
        "OBJ": b"(cposix\nsystem\nS'" + command.encode() + b"'\no.",
        "NEWOBJ_EX": b"\x80\x04cposix\nsystem\n(X\x01\0\0\0ate}\x92.",
        "extension registry": b"\x80\x02\x82\x01.",
        "persistent id": b"Pid\n.",
        "binary persistent id": b"\x80\x02K\x01Q.",
        "out-of-band buffer": b"\x80\x05\x97.",
        "a set": pickle.dumps({1}),
        "flags of objects on numbers": _buffer(kind=dtype("f8", "<", 63)),
        "objects over bytes": _buffer(bytearray(b"A" * 48), objects),
        "objects over bytes, called plainly": _values(Call("numpy.ndarray", ((1,), "O", b"AAAAAAAA"))),
        "objects over bytes for names": _named(Call("numpy.ndarray", ((2,), "O", b"A" * 16))),
        "objects over a buffer for names": _named(Call(BUFFER, (bytearray(b"A" * 16), objects, (2,), "C"))),
        "flags of objects on numbers for names": _named(
            Call(BUFFER, (bytearray(b"A" * 16), dtype("f8", "<", 63), (2,), "C"))
        ),
        "a scalar of objects": _values(Call("numpy._core.multiarray.scalar", (objects, b"A" * 8))),
        "objects in the state of an array": _values(
            Call(ARRAY, (Name("numpy.ndarray"), (0,), b"b"), (1, (2, 3), objects, False, b"A" * 48))
        ),
        "calls among text": _values(
            Call(ARRAY, (Name("numpy.ndarray"), (0,), b"b"), (1, (2, 3), objects, False, [call] * 6))
        ),
        "fields of objects": _buffer(
            kind=Call("numpy.dtype", ("V8", False, True), (3, "|", None, ("f",), {"f": (objects, 0)}, 8, 1, 27))
        ),
        "a kind within a kind": _buffer(
            kind=Call("numpy.dtype", ("f8", False, True), (3, "<", (objects, (1,)), None, None, -1, -1, 0))
        ),
        "big-endian": _buffer(kind=dtype("f8", ">")),
        "too few bytes": _buffer(bytearray(8)),
        "a shape of less than nothing": _buffer(shape=(-1, 3)),
        "a shape beyond memory": _buffer(shape=(1 << 30, 1 << 30)),
        "a shape of words": _buffer(shape=("2", "3")),
        "three dimensions": _buffer(shape=(1, 2, 3)),
        "an unknown order": _buffer(order="K"),
        "codes beyond the categories": _categorical(b"\0\1\2"),
        "codes below none": _categorical(b"\0\1\x80"),
        "a column twice": _slice(0, 1, 1),
        "columns without end": _slice(0, 2**31 - 1, 1),
        "columns without steps": _slice(0, 2, 0),
        "rows without end": _rows(stop=2**31 - 1),
        "rows without steps": _rows(step=0),
        "a list": pickle.dumps([1, 2]),
        "a number": pickle.dumps(1),
        "empty": b"",
        "text": b"patient,event\n",
        "nothing on the stack": b"\x80\x05.",
        "below the stack": b"\x80\x05\x85\x86\x87R.",
        "a memo that is not there": b"\x80\x05h\x07.",
        "a mark that is not there": b"\x80\x05t.",
        "half a table": plain[: len(plain) // 2],
        "a table without an end": plain[:-1],
        "bytes that are not there": b"\x80\x05\x96" + struct.pack("<Q", 1 << 62) + b"abc.",
        "text that is not there": b"\x80\x05X\xff\xff\xff\x7fabc.",
        "text that is none": b"\x80\x05X\x02\0\0\0\xff\xfe.",
        "a tower of tuples": b"\x80\x05)" + b"\x85" * 100_000 + b".",
        "a billion laughs": b"\x80\x05X\x02\0\0\0ha\x94"
        + b"".join(b"(" + b"h%c" % i * 10 + b"t\x94" for i in range(40))
        + b".",
        "a dictionary by a list": b"\x80\x05}(]K\x01u.",
    }
