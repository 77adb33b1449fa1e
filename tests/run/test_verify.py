"""`make verify` looks at every result of a configuration, and names what is not as it was written."""

import os
import subprocess
import sys

import pytest

from study.run.files import record_of, write_text

RESULTS = (
    "results/mine/own/metrics.csv",
    "results/mine/own/fits/ridge/trial-01/fold-1.json",
    "results/mine/cohort.npz",
    "results/mine/external/tcga.npz",
    "results/simulations/figures/step_size.svg",
    "report/report.html",
    "report/figures/accuracy.svg",
)
OTHERS = ("results/mine/scnet/metrics.csv", "results/nki/scnet/metrics.csv")


@pytest.fixture
def finished(tmp_path):
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text("")
    (tmp_path / "study.yaml").write_text(
        "cohort: own\nnetwork: own\nresults: results\nreports: report\n"
        "own: {name: mine, expression: a.csv, outcome: b.csv, edges: b.csv}\n"
    )
    for name in (*RESULTS, *OTHERS):
        write_text(tmp_path / name, "1,2\n")
    return tmp_path


def verify(folder, repository):
    environment = {**os.environ, "PYTHONPATH": str(repository / "src")}
    call = [sys.executable, "-m", "study.run.verify", str(folder / "study.yaml")]
    return subprocess.run(call, cwd=repository, env=environment, capture_output=True, text=True, check=False)


def test_whole_results_are_counted(finished, repository):
    done = verify(finished, repository)
    assert done.returncode == 0, done.stderr
    assert f"looked at {len(RESULTS)} results" in done.stdout
    assert "every one is as it was written" in done.stdout


@pytest.mark.parametrize("name", RESULTS)
def test_a_damaged_one_is_named_with_the_command_that_mends_it(finished, repository, name):
    (finished / name).write_text("1,3\n")
    done = verify(finished, repository)
    assert done.returncode == 1
    first, second = done.stderr.splitlines()
    assert first.startswith(f"error: {finished / name}: expected the file as it was written")
    assert second == f"To make them again: make study CONFIG={finished}/study.yaml"


def test_results_of_other_runs_are_left_alone(finished, repository):
    for name in OTHERS:
        (finished / name).write_text("1,3\n")
    assert verify(finished, repository).returncode == 0


def test_a_lost_checksum_is_damage_too(finished, repository):
    """Emptied with the disk's cache: then nothing tells whether the file is right."""
    record_of(finished / RESULTS[0]).write_bytes(b"")
    assert "(sha256 lost)" in verify(finished, repository).stderr


def test_a_result_without_checksum_is_named(finished, repository):
    record_of(finished / RESULTS[1]).unlink()
    (finished / "results/mine/own/logs").mkdir()
    (finished / "results/mine/own/logs/plan.json").write_text("")
    (first,) = verify(finished, repository).stderr.splitlines()
    assert first.startswith(f"error: {finished / RESULTS[1]}: expected its checksum beside it, found none (1 such")


def test_a_wrong_configuration_is_one_sentence(tmp_path, repository):
    (tmp_path / "study.yaml").write_text("trails: 3\n")
    done = verify(tmp_path, repository)
    assert done.returncode == 1
    assert done.stderr.startswith("error: config")
    assert "Traceback" not in done.stderr
