"""The workflow from another folder: tables are found where the repository lies, results go where it is started."""

import json
import os
import subprocess

import pytest

from conftest import write_own_cohort
from sandbox import CONFIG, make_sandbox, once

pytestmark = pytest.mark.workflow

MODULE = """
configfile: "mine.json"


module graphiht:
    snakefile: "{clone}/workflow/Snakefile"
    config: config


use rule * from graphiht as graphiht_*


onstart:
    graphiht.onstart()


onsuccess:
    graphiht.onsuccess()


rule patients:
    default_target: True
    input: "results/ring/own/data_summary.json"
    output: "patients.txt"
    shell: "grep n_patients {{input}} > {{output}}"
"""


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    return once(tmp_path_factory.getbasetemp(), "a clone", make_sandbox)


@pytest.fixture
def work(tmp_path, clone):
    """A folder with a configuration, the tables it names, and the clone's downloads."""
    folder = tmp_path / "work"
    write_own_cohort(folder / "own")
    (folder / "mine.json").write_text(json.dumps(CONFIG))
    (folder / "data").mkdir()
    (folder / "data/downloads").symlink_to(clone / "data/downloads")
    return folder


def snakemake(clone, folder, *arguments):
    environment = {key: value for key, value in os.environ.items() if not key.startswith("SNAKEMAKE")}
    call = [clone / ".venv/bin/snakemake", "--cores", "1", *arguments]
    done = subprocess.run(call, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_started_in_another_folder_by_the_path_of_its_snakefile(clone, work):
    metrics = "results/ring/own/metrics.csv"
    said = snakemake(clone, work, "-s", clone / "workflow/Snakefile", "--configfile", "mine.json", "-n", metrics)
    assert "fit_quick" in said
    assert "download " not in said


def test_the_shipped_configuration_is_the_default_everywhere(clone, work):
    said = snakemake(clone, work, "-s", clone / "workflow/Snakefile", "-n", "results/nki/scnet/metrics.csv")
    assert "prepare" in said


def test_with_another_working_directory_results_go_there(clone, work):
    """The configuration lies in the clone's config/, so its tables count from the clone."""
    call = ["--directory", work, "--configfile", "config/ring.json", "--quiet", "reason", "-n"]
    said = snakemake(clone, clone, *call, "results/ring/own/data_summary.json")
    assert f"{clone}/own/expression.csv" in said
    assert f"{clone}/data/sources.csv" in said


def test_used_as_a_module_it_makes_its_results_for_other_rules(clone, work):
    (work / "Snakefile").write_text(MODULE.format(clone=clone))
    snakemake(clone, work)
    assert "60" in (work / "patients.txt").read_text()
    assert (work / "results/ring/own/settings.json").is_file()
    assert not (clone / "results").exists()
    assert "Nothing to be done" in snakemake(clone, work, "-n")
