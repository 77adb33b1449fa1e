"""The real workflow on a small cohort: what runs, what runs again, and what never does."""

import csv
import hashlib
import html
import json
import os
import re
import shlex
import shutil
import subprocess

import numpy as np
import pandas as pd
import pytest

from conftest import REPOSITORY
from sandbox import CONFIG, REPORT, RUN, copy_of, make_sandbox, planned, result_bits, snakemake
from study.data.studyfile import Study

pytestmark = pytest.mark.workflow


def rows(path):
    with open(path, newline="") as stream:
        return list(csv.DictReader(stream))


def test_tables_have_every_fold_and_the_promised_columns(finished):
    metrics = rows(finished / RUN / "metrics.csv")
    promised = ["method", "trial", "fold", "auc", "balanced_error_tuned", "balanced_error", "n_nonzero", "sparsity"]
    assert list(metrics[0])[:8] == promised
    found = {(row["method"], row["trial"], row["fold"]) for row in metrics}
    assert found == {(m, t, f) for m in CONFIG["methods"] for t in "12" for f in "123"}
    assert len(metrics) == 18
    genes = rows(finished / RUN / "genes.csv")
    assert list(genes[0]) == ["method", "trial", "fold", "entrez", "symbol", "weight"]
    for row in metrics:
        key = (row["method"], row["trial"], row["fold"])
        assert sum((g["method"], g["trial"], g["fold"]) == key for g in genes) == int(row["n_nonzero"])
    shared = {"shared-top", "shared-graph"}
    assert {row["method"] for row in rows(finished / RUN / "timings.csv")} == {*CONFIG["methods"], *shared}


def test_report_shows_the_numbers_of_the_tables(finished):
    page = (finished / REPORT).read_text()
    over_all = [row for row in rows(finished / RUN / "summary.csv") if row["trial"] == "all"]
    assert len(over_all) == len(CONFIG["methods"])
    for row in over_all:
        for metric in ("auc", "balanced_error_tuned", "balanced_error"):
            mean, std = float(row[f"{metric}_mean"]), float(row[f"{metric}_std"])
            assert f"{mean:.3f} ± {std:.3f}" in page
    assert "Against the paper" not in page, "the cohort is of no breast cancer"
    assert not re.findall(r'(?:src|href)="(?!https://www\.ncbi|#|data:)', page)


@pytest.mark.parametrize("method", CONFIG["methods"])
def test_the_command_of_the_report_scores_patients_by_the_signature(finished, tmp_path, method):
    """Pasted from the page with another method and file: the scores are those of the model, from the study file."""
    page = (finished / REPORT).read_text()
    shown = html.unescape(re.search(r"<code>(\.venv/bin/graphiht predict .*?)</code>", page)[1])
    command = shown.replace("graph-svrg-iht.json", f"{method}.json").replace("new.csv", "own/expression.csv")
    assert command != shown
    written = tmp_path / "predictions.tsv"
    subprocess.run([*shlex.split(command), "--output", written], cwd=finished, check=True, capture_output=True)
    with open(written, newline="") as stream:
        found = {row["patient"]: row for row in csv.DictReader(stream, delimiter="\t")}
    stored = json.loads((finished / RUN / f"signatures/{method}.json").read_text())
    study = Study.load(finished / RUN / "study.npz")
    Z = (study.X - study.X.mean(axis=0)) / study.X.std(axis=0)
    genes = [study.symbol.tolist().index(name) for name in stored["symbol"]]
    expected = Z[:, genes] @ stored["weights"] + stored["intercept"]
    assert list(found) == study.patients.tolist()
    scores = np.array([float(row["score"]) for row in found.values()])
    np.testing.assert_allclose(scores, expected, rtol=1e-12, atol=1e-12)
    assert [row["risk"] == "high" for row in found.values()] == (scores > stored["cut_off"]).tolist()
    assert np.mean((scores > stored["cut_off"]) == (study.y == 1)) > 0.6
    files = (finished / "own/expression.csv", finished / "own/edges.tsv", finished / RUN / "study.npz")
    for file in files:
        assert stored["provenance"]["sha256"][file.name] == hashlib.sha256(file.read_bytes()).hexdigest()


