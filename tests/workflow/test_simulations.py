"""`snakemake simulations` for real: one small figure in the short form, all experiments in the long form."""

import csv
import hashlib
import json
import xml.etree.ElementTree as ET

import pytest

from sandbox import CONFIG, make_sandbox, planned, snakemake
from study.simulation.layout import FIGURES, drawings

pytestmark = pytest.mark.workflow

OUT = "results/simulations"


def rows(path):
    with open(path, newline="") as stream:
        return list(csv.DictReader(stream))


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory):
    folder = make_sandbox(tmp_path_factory.mktemp("repository"))
    (folder / "config/ring.json").write_text(json.dumps(CONFIG | {"simulations": {"seeds": 2}}))
    return folder


def bits(folder):
    """A hash per table and figure; run times differ."""
    root = folder / OUT
    return {
        str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(root.rglob("*"))
        if path.suffix in (".csv", ".svg") and path.stem != "scaling"
    }


def check_figure(folder, figure):
    table = rows(folder / OUT / f"{figure}.csv")
    assert {row["seed"] for row in table} == {"1", "2"}
    assert len({row["method"] for row in table}) == 8
    for name in drawings(figure):
        text = "".join(ET.parse(folder / OUT / f"figures/{name}.svg").getroot().itertext())
        assert "2 seeds" in text
        assert table[0]["panel"] in text


def test_a_figure_has_its_table_and_drawings(sandbox):
    snakemake(sandbox, f"{OUT}/components.csv", "--cores", "2")
    check_figure(sandbox, "components")


def test_simulations_do_not_belong_to_the_study(sandbox):
    assert not [rule for rule in planned(sandbox) if "simul" in rule or rule.startswith("draw_")]


@pytest.mark.long
def test_all_experiments_run_and_one_core_gives_the_same_bits(sandbox):
    snakemake(sandbox, "simulations", "simulations_full", "--cores", "2")
    for figure in FIGURES:
        check_figure(sandbox, figure)
    verdicts = rows(sandbox / OUT / "verdicts.csv")
    assert list(verdicts[0]) == ["figure", "claim", "verdict", "found", "detail", "seeds"]
    assert {row["figure"] for row in verdicts} == set(FIGURES)
    assert len(verdicts) == 17
    assert {row["verdict"] for row in verdicts} == {"undecided"}, "two seeds show nothing"
    assert {row["design"] for row in rows(sandbox / OUT / "theory.csv")} == {"Gaussian", "orthonormal"}
    # The ring of the sandbox's own network has 30 genes.
    families = rows(sandbox / OUT / "families.csv")
    assert {row["nodes"] for row in families if row["family"] == "network of the study"} == {"30"}
    before = bits(sandbox)
    snakemake(sandbox, "simulations", "--cores", "1", "--forcerun", "simulate")
    assert bits(sandbox) == before
