"""Pickled tables: equal to what pandas reads, and nothing else is read, run or built."""

import io
import pickle
import random

import pandas as pd
import pytest

from corpus.pickles import dumps, hostile, table
from study.data.pickled import read_frame, terms
from study.errors import StudyError
from torture.frame import REFUSED
from torture.pickles import judge

PICKLES = "SurvSet/resources/pickles"
# Kinds of columns that no cohort of the study has.
OTHERS = {"aids", "dataDIVAT1", "follic", "nwtco"}
HOSTILE = list(hostile("canary"))


def content(wheels, name):
    with wheels["survset"].open(f"{PICKLES}/{name}.pickle") as stream:
        return stream.read()


def test_every_table_of_the_wheel_is_the_one_pandas_reads(wheels):
    files = [name for name in wheels["survset"].names() if name.startswith(PICKLES) and name.endswith(".pickle")]
    names = {name.removeprefix(f"{PICKLES}/").removesuffix(".pickle") for name in files}
    assert len(names) == 77
    for name in sorted(names - OTHERS):
        data = content(wheels, name)
        expected = pd.read_pickle(io.BytesIO(data))
        pd.testing.assert_frame_equal(read_frame(io.BytesIO(data), name), expected, check_exact=True)


def test_a_table_that_is_written_as_terms_is_read():
    expected = pd.DataFrame({"a": [0.0, 1.0, 2.0], "b": [3.0, 4.0, 5.0]}).set_axis(
        pd.Index(["a", "b"], dtype=object), axis=1
    )
    pd.testing.assert_frame_equal(read_frame(io.BytesIO(dumps(table())), "table"), expected)
    pd.testing.assert_frame_equal(pickle.loads(dumps(table())), expected)


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_pickles_are_refused_and_run_nothing(tmp_path, monkeypatch, kind):
    monkeypatch.setattr(pickle, "Unpickler", None)
    verdict = judge(kind, tmp_path)
    assert verdict.outcome == REFUSED, verdict.why
    assert verdict.why.startswith("table.pickle: expected a pickled pandas table")
    assert list(tmp_path.iterdir()) == []


def test_the_corpus_can_harm(tmp_path):
    """An unpickler does what these pickles say: else the tests above would show nothing."""
    pickle.loads(hostile(str(tmp_path / "canary"))["a command before a table"])
    assert (tmp_path / "canary").exists()


@pytest.mark.parametrize("seed", range(3))
def test_damaged_tables_are_refused_or_tables(wheels, seed):
    """Any bytes changed, cut out or repeated: a table or one sentence, and no other end."""
    data, rng = content(wheels, "nki70"), random.Random(seed)
    refused = 0
    for _ in range(150):
        damaged = bytearray(data)
        for _ in range(rng.randint(1, 5)):
            # Two thirds of the opcodes are in the last twentieth.
            place = rng.randrange(len(damaged) if rng.random() < 0.3 else 4000)
            place = place if rng.random() < 0.5 else len(damaged) - 1 - place
            kind = rng.randrange(3)
            if kind == 0:
                damaged[place] = rng.randrange(256)
            elif kind == 1:
                del damaged[place : place + rng.randint(1, 20)]
            else:
                damaged[place:place] = damaged[max(place - rng.randint(1, 20), 0) : place]
        try:
            assert isinstance(read_frame(io.BytesIO(bytes(damaged)), "nki70"), pd.DataFrame)
        except StudyError:
            refused += 1
    assert refused > 50


def test_terms_are_plain(wheels):
    """What is read holds nothing but terms: no class, function or array of another's making."""
    kinds, todo, seen = set(), [terms(io.BytesIO(content(wheels, "gse4335")))], set()
    while todo:
        term = todo.pop()
        if id(term) in seen:
            continue
        seen.add(id(term))
        kinds.add(type(term).__name__)
        parts = {"Call": lambda t: [*t.arguments, t.state], "dict": lambda t: [*t, *t.values()]}
        todo += parts.get(type(term).__name__, lambda t: t if isinstance(t, (tuple, list)) else [])(term)
    assert kinds == {"Call", "Name", "NoneType", "bool", "int", "str", "bytes", "bytearray", "tuple", "list", "dict"}