def test_second_run_does_nothing_and_names_its_profile(finished):
    said = snakemake(finished, "--cores", "1", "-n")
    assert "Nothing to be done" in said
    assert "Using workflow specific profile profiles/default" in said


EVIDENCE = {"evidence_genes", "evidence_patients"}
AFTER_FITS = {"collect", "compare", "manifest", "report"} | EVIDENCE
FITS = {"share", "fit", "fit_quick", "fit_final"}


def test_deleted_fold_is_made_again(finished, tmp_path):
    folder = copy_of(finished, tmp_path / "deleted")
    (folder / RUN / "fits/iht/trial-01/fold-2.json").unlink()
    jobs = planned(folder)
    assert jobs.pop("fit_quick") == 1
    assert set(jobs) == AFTER_FITS


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("src/study/report/page.py", {"report": 1}),
        pytest.param("src/study/cv/results.py", dict.fromkeys(AFTER_FITS, 1), marks=pytest.mark.long),
        # A row of a registry fits nothing again.
        ("src/study/methods.py", dict.fromkeys(AFTER_FITS, 1)),
        # The module of a learner re-runs its methods and no other: ridge.
        (
            "src/study/cv/penalised.py",
            {"fit_quick": 1, "fit_final": 1, "evidence_all_genes": 1} | dict.fromkeys(AFTER_FITS, 1),
        ),
        (
            "src/graphiht/solver.py",
            {"share": 4, "fit": 2, "fit_quick": 2, "fit_final": 3, "evidence_all_genes": 1}
            | dict.fromkeys(AFTER_FITS, 1),
        ),
        (
            "src/study/data/networks.py",
            {"read_cohort": 1, "prepare": 1, "split": 2, "share": 4, "fit": 2, "fit_quick": 2, "fit_final": 3}
            | {"evidence_all_genes": 1}
            | dict.fromkeys(AFTER_FITS, 1),
        ),
    ],
)
def test_edited_source_runs_what_depends_on_it(finished, tmp_path, file, expected):
    folder = copy_of(finished, tmp_path / "edited")
    (folder / "src").unlink()
    shutil.copytree(REPOSITORY / "src", folder / "src", ignore=shutil.ignore_patterns("__pycache__"))
    with open(folder / file, "a") as stream:
        stream.write("# edited\n")
    assert planned(folder) == expected


@pytest.mark.long
def test_methods_beside_the_study_run_when_they_are_named(tmp_path):
    methods = ["iht", "elastic-net", "graph-stability"]
    folder = make_sandbox(tmp_path / "more", CONFIG | {"methods": methods, "trials": 1, "refit": True})
    snakemake(folder, "--cores", "2")
    assert {row["method"] for row in rows(folder / RUN / "metrics.csv")} == {*methods, "iht+ridge"}
    page = (folder / REPORT).read_text()
    for method in [*methods, "iht+ridge"]:
        assert f'data-v="{method}"><span class="method"' in page
    assert "By Shah and Samworth's bound" in page.replace("&#39;", "'")


def test_leaving_a_method_out_does_not_silently_shrink_the_tables(finished):
    before = result_bits(finished)
    said = snakemake(finished, "--cores", "1", "--config", "methods=[iht]", ok=False)
    assert "holds results of graph-svrg-iht, ridge, which the configuration leaves out" in said
    assert result_bits(finished) == before


def test_more_trials_and_methods_keep_what_is_finished(finished):
    """A third trial: one job of every slow method, and the quick methods as a whole. A method more: that one."""
    jobs = planned(finished, "--config", "trials=3")
    fits = {name: number for name, number in jobs.items() if name in FITS | {"split", "prepare", "read_cohort"}}
    assert fits == {"split": 1, "share": 2, "fit": 1, "fit_quick": 2}
    more = planned(finished, "--config", f"methods={json.dumps([*CONFIG['methods'], 't-top'])}")
    assert {name: number for name, number in more.items() if name in FITS} == {"fit_quick": 1, "fit_final": 1}


