"""Pickled tables: equal to what pandas reads, and a pickle with any other name is refused and runs nothing."""

import io
import os
import pickle

import numpy as np
import pandas as pd
import pytest

from study.data.pickled import ALLOWED, read_frame
from study.data.survset import PICKLES
from study.errors import StudyError

TABLES = ["DBCD", "vdv", "nki70", "gse1992", "gse3143", "gse4335"]
CANARY = "canary"


class Reduced:
    """An object whose pickle calls a function."""

    def __init__(self, *call):
        self.call = call

    def __reduce__(self):
        return self.call


def hostile():
    touch = f"open({CANARY!r}, 'w')"
    frame = pd.DataFrame({"a": [1.0, 2.0]})
    call = Reduced(os.system, (f"touch {CANARY}",))
    opcodes = b"S'touch canary'\n"
    return {
        "os.system": pickle.dumps(call),
        "builtins.eval": pickle.dumps(Reduced(eval, (touch,))),
        "builtins.open": pickle.dumps(Reduced(open, (CANARY, "w"))),
        "builtins.getattr": pickle.dumps(Reduced(getattr, (frame, "to_csv"))),
        "importlib": pickle.dumps(Reduced(__import__, ("antigravity",))),
        "numpy.load": pickle.dumps(Reduced(np.load, (CANARY, None, True))),
        "attribute of an allowed class": b"\x80\x04cpandas.core.frame\nDataFrame.to_csv\n.",
        "attribute of an allowed module": b"\x80\x04\x8c\x05numpy\x8c\x0ff2py.os.system..\x93.",
        "call before a table": pickle.dumps(call, 2)[:-1] + pickle.POP + pickle.dumps(frame, 2)[2:],
        "call inside a table": pickle.dumps(pd.DataFrame({"a": [call, call]})),
        "INST": b"(" + opcodes + b"iposix\nsystem\n.",
        "OBJ": b"(cposix\nsystem\n" + opcodes + b"o.",
        "persistent id": b"Pid\n.",
        "extension registry": b"\x80\x02\x82\x01.",
        "allowed, but no table": pickle.dumps(np.arange(3.0)),
        "empty": b"",
        "half a table": pickle.dumps(frame)[:100],
        "missing bytes": b"\x80\x05\x96" + b"\xff" * 7 + b"\x3fabc.",
        "reference to nothing": b"\x80\x05h\x07.",
    }


def content(wheels, name):
    with wheels["survset"].open(f"{PICKLES}/{name}.pickle") as stream:
        return stream.read()


@pytest.mark.parametrize("name", TABLES)
def test_table_is_the_one_pandas_reads(wheels, name):
    data = content(wheels, name)
    expected = pd.read_pickle(io.BytesIO(data))
    pd.testing.assert_frame_equal(read_frame(io.BytesIO(data), name), expected, check_exact=True)


@pytest.mark.parametrize("kind", hostile())
def test_other_pickles_are_refused_and_run_nothing(tmp_path, monkeypatch, kind):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StudyError, match=r"^table\.pickle: .* Use the pinned wheel\.$") as error:
        read_frame(io.BytesIO(hostile()[kind]), "table.pickle")
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 300
    assert list(tmp_path.iterdir()) == []


def test_these_pickles_can_harm(tmp_path, monkeypatch):
    """A plain unpickler runs them: else the test above would show nothing."""
    monkeypatch.chdir(tmp_path)
    for kind in ("os.system", "builtins.eval", "call before a table", "INST"):
        pickle.loads(hostile()[kind])
        (tmp_path / CANARY).unlink()


def test_no_allowed_name_is_a_function_of_a_general_kind():
    assert {module.split(".")[0] for module, _ in ALLOWED} == {"builtins", "numpy", "pandas"}
    assert [name for module, name in ALLOWED if module == "builtins"] == ["slice"]
