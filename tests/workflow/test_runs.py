"""Lists of cohorts and networks: each run as if it were alone, and one page that compares them."""

import csv
import re

import pytest

from sandbox import CONFIG, copy_of, make_sandbox, once, planned, snakemake

pytestmark = pytest.mark.workflow

LIST = CONFIG | {"network": ["own", "coexpression"], "methods": ["iht", "ridge"], "trials": 1}
RUNS = ["ring/own", "ring/coexpression"]
AFTER_FITS = {"collect", "compare", "evidence_genes", "evidence_patients", "manifest", "report", "compare_runs"}


@pytest.fixture(scope="module")
def two_runs(tmp_path_factory):
    """A cohort on two networks, run to its end by one command, on one core."""

    def make(folder):
        snakemake(make_sandbox(folder, LIST), "--cores", "1")

    return once(tmp_path_factory.getbasetemp(), "two runs", make)


def test_a_run_of_a_list_on_one_core_has_the_bits_of_the_same_run_alone_on_two(two_runs, finished):
    """The list has one trial of two methods, the first of two of the run alone, which has one more."""
    folds = sorted((two_runs / "results/ring/own").glob("fits/*/trial-01/fold-*.json"))
    assert len(folds) == len(LIST["methods"]) * LIST["folds"]
    for path in folds:
        assert path.read_bytes() == (finished / path.relative_to(two_runs)).read_bytes()
    for name in ("metrics.csv", "genes.csv"):
        alone = (finished / "results/ring/own" / name).read_text().splitlines()
        first = [line for line in alone if line.startswith(("method,trial,", "iht,1,", "ridge,1,"))]
        assert (two_runs / "results/ring/own" / name).read_text().splitlines() == first


def test_second_run_of_a_list_does_nothing(two_runs):
    assert "Nothing to be done" in snakemake(two_runs, "--cores", "1", "-n")


def test_deleted_fold_of_one_run_makes_that_run_again_and_the_page(two_runs, tmp_path):
    folder = copy_of(two_runs, tmp_path / "deleted")
    (folder / "results/ring/own/fits/iht/trial-01/fold-2.json").unlink()
    assert planned(folder) == {"fit_quick": 1} | dict.fromkeys(AFTER_FITS, 1)


def test_a_finished_run_is_taken_into_a_list_as_it_is(finished):
    """Only the other network is run: the manifest and the report of a run name that run alone."""
    jobs = planned(finished, "--config", "network=[own,coexpression]")
    assert (jobs["prepare"], jobs["fit_quick"], jobs["fit"]) == (1, 2, 2)
    assert (jobs["collect"], jobs["manifest"], jobs["report"]) == (1, 1, 1)
    assert "read_cohort" not in jobs


def test_what_runs_share_is_made_once(two_runs):
    jobs = planned(two_runs, "--config", "cohort=nki", "network=[scnet,bioplex]")
    assert (jobs["read_cohort"], jobs["prepare"]) == (4, 2)
    assert jobs["download"] == 3, "survset, scnet and cptac; the sandbox has the others"


def test_a_target_stands_for_all_runs(two_runs):
    assert planned(two_runs, "controls")["collect_controls"] == 2


def test_page_has_the_numbers_of_the_runs_and_leads_to_their_reports(two_runs):
    page = (two_runs / "reports/report.html").read_text()
    for run in RUNS:
        link = f"{run.replace('/', '-')}/report.html"
        assert f'<a href="{link}">{run}</a>' in page
        assert "set of genes predicts" in (two_runs / "reports" / link).read_text()
        with open(two_runs / f"results/{run}/summary.csv", newline="") as stream:
            rows = [row for row in csv.DictReader(stream) if row["trial"] == "all"]
        for row in rows:
            cells = f'data-v="{row["method"]}">.*?<td data-v="[^"]+">{float(row["auc_mean"]):.3f}</td>'
            assert re.search(f"{re.escape(run)}</a></th><td[^>]*{cells}", page)
    assert "have the same patients" in page
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
