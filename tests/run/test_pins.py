"""environment.yml and requirements.txt say the same, and nothing is installed whose hash is not known."""

import re
import subprocess
import sys
from importlib.metadata import distributions

import pytest
import yaml
from packaging.utils import canonicalize_name

from graph_cases import needs_pcst_fast
from graphiht import __version__
from study.data.sources import read_sources
from study.run import sbom

PACKAGES = ("numpy", "pandas", "snakemake", "numba", "scikit-learn")
CONDA_NAMES = {"snakemake-minimal": "snakemake"}


FILES = ("requirements.txt", "docs/requirements.txt")


def pins_of(file):
    return dict(re.findall(r"^([a-z0-9.-]+)==([^ \n]+)", file.read_text(), flags=re.M))


def test_conda_pins_agree_with_requirements(repository):
    lines = (repository / "requirements.txt").read_text().splitlines()
    pinned = pins_of(repository / "requirements.txt")
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
    pins, more = (pins_of(repository / file) for file in FILES)
    assert {"sphinx", "myst-nb", "numpydoc", "furo"} <= set(more)
    assert {name: version for name, version in more.items() if pins.get(name, version) != version} == {}


@pytest.mark.parametrize(
    "package",
    [*PACKAGES, pytest.param("pcst-fast", marks=needs_pcst_fast)],
)
def test_installed_versions_are_the_pinned_ones(repository, package):
    from importlib.metadata import version

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


def test_another_hash_is_refused(repository, tmp_path):
    """A file that is not the pinned one does not get in, from whatever index it comes."""
    text = (repository / "requirements.txt").read_text()
    entry = re.search(r"^cycler==(?:.*\\\n)+.*\n", text, flags=re.M)[0]
    (tmp_path / "altered.txt").write_text(re.sub(r"sha256:[0-9a-f]{60}", "sha256:" + "0" * 60, entry))
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--require-hashes", "--dest", str(tmp_path)]
    done = subprocess.run([*command, "-r", str(tmp_path / "altered.txt")], capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert "DO NOT MATCH THE HASHES" in done.stderr
    assert not list(tmp_path.glob("*.whl"))


def test_the_bill_lists_what_is_installed_with_its_hashes(repository):
    """As the metadata of the packages and the files of pins say, each once."""
    hashes = sbom.read_hashes((repository / "requirements.txt").read_text())
    sources = list(read_sources(repository / "data/sources.csv").values())
    parts, needs = sbom.components(hashes, sources)
    libraries = {part["name"]: part for part in parts if part["type"] == "library"}
    installed = {canonicalize_name(each.name): each.version for each in distributions()}
    assert {name: part["version"] for name, part in libraries.items()} | {"graphiht": __version__} == installed
    assert {"alg": "SHA-256", "content": hashes["numpy", installed["numpy"]][0]} in libraries["numpy"]["hashes"]
    assert libraries["numpy"]["licenses"][0]["license"]["name"].startswith("BSD")
    data = [part for part in parts if part["type"] == "data"]
    assert [part["hashes"][0]["content"] for part in data] == [source.sha256 for source in sources]
    asked = {need["ref"]: need["dependsOn"] for need in needs}
    assert f"pkg:pypi/numpy@{installed['numpy']}" in asked[f"pkg:pypi/scipy@{installed['scipy']}"]
    assert sbom.bill(parts, needs) == sbom.bill(*sbom.components(hashes, sources))
