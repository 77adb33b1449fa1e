"""What several test files share: the repository, the real downloads, and a small cohort of one's own."""

import shutil
import subprocess
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from study.data.networks import join
from study.data.own import read_own, read_own_edges
from study.data.readers import READERS
from study.data.registry import COHORTS
from study.data.sources import Wheel, read_sources

REPOSITORY = Path(__file__).parents[1]
pytest_plugins = ["browser_fixtures", "sandbox"]


def pytest_collection_modifyitems(items):
    """Files that run the workflow come first, so that no long one is left for a single process at the end."""
    items.sort(key=lambda item: item.get_closest_marker("workflow") is None)


@pytest.fixture(scope="session")
def repository():
    return REPOSITORY


@pytest.fixture(scope="session")
def sources():
    return read_sources(REPOSITORY / "data/sources.csv")


@pytest.fixture(scope="session")
def wheels(sources):
    """The real downloads, by name; `make test` fetches them first."""
    found = {name: Wheel(REPOSITORY / "data/downloads" / source.file, source) for name, source in sources.items()}
    missing = [wheel.path.name for wheel in found.values() if not wheel.path.is_file()]
    assert not missing, f"run `snakemake downloads` first: {missing[0]} is not in data/downloads"
    return found


@pytest.fixture(scope="session")
def inputs(wheels):
    """What the readers of a cohort of the registry are called with, by its name."""
    places = {"wheel": wheels.get, "data": (REPOSITORY / "data").joinpath}

    def of(name):
        return {key: places[kind](file) for key, (kind, _, file) in _parts(COHORTS[name].files)}

    return of


def _parts(files):
    return [(key, place.partition(":")) for key, place in files.items()]


@pytest.fixture(scope="session")
def read(inputs):
    """A cohort of the registry by its name, read once."""
    return cache(lambda name: READERS[name](COHORTS[name], **inputs(name)))


@pytest.fixture(scope="session")
def nki(read):
    return read("nki")


def write_own_cohort(folder: Path, n_patients: int = 60, n_genes: int = 30) -> dict[str, Path]:
    """Write the three plain files of a cohort whose first five genes, a path in a ring, carry the outcome."""
    rng = np.random.default_rng(7)
    X = rng.normal(size=(n_patients, n_genes))
    y = (X[:, :5].sum(axis=1) + rng.normal(size=n_patients) > 0.5).astype(int)
    genes = [f"G{i}" for i in range(n_genes)]
    expression = [",".join(["patient", *genes])]
    expression += [",".join([f"P{i}", *(f"{value:.6f}" for value in row)]) for i, row in enumerate(X)]
    outcome = ["patient,event,time"] + [f"P{i},{event},{1 + i / 10}" for i, event in enumerate(y)]
    ring = [f"{genes[i]}\t{genes[(i + 1) % n_genes]}\t0.9" for i in range(n_genes)]
    files = {
        "expression": ("expression.csv", expression),
        "outcome": ("outcome.csv", outcome),
        "edges": ("edges.tsv", ["gene_a\tgene_b\tconfidence", *ring]),
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, lines in files.values():
        (folder / name).write_text("\n".join(lines) + "\n")
    return {key: folder / name for key, (name, _) in files.items()}


@pytest.fixture
def own_cohort(tmp_path):
    return write_own_cohort(tmp_path / "own")


@pytest.fixture
def own_study(own_cohort, wheels):
    """The study of the small cohort, whose genes are a ring."""
    settings = {"genes_in": "auto", "transform": "none", "missing": "stop", "duplicates": "stop"}
    names = {"names": wheels["geneutil"], "ensembl": wheels["imex"]}
    cohort = read_own(COHORTS["own"], settings, own_cohort["expression"], own_cohort["outcome"], **names)
    edges, confidence, _ = read_own_edges(cohort, {}, own_cohort["edges"], **names)
    return join(cohort, edges, confidence, 0.0, "edges")


def copy_repository(target: Path) -> Path:
    """Copy the tracked and the new files of the repository, without environment, downloads or results."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    for name in listed:
        source, copy = REPOSITORY / name, target / name
        if source.is_symlink() or source.is_file():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, copy, follow_symlinks=False)
    return target
