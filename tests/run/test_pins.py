"""environment.yml and requirements.txt say the same."""

import re

import pytest
import yaml

from graph_cases import needs_pcst_fast

PACKAGES = ("numpy", "pandas", "snakemake", "numba", "scikit-learn")
CONDA_NAMES = {"snakemake-minimal": "snakemake"}


def test_conda_pins_agree_with_requirements(repository):
    lines = (repository / "requirements.txt").read_text().splitlines()
    pinned = dict(re.findall(r"^([a-z0-9-]+)==(\S+)$", "\n".join(lines), flags=re.M))
    environment = yaml.safe_load((repository / "environment.yml").read_text())
    conda, pip = environment["dependencies"][:-1], environment["dependencies"][-1]["pip"]
    checked = 0
    for entry in conda:
        name, _, version = entry.partition(" =")
        if version:
            assert pinned[CONDA_NAMES.get(name, name)] == version, name
            checked += 1
    assert checked >= 12
    assert "--no-binary pcst-fast" in pip
    assert {f"{name}=={pinned[name]}" for name in ("pcst-fast", "rocrate")} == {line for line in pip if "==" in line}
    assert "--no-binary pcst-fast" in lines


def test_pins_of_the_documentation_agree_with_the_others(repository):
    pins, more = (
        dict(re.findall(r"^([a-z0-9-]+)==([^ \n]+)", (repository / file).read_text(), flags=re.M))
        for file in ("requirements.txt", "docs/requirements.txt")
    )
    assert {"sphinx", "myst-nb", "numpydoc", "furo"} <= set(more)
    assert {name: version for name, version in more.items() if pins.get(name, version) != version} == {}


@pytest.mark.parametrize(
    "package",
    [*PACKAGES, pytest.param("pcst-fast", marks=needs_pcst_fast)],
)
def test_installed_versions_are_the_pinned_ones(repository, package):
    from importlib.metadata import version

    assert f"{package}=={version(package)}" in (repository / "requirements.txt").read_text().splitlines()
