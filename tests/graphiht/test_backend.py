"""The check of pcst_fast, and where the compiled code is kept."""

import os
import subprocess
import sys
import types
from pathlib import Path

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


def test_the_installed_pcst_fast_gives_the_known_answer(fresh_check):
    vertices, edges = require_sound_pcst_fast()(
        PATH, np.array([5.0, 0.0, 5.0, 5.0, 5.0]), np.ones(4), -1, 1, "strong", 0
    )
    assert sorted(vertices) == [0, 1, 2, 3, 4]
    assert sorted(edges) == [0, 1, 2, 3]


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


def run_python(code, **environment):
    return subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    ).stdout


def test_importing_the_projections_loads_no_heavy_package():
    heavy = "('pandas', 'sklearn', 'scipy.stats', 'matplotlib', 'pcst_fast', 'networkx')"
    code = f"import sys, graphiht.projection, graphiht.pcst; print([m for m in {heavy} if m in sys.modules])"
    assert run_python(code).strip() == "[]"


def test_without_a_place_for_the_cache_functions_are_compiled_anyway():
    code = """
from numba.core import caching

for name in ("CacheImpl", "CompileResultCacheImpl", "CodeLibraryCacheImpl"):
    getattr(caching, name)._locator_classes = []
from graphiht.network import Network
print(Network([[0, 1], [3, 2]], 4).components().tolist())
"""
    assert run_python(code).strip() == "[0, 0, 1, 1]"


def test_the_cache_goes_where_the_user_wants_it(tmp_path):
    code = "from graphiht.network import Network; print(Network([[0, 1]], 3).components().tolist())"
    assert run_python(code, NUMBA_CACHE_DIR=str(tmp_path)).strip() == "[0, 0, 1]"
    assert list(tmp_path.glob("graphiht-*/**/*.nbi"))


@pytest.mark.long
def test_no_index_leaves_its_array(tmp_path):
    tests = [str(Path(__file__).with_name(name)) for name in ("test_pcst.py", "test_projection.py")]
    code = f"import pytest, sys; sys.exit(pytest.main({tests!r} + ['-p', 'no:cacheprovider']))"
    run_python(code, NUMBA_BOUNDSCHECK="1", NUMBA_CACHE_DIR=str(tmp_path))
