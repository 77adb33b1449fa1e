"""The report beside chance: permuted outcomes and planted sets, when they have been run."""

import shutil

import numpy as np
import pandas as pd
import pytest

from report_cases import configuration, make_evidence, make_run
from study import tables
from study.report.inputs import read_inputs
from study.report.sections import answer, chance, genes
from study.report.summary import summary


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return make_run(tmp_path_factory.mktemp("whole"))


@pytest.fixture
def run(whole, tmp_path):
    target = tmp_path / "results/made-up/own"
    shutil.copytree(whole, target)
    return target


def read(run, repository):
    return read_inputs(run, configuration(), repository / "data/published_metrics.csv", run / "none", True)


def block_of(section, name):
    (found,) = (block for block in section.blocks if getattr(block, "id", None) == name)
    return found


def write_table(run, name, rows):
    name = f"evidence/{name}"
    tables.write(run, name, pd.DataFrame(rows, columns=tables.columns(name)))


def test_stability_and_gene_sets_stand_beside_permuted_outcomes(run, repository):
    make_evidence(run)
    inputs = read(run, repository)
    assert "permuted_stability" not in [column.key for column in block_of(genes.section(inputs), "stability").columns]
    rows = [
        ("graph-iht", "stability", 20, 0.69, np.nan, 100, 0.31, 0.2, 0.4, 1 / 101),
        ("graph-iht", "cell_cycle", 20, 15.2, 2.5, 100, 3.9, 0.0, 9.0, 1 / 101),
        ("graph-iht", "auc", 20, 0.51, np.nan, 100, 0.5, 0.4, 0.6, 0.4),
    ]
    write_table(run, "permuted_summary", rows)
    write_table(run, "permuted_pathways", [("graph-iht", "wikipathways", "WP1", "Path", 8, 3.4, 1.25, 2.75, 0.2, 100)])
    inputs = read(run, repository)
    stability = block_of(genes.section(inputs), "stability")
    assert stability.columns[-1].key == "permuted_stability"
    shown = {row[0].value: row[-1].shown for row in stability.rows}
    assert shown.pop("graph-iht") == "0.31"
    assert set(shown.values()) == {"–"}
    assert [column.key for column in block_of(answer.section(inputs), "summary").columns].count(
        "permuted_stability"
    ) == 1
    assert "| on permuted outcomes |" in summary(inputs)
    first = block_of(chance.section(inputs), "permuted")
    cells = [[str(cell.shown) for cell in row] for row in first.rows]
    assert cells[1][1:6] == ["stable genes in the set Cell cycle", "15.200", "2.5", "3.900", "0.000"]
    said = chance.section(inputs).lead
    assert (
        "Of 3 numbers, 2 are beyond what permuted outcomes give; not beyond it (p &gt; 0.05): AUC of GraphIHT" in said
    )


def test_planted_sets_are_drawn_and_said(run, repository):
    rows = [
        (size, strength, name, measure, 30, 0.1 * strength, 0.0, 0.5, without, 0.02, 0.01, 0.03)
        for size in (10, 30)
        for strength in (0.0, 1.0, 2.0)
        for name, without in (("iht", ""), ("graph-iht", "iht"))
        for measure in ("recall", "precision", "near", "auc")
    ]
    write_table(run, "planted_summary", rows)
    section = chance.section(read(run, repository))
    figure = block_of(section, "planted-recall")
    assert "finds more of the planted genes than IHT in 4 of 4 settings" in figure.caption
    assert figure.svg.count("genes</text>") == 2
    assert len(block_of(section, "planted").rows) == len(rows) / 2