def test_other_settings_never_replace_finished_fits(finished):
    """The run stops, and the command it prints keeps both: it plans everything, into another folder."""
    before = result_bits(finished)
    said = snakemake(finished, "--cores", "1", "-n", "--config", "seed=1", ok=False)
    assert f"config: {RUN} holds fits of other settings, which this run would replace: seed 20240727 (now 1)." in said
    command = re.search(r"To keep both: (.*?)\. To replace them: rm -r results/ring/own", said)[1]
    done = subprocess.run(f"{command} seed=1 -n", shell=True, cwd=finished, capture_output=True, text=True, check=True)
    assert re.search(r"fit_quick +2", done.stdout + done.stderr)
    assert "results/other" in command
    assert "tie_tolerance 0.005 (now 0.01)" in snakemake(finished, "-n", "--config", "tie_tolerance=0.01", ok=False)
    assert "trial-02, which the configuration leaves" in snakemake(finished, "-n", "--config", "trials=1", ok=False)
    assert result_bits(finished) == before


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            ["study", "CONFIG=config/typo.yaml"],
            "error: config/typo.yaml: no such file",
        ),
        (["study", "CONFIG=a wrong one.yaml"], "error: config: unknown key trails; did you mean trials?"),
        (["check", "CONFIG=config"], "error: config: is a folder"),
    ],
)
def test_make_says_in_one_sentence_what_is_wrong_with_a_configuration(finished, call, said):
    (finished / "a wrong one.yaml").write_text("trails: 3\n")
    done = subprocess.run(["make", *call, "READY="], cwd=finished, capture_output=True, text=True, check=False)
    assert done.returncode != 0
    assert said in done.stderr
    assert len(done.stderr.strip().splitlines()) == 2  # the sentence, and make's


def make(folder, *call, ok=True):
    """Return the lines that make prints."""
    call = ["make", *call, "READY="]
    # `make test` passes its own flags on.
    environment = {key: value for key, value in os.environ.items() if key not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
    done = subprocess.run(
        call, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    assert (done.returncode == 0) == ok, done.stdout
    return done.stdout.splitlines()


def test_ridge_on_all_measured_genes_takes_those_outside_the_network(finished, tmp_path):
    """Where all genes are in the network it is ridge, to the bit; outcomes that follow another gene need that gene."""
    ridge = pd.read_csv(finished / RUN / "metrics.csv").query("method == 'ridge'")
    everywhere = pd.read_csv(finished / RUN / "evidence/all_genes.csv")
    assert everywhere["value"].tolist() == ridge["auc"].tolist()
    study = make_sandbox(tmp_path / "study", CONFIG | {"trials": 1})
    table = pd.read_csv(study / "own/expression.csv").merge(pd.read_csv(study / "own/outcome.csv"))
    table["G29"] = table["event"] + np.random.default_rng(0).normal(0, 0.2, len(table))
    table.drop(columns=["event", "time"]).to_csv(study / "own/expression.csv", index=False)
    edges = pd.read_csv(study / "own/edges.tsv", sep="\t").query("gene_a != 'G29' and gene_b != 'G29'")
    edges.to_csv(study / "own/edges.tsv", sep="\t", index=False)
    snakemake(study, f"{RUN}/evidence/all_genes.csv", "--cores", "2")
    found = pd.read_csv(study / RUN / "evidence/all_genes.csv")
    assert set(found["n_genes"]) == {30}
    assert found["value"].mean() > max(0.95, everywhere["value"].mean() + 0.03)


def test_make_is_brief_ends_with_the_report_opens_and_compares_it(finished, tmp_path):
    """Measurements differ between equal runs; written again from the same ones, the reports are the same."""
    study = copy_of(finished, tmp_path / "study")
    (study / "reports/other").mkdir()
    (study / "reports/other/report.html").touch()
    os.utime(study / "reports/other/report.html", (0, 0))
    shutil.rmtree((study / REPORT).parent)
    said = make(study, "study", "CONFIG=config/ring.json")
    for path in sorted((finished / "reports").rglob("*")):
        if path.is_file():
            assert (study / path.relative_to(finished)).read_bytes() == path.read_bytes(), path
    assert said[-1] == f"Report: {REPORT}"
    assert not [
        line for line in said if not line or line.startswith(("[", "SNAKEMAKE", "  Date", "Select jobs", "Execute"))
    ]
    assert len([line for line in said if " steps (" in line]) > 1
    assert make(study, "open") == [str((study / REPORT).resolve())]
    compared = make(study, "compare", "CONFIG=config/ring.json", f"RUN={RUN}")
    assert "\n".join(compared).endswith((study / RUN / "comparison.md").read_text().strip())


def test_make_open_and_compare_start_no_study(tmp_path):
    clone = make_sandbox(tmp_path / "clone")
    assert make(clone, "open", ok=False)[0].startswith("error: no report there: ''. Run `make smoke` or `make study`")
    said = make(clone, "compare", ok=False)
    assert said[0].startswith("error: results/nki/scnet holds no finished study. Run `make study` first")
    assert not (clone / "results").exists()


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory):
    """A sandbox in which nothing has been run."""
    return make_sandbox(tmp_path_factory.mktemp("sandbox"))


def stopped(folder, change, results):
    """What a run says that must stop before any fit, having left nothing half-written."""
    config = json.loads(json.dumps(CONFIG)) | {"results": f"results/{results}"}
    change(config)
    (folder / "config/wrong.json").write_text(json.dumps(config))
    said = snakemake(folder, "--cores", "1", config="config/wrong.json", ok=False)
    left = [path for path in (folder / config["results"]).rglob("*") if path.is_file()]
    assert not [path for path in left if "fits" in path.parts or ".part" in path.name], left
    assert "rule fit" not in said.replace("localrule", "rule")
    return said


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (
            {"sparsities": [2, 31]},
            "config: sparsities: 31 is more than the 30 genes of the network. Set `sparsities: [2]`.",
        ),
        ({"own": CONFIG["own"] | {"expression": "own/nowhere.csv"}}, "own/nowhere.csv"),
    ],
)
def test_a_wrong_configuration_stops(sandbox, wrong, said):
    assert said in stopped(sandbox, lambda config: config.update(wrong), next(iter(wrong)))


