"""`snakemake simulations` and `simulations_full` on a tiny configuration, for real."""

import csv
import hashlib
import json
import xml.etree.ElementTree as ET

import pytest

from sandbox import CONFIG, make_sandbox, planned, snakemake
from study.simulation.layout import FIGURES, drawings

pytestmark = [pytest.mark.workflow, pytest.mark.xdist_group("workflow")]

TINY = {
    "seeds": 2,
    "side": 6,
    "rows": 24,
    "epochs": 2,
    "learning_rates": [0.1, 0.01],
    "sparsities": [12, 6],
    "sparsity": 6,
    "batch_size": 8,
    "mini_batch": 2,
    "batch_sizes": [24, 8, 4],
    "combinations": [[4, 4], [24, 2]],
    "components": [1, 3],
    "components_epochs": 3,
    "theory_supports": 5,
    "theory_runs": 2,
    "recovery_sparsities": [3, 5],
    "recovery_rows": [10, 40],
    "recovery_trials": 2,
    "noise_levels": [0, 0.5],
    "noise_trials": 2,
    "noise_sparsity": 4,
    "noise_rows": 20,
    "scaling_nodes": [36, 100],
    "scaling_rows": 10,
    "scaling_epochs": 1,
    "scaling_runs": 1,
}
OUT = "results/simulations"


def rows(path):
    with open(path, newline="") as stream:
        return list(csv.DictReader(stream))


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory):
    folder = make_sandbox(tmp_path_factory.mktemp("repository"))
    (folder / "config/ring.json").write_text(json.dumps(CONFIG | {"simulations": TINY}))
    snakemake(folder, "--cores", "2", "simulations")
    return folder


@pytest.fixture(scope="module")
def full(sandbox):
    snakemake(sandbox, "--cores", "2", "simulations_full")
    return sandbox


def bits(folder):
    """A hash per table and figure; times are apart."""
    root = folder / OUT
    return {
        str(path.relative_to(root)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(root.rglob("*"))
        if path.suffix in (".csv", ".svg") and path.stem != "scaling"
    }


def test_every_figure_has_its_table_and_drawings(sandbox):
    for figure in FIGURES:
        table = rows(sandbox / OUT / f"{figure}.csv")
        assert {row["seed"] for row in table} == {"1", "2"}
        assert len({row["method"] for row in table}) == 8
        for name in drawings(figure):
            text = "".join(ET.parse(sandbox / OUT / f"figures/{name}.svg").getroot().itertext())
            assert "n = 24 rows" in text
            assert "2 seeds" in text
            assert table[0]["panel"] in text


def test_every_claim_has_a_verdict(sandbox):
    found = rows(sandbox / OUT / "verdicts.csv")
    assert list(found[0]) == ["figure", "claim", "verdict", "found", "detail", "seeds"]
    assert {row["figure"] for row in found} == set(FIGURES)
    assert len(found) == 16
    for row in found:
        # Two seeds show nothing.
        assert row["verdict"] == "undecided"
        assert row["detail"].endswith(".")
        assert row["seeds"] == "2"
    assert {row["design"] for row in rows(sandbox / OUT / "theory.csv")} == {"Gaussian", "orthonormal"}


@pytest.mark.long
def test_full_tables_have_every_cell(full):
    sandbox = full
    recovery = rows(sandbox / OUT / "recovery.csv")
    assert len(recovery) == 2 * 2 * 8
    assert len(rows(sandbox / OUT / "recovery_needed.csv")) == 2 * 8
    families = rows(sandbox / OUT / "families.csv")
    assert len(families) == 4 * 2 * 8
    # The ring of the sandbox's own network has 30 genes.
    assert {row["nodes"] for row in families if row["family"] == "network of the study"} == {"30"}
    assert {row["nodes"] for row in rows(sandbox / OUT / "scaling.csv")} == {"36", "100"}
    for name in ("recovery", "families", "scaling"):
        text = "".join(ET.parse(sandbox / OUT / f"figures/{name}.svg").getroot().itertext())
        assert "GraphSVRG-IHT" in text


def test_simulations_do_not_belong_to_the_study(sandbox):
    assert not [rule for rule in planned(sandbox) if "simul" in rule or rule.startswith("draw_")]


@pytest.mark.long
def test_one_core_gives_the_same_bits(full):
    before = bits(full)
    assert len(before) > 25
    rules = [f"simulate_{name}" for name in (*FIGURES, "theory")]
    snakemake(full, "--cores", "1", "simulations", "-R", *rules)
    assert bits(full) == before


def test_settings_a_rule_does_not_read_do_not_run_it_again(sandbox):
    text = (sandbox / "config/ring.json").read_text()
    try:
        changed = CONFIG | {"simulations": TINY | {"theory_runs": 3}}
        (sandbox / "config/ring.json").write_text(json.dumps(changed))
        jobs = planned(sandbox, "simulations")
        assert jobs.pop("simulate_theory") == 1
        assert set(jobs) <= {"draw_theory", "simulations"}
    finally:
        (sandbox / "config/ring.json").write_text(text)
