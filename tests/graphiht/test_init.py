"""The package: what it exports, and that importing it loads nothing heavy."""

import doctest
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

import graphiht
from conftest import REPOSITORY


def loaded(imports, names):
    """Return which of the packages a new process has loaded after these imports."""
    code = f"import sys; import {imports}; print(*(name for name in {names!r} if name in sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return run.stdout.split()


@pytest.mark.parametrize(
    ("imports", "heavy"),
    [
        ("graphiht, graphiht.methods", ["numpy", "numba", "sklearn"]),
        ("graphiht.projection, graphiht.pcst", ["sklearn", "pandas", "scipy.stats", "matplotlib", "pcst_fast"]),
        ("graphiht.fitting, graphiht.solver", ["sklearn", "pandas", "scipy.stats", "matplotlib", "networkx"]),
    ],
)
def test_importing_loads_no_heavy_package(imports, heavy):
    assert loaded(imports, heavy) == []


def test_every_export_is_there_and_nothing_else():
    modules = [import_module(f"graphiht.{path.stem}") for path in Path(graphiht.__file__).parent.glob("[a-z]*.py")]
    for name in graphiht.__all__:
        assert any(getattr(module, name, None) is getattr(graphiht, name) for module in modules), name
    assert set(graphiht.__all__) <= set(dir(graphiht))
    with pytest.raises(AttributeError, match="no attribute 'GraphIHT'"):
        getattr(graphiht, "GraphIHT")  # noqa: B009


def test_the_examples_of_the_docstrings_print_what_they_show():
    modules = [import_module(f"graphiht.{path.stem}") for path in Path(graphiht.__file__).parent.glob("[a-z]*.py")]
    results = [doctest.testmod(module) for module in modules]
    assert sum(result.failed for result in results) == 0
    assert sum(result.attempted for result in results) > 5


def test_version_has_one_place():
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())
    assert project["project"]["dynamic"] == ["version"]
    assert project["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "graphiht.__version__"}
    assert f"version: {graphiht.__version__}" in (REPOSITORY / "CITATION.cff").read_text().splitlines()