def test_bad_table_stops_and_leaves_nothing_half_written(sandbox):
    bad = sandbox / "own/bad.csv"
    bad.write_text((sandbox / "own/expression.csv").read_text().replace("P3,", "P3,x", 1))
    said = stopped(sandbox, lambda config: config["own"].update(expression="own/bad.csv"), "bad")
    assert "error: own/bad.csv: column 'G0', row 'P3' holds 'x" in said
    assert not list((sandbox / "results/bad").rglob("*.npz"))


def test_damaged_download_stops(sandbox, wheels, sources):
    downloads = sandbox / "data/downloads"
    for name, wheel in wheels.items():
        (downloads / wheel.path.name).unlink(missing_ok=True)
        cut = 500 if name == "survset" else 0
        (downloads / wheel.path.name).write_bytes(wheel.path.read_bytes()[cut:])

    def use_nki(config):
        config.update(cohort="nki", network="scnet", sparsities=[10])

    said = stopped(sandbox, use_nki, "damaged")
    assert re.search(f"error: data/downloads/{sources['survset'].file}: sha256 is [0-9a-f]+, not 43b71cfd", said)
    assert not list((sandbox / "results/damaged").rglob("*.npz"))


def test_snakemakes_own_report_is_written_offline(finished, tmp_path):
    snakemake(finished, "--report", str(tmp_path / "snakemake-report.html"))
    page = (tmp_path / "snakemake-report.html").read_text()
    for text in ("ring on own", "gene-chart", "fold nested cross-validation"):
        assert text in page


def test_the_checksums_of_a_run_hold(finished):
    done = subprocess.run(["sha256sum", "--check", "--quiet", "SHA256SUMS"], cwd=finished / RUN, check=False)
    assert done.returncode == 0
    listed = {line.split("  ")[1] for line in (finished / RUN / "SHA256SUMS").read_text().splitlines()}
    expected = {"metrics.csv", "fits/iht/trial-01/fold-1.json", "network.graphml", "signatures/ridge.json", "study.npz"}
    assert expected <= listed
