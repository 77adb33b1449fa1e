"""Where the compiled code is kept, and that no index leaves its array."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from graphiht import _jit


def run_python(code, **environment):
    return subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **environment}, capture_output=True, text=True, check=True
    ).stdout


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


def test_beside_read_only_sources_the_cache_is_the_users_own(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "package").write_text("no folder can be made in a file")
    assert _jit._writable("", tmp_path / "package/__pycache__") == tmp_path / "cache/graphiht"
    assert _jit._writable("", tmp_path / "__pycache__") == tmp_path / "__pycache__"
    assert _jit._writable(str(tmp_path / "chosen"), tmp_path / "__pycache__") == tmp_path / "chosen"


@pytest.mark.long
def test_no_index_leaves_its_array(tmp_path):
    tests = [str(Path(__file__).with_name(name)) for name in ("test_pcst.py", "test_projection.py")]
    code = f"import pytest, sys; sys.exit(pytest.main({tests!r} + ['-p', 'no:cacheprovider']))"
    run_python(code, NUMBA_BOUNDSCHECK="1", NUMBA_CACHE_DIR=str(tmp_path))
