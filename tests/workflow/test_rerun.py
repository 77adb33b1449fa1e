"""One command runs one method again, one runs one fold again and no other, on finished and on interrupted studies."""

import pytest

from sandbox import CONFIG, RUN, copy_of, make_sandbox, planned, result_bits, snakemake

pytestmark = pytest.mark.workflow

FITS = {"fit", "fit_quick", "fit_fold", "fit_quick_fold", "fit_final", "share"}


def fits(jobs):
    return {name: number for name, number in jobs.items() if name in FITS}


@pytest.fixture
def interrupted(finished, tmp_path):
    """A study in which a quick method has one trial, and a slow one lacks a fold of the other trial."""
    study = copy_of(finished, tmp_path / "interrupted")
    for path in study.glob(f"{RUN}/fits/ridge/trial-02/*"):
        path.unlink()
    (study / RUN / "fits/graph-svrg-iht/trial-02/fold-3.json").unlink()
    for table in study.glob(f"{RUN}/*.csv"):
        table.unlink()
    return study


def test_one_method_runs_again(finished, interrupted):
    files = sorted(str(path.relative_to(finished)) for path in finished.glob(f"{RUN}/fits/graph-svrg-iht/*/*"))
    jobs = planned(finished, "--forcerun", *files)
    assert fits(jobs) == {"fit": CONFIG["trials"]}
    assert {"collect", "report"} <= set(jobs)
    assert planned(interrupted, *files, "--forcerun", *files) == {"fit": CONFIG["trials"]}


def test_one_fold_runs_again_and_no_other(finished, interrupted):
    """Of a slow method, whose jobs are trials, and of a quick one, whose job is all trials."""
    slow, quick = (f"{RUN}/fits/{method}/trial-01/fold-2.json" for method in ("graph-svrg-iht", "iht"))
    assert planned(finished, slow, "--forcerun", slow, "--config", "jobs=fold") == {"fit_fold": 1}
    assert planned(interrupted, quick, "--forcerun", quick, "--config", "jobs=fold") == {"fit_quick_fold": 1}
    jobs = planned(finished, "--forcerun", slow, quick, "--config", "jobs=fold")
    assert fits(jobs) == {"fit_fold": 1, "fit_quick_fold": 1}
    assert {"collect", "report"} <= set(jobs)


@pytest.mark.long
def test_one_fold_is_planned_in_a_whole_study_of_which_nothing_is_done(tmp_path):
    """2,100 jobs of folds, which groups of jobs once took forever to compare."""
    clone = make_sandbox(tmp_path / "clone", {})
    jobs = planned(clone, "--config", "jobs=fold", "--forcerun", "results/nki/scnet/fits/iht/trial-03/fold-2.json")
    assert jobs["fit_fold"] + jobs["fit_quick_fold"] == 2100


def test_a_fold_that_ran_again_has_the_same_bytes_and_leaves_the_study_finished(finished, tmp_path):
    study, fold = copy_of(finished, tmp_path / "study"), f"{RUN}/fits/iht/trial-01/fold-2.json"
    before = (study / fold).stat().st_mtime_ns
    snakemake(study, f"{RUN}/SHA256SUMS", "--forcerun", fold, "--cores", "2", "--config", "jobs=fold")
    assert (study / fold).stat().st_mtime_ns > before
    assert result_bits(study) == result_bits(finished)
    assert planned(study) == {"report": 1}


def test_jobs_of_folds_continue_an_interrupted_study(interrupted, finished):
    jobs = planned(interrupted, "--config", "jobs=fold")
    assert fits(jobs) == {"fit_fold": 1, "fit_quick_fold": CONFIG["folds"]}
    snakemake(interrupted, f"{RUN}/metrics.csv", "--cores", "2", "--config", "jobs=fold")
    bits = result_bits(finished)
    assert all(bits[name] == digest for name, digest in result_bits(interrupted).items())
