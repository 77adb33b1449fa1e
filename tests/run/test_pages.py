"""The pages of the documentation: their examples run, their links lead somewhere, their cohort is what they say."""

import os
import re
import subprocess
import sys

import pandas as pd
import pytest

from conftest import REPOSITORY
from sandbox import make_sandbox
from study.methods import headline

PAGES = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").glob("*.md"))]


def run_page(page, folder):
    """Run the code cells of a page in `folder`; return the names they leave and what their commands printed."""
    said = []

    def shell(command):
        done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, check=False)
        # `head` may have closed the pipe.
        assert done.returncode in ((0, 1) if "| head" in command else (0,)), done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        said.append(done.stdout)

    names = {"_shell": shell, "os": os}
    before = os.getcwd()
    os.chdir(folder)
    try:
        for cell in re.findall(r"```\{code-cell\} ipython3\n(.*?)```", page.read_text(), flags=re.S):
            lines = [re.sub(r"^!(.*)$", lambda found: f"_shell({found[1]!r})", line) for line in cell.splitlines()]
            lines = [re.sub(r"^%cd -q (.*)$", r"os.chdir('\1')", line) for line in lines]
            exec(compile("\n".join(lines), page.name, "exec"), names)
    finally:
        os.chdir(before)
    return names, said


def test_the_readmes_example_prints_what_its_comment_says(repository):
    code = re.search(r"```python\n(.*?)```", (repository / "README.md").read_text(), flags=re.S)[1]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == re.search(r"# (\[.*\])", code)[1]


def test_the_page_on_scikit_learn_runs(repository):
    names, _ = run_page(repository / "docs/python.md", repository / "docs")
    assert set(names["chosen"]) == set(names["refitted"][:-1].get_feature_names_out())
    assert names["search"].best_params_["model__sparsity"] in (4, 8, 16)
    assert names["counts"].between(0, 1 + 1e-9).all()
    # What is planted stands out among 180 genes.
    assert len(set(names["counts"].nlargest(6).index) & {f"G{i:03d}" for i in range(1, 9)}) == 6


# `make site` runs it, too.
@pytest.mark.long
@pytest.mark.workflow
def test_the_tutorial_runs_from_a_fresh_copy(repository, tmp_path):
    folder = make_sandbox(tmp_path / "fresh")
    names, said = run_page(repository / "docs/tutorial.md", folder / "docs")
    assert len(names["planted"] & set(names["signature"]["symbol"])) >= 5
    assert "30 patients" in " ".join(said)
    page = (folder / "reports/example/example-own/report.html").read_text()
    assert f"signatures/{headline(['iht', 'graph-iht', 'ridge'])}.json" in page
    predicted = pd.read_csv(folder / "results/tutorial/predictions.tsv", sep="\t")
    assert predicted["patient"].tolist() == [f"P{i:03d}" for i in range(151, 181)]


def test_the_example_cohort_is_what_its_script_draws(repository, tmp_path):
    subprocess.run([sys.executable, repository / "docs/example/make.py", tmp_path], check=True)
    for name in ("expression.csv", "new.csv", "outcome.csv", "edges.tsv"):
        assert (tmp_path / name).read_bytes() == (repository / "docs/example" / name).read_bytes(), name
    assert sum(path.stat().st_size for path in (repository / "docs/example").iterdir()) < 300_000


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files(page):
    text = re.sub(r"```(?!\{).*?```", "", page.read_text(), flags=re.S)
    for target in re.findall(r"\]\((?!https?:|#)([^)#\s]+)", text):
        assert (page.parent / target).exists(), target


def test_every_page_is_in_the_index(repository):
    index = (repository / "docs/index.md").read_text()
    listed = {
        line for block in re.findall(r"```\{toctree\}\n(.*?)```", index, flags=re.S) for line in block.split("\n")
    }
    pages = {path.stem for path in (repository / "docs").glob("*.md")} - {"index"}
    assert pages == {line for line in listed if line and not line.startswith(":")}
