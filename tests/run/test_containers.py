"""The recipes of images take the steps of set-up: what it needs from Debian, then its script, from its own pins."""

import re

import pytest
import yaml


def steps(recipe):
    """The commands that build the image."""
    post = re.search(r"^%post\n(.*?)\n\n", recipe, flags=re.M | re.S)
    lines = [line.strip() for line in post[1].splitlines()] if post else re.findall(r"^RUN (.*)$", recipe, flags=re.M)
    return [command for line in lines for command in line.split(" && ") if not command.startswith("cd ")]


@pytest.fixture
def recipes(repository):
    return [(repository / "workflow/containers" / name).read_text() for name in ("Dockerfile", "apptainer.def")]


def test_both_recipes_take_the_steps_of_set_up_alone(recipes, repository):
    one, other = map(steps, recipes)
    assert one == other
    assert "bash workflow/scripts/setup.sh" in one
    assert not [step for step in one if re.search(r"\b(pip|uv|conda)\b", step)]
    # What the Makefile takes for "done": the next `make` in the image does not set up again.
    assert re.search(r"^READY := (\S+)", (repository / "Makefile").read_text(), flags=re.M)[1] == ".venv/.ready"
    assert "touch .venv/.ready" in one
    assert all("/study/.venv/bin:$PATH" in recipe for recipe in recipes)


def test_debian_packages_are_what_set_up_and_continuous_integration_ask_for(recipes, repository):
    (install,) = [step for step in steps(recipes[0]) if "apt-get install" in step]
    found = {word for word in install.split()[2:] if not word.startswith("-")}
    asked = set(re.findall(r"apt install ([\w$+.-]+)", (repository / "workflow/scripts/setup.sh").read_text()))
    named = {re.sub(r"python\$version", "python3", word) for word in asked}
    assert found == named | {"make"} == {"python3", "python3-venv", "python3-dev", "g++", "git", "make"}
    for group in re.findall(r"missing\+=\((.*?)\)", (repository / ".ci/run").read_text()):
        assert set(group.split()) <= found | {"chromium"}, "the browser is for tests"


NEEDED = ("requirements.txt", "pyproject.toml", "README.md", "src", "workflow", "config", "data/sources.csv")


def test_the_image_has_all_that_set_up_reads_and_nothing_of_this_machine(repository):
    left_out = [line for line in (repository / ".dockerignore").read_text().splitlines() if not line.startswith("#")]
    assert not [path for path in NEEDED for out in left_out if path == out or path.startswith(f"{out}/")]
    assert {".venv", "results", "data/downloads"} <= set(left_out)


def test_apptainer_copies_what_a_run_needs_and_no_environment(recipes, repository):
    files = re.search(r"^%files\n(.*?)\n\n", recipes[1], flags=re.M | re.S)[1]
    copied = dict(line.split() for line in files.splitlines())
    assert all((repository / source).exists() and target == f"/study/{source}" for source, target in copied.items())
    assert {path.partition("/")[0] for path in (*NEEDED, "Snakefile", "Makefile", "profiles/default")} <= set(copied)
    assert not {".", ".venv", "results", "reports"} & set(copied)


def test_the_example_report_is_published_where_the_documentation_links_to(repository):
    site = (repository / ".github/workflows/site.yml").read_text()
    (target,) = re.findall(r"cp reports/nki-scnet/report.html docs/_build/html/(\S+)", site)
    assert f'<a href="{target}">' in (repository / "docs/report.md").read_text()
    assert "push" not in yaml.safe_load(site)[True]  # YAML reads the key `on` as true
