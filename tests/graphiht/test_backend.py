"""The check of pcst_fast: sound, broken or not installed."""

import sys
import types

import numpy as np
import pytest

from graphiht.backend import require_sound_pcst_fast
from graphiht.network import Network
from graphiht.projection import tail

PATH = np.array([[0, 1], [1, 2], [2, 3], [3, 4]])


@pytest.fixture
def fresh_check():
    require_sound_pcst_fast.cache_clear()
    yield
    require_sound_pcst_fast.cache_clear()


def test_the_broken_wheel_is_refused(fresh_check, monkeypatch):
    def like_the_wheel(*_):
        return np.zeros(5, dtype=np.int32), np.zeros(4, dtype=np.int32)

    monkeypatch.setitem(sys.modules, "pcst_fast", types.SimpleNamespace(pcst_fast=like_the_wheel))
    with pytest.raises(RuntimeError, match="pip install --no-binary pcst-fast --force-reinstall pcst-fast"):
        tail(np.ones(5), Network(PATH, 5), 2, backend="pcst_fast")


def test_a_missing_pcst_fast_is_named(fresh_check, monkeypatch):
    monkeypatch.setitem(sys.modules, "pcst_fast", None)
    with pytest.raises(RuntimeError, match=r"not installed.*--no-binary pcst-fast"):
        require_sound_pcst_fast()
