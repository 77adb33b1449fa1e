"""environment.yml and requirements.txt agree, and nothing without a known hash is installed."""

import re
from importlib.metadata import version

import pytest
import yaml

from graph_cases import needs_pcst_fast

FILES = ("requirements.txt", "docs/requirements.txt")
INSTALLED = ("numpy", "pandas", "snakemake", "numba", "scikit-learn", pytest.param("pcst-fast", marks=needs_pcst_fast))


def pins_of(file):
    return dict(re.findall(r"^([a-z0-9.-]+)==([^ \n]+)", file.read_text(), flags=re.M))


def test_conda_pins_agree_with_requirements(repository):
    pinned = pins_of(repository / "requirements.txt")
    *conda, pip = yaml.safe_load((repository / "environment.yml").read_text())["dependencies"]
    versions = dict(entry.split(" =") for entry in conda if " =" in entry)
    assert len(versions) >= 12
    assert {name: pinned[name.removesuffix("-minimal")] for name in versions} == versions
    assert {f"{name}=={pinned[name]}" for name in ("pcst-fast", "rocrate")} == {e for e in pip["pip"] if "==" in e}
    assert "--no-binary pcst-fast" in pip["pip"]
    assert "--no-binary pcst-fast" in (repository / "requirements.txt").read_text().splitlines()


def test_pins_of_the_documentation_agree_with_the_others(repository):
    pins, more = (pins_of(repository / file) for file in FILES)
    assert {"sphinx", "myst-nb", "numpydoc", "furo"} <= set(more)
    assert {name: pin for name, pin in more.items() if pins.get(name, pin) != pin} == {}


@pytest.mark.parametrize("package", INSTALLED)
def test_installed_versions_are_the_pinned_ones(repository, package):
    assert pins_of(repository / "requirements.txt")[package] == version(package)


@pytest.mark.parametrize("file", FILES)
def test_every_pin_has_hashes_and_no_index_is_named(repository, file):
    text = (repository / file).read_text()
    assert "://" not in text
    entries = re.sub(r" *\\\n +", " ", text).splitlines()
    pins = [entry for entry in entries if not entry.startswith(("#", "--no-binary"))]
    assert len(pins) > 40
    for pin in pins:
        assert re.fullmatch(r"[a-z0-9.-]+==[^ ]+( ; [^\\]*?)?( --hash=sha256:[0-9a-f]{64})+", pin), pin[:100]


def test_set_up_and_documentation_ask_for_hashes(repository):
    """Every call of pip and uv that installs anything but the project itself."""
    texts = [(repository / file).read_text() for file in ("workflow/scripts/setup.sh", "Makefile", ".ci/run")]
    calls = [line for text in texts for line in text.splitlines() if re.search(r"\bpip\b.* install", line)]
    assert len(calls) == 5
    assert [call for call in calls if "--require-hashes" not in call and "--no-deps" not in call] == []
