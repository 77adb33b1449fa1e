"""The recipes of images take the steps of set-up: what it needs from Debian, then its script, from its own pins."""

import re

import pytest

RECIPES = ("Dockerfile", "apptainer.def")


@pytest.fixture(params=RECIPES)
def recipe(request, repository):
    return (repository / "workflow/containers" / request.param).read_text()


def steps(recipe):
    """The commands that build the image."""
    docker = re.findall(r"^RUN (.*)$", recipe, flags=re.M)
    post = re.search(r"^%post\n(.*?)\n\n", recipe, flags=re.M | re.S)
    lines = docker or [line.strip() for line in post[1].splitlines()]
    return [command for line in lines for command in line.split(" && ") if not command.startswith("cd ")]


def test_both_recipes_take_the_same_steps(repository):
    one, other = (steps((repository / "workflow/containers" / name).read_text()) for name in RECIPES)
    assert one == other
    assert len(one) == 5


def test_debian_packages_are_what_set_up_and_continuous_integration_ask_for(recipe, repository):
    (install,) = [step for step in steps(recipe) if "apt-get install" in step]
    found = {word for word in install.split()[2:] if not word.startswith("-")}
    asked = set(re.findall(r"apt install ([\w$+.-]+)", (repository / "workflow/scripts/setup.sh").read_text()))
    named = {re.sub(r"python\$version", "python3", word) for word in asked}
    assert named == {"python3", "python3-venv", "python3-dev", "g++", "git"}
    # And make, which is how commands are given.
    assert found == {*named, "make"}
    for group in re.findall(r"missing\+=\((.*?)\)", (repository / ".ci/run").read_text()):
        # The browser is for tests.
        assert set(group.split()) <= found | {"chromium"}


def test_packages_come_from_the_script_of_set_up_alone(recipe, repository):
    made = steps(recipe)
    assert "bash workflow/scripts/setup.sh" in made
    assert not [step for step in made if re.search(r"\b(pip|uv|conda)\b", step)]
    # What the Makefile takes for "done": the next `make` in the image does not set up again.
    assert "touch .venv/.ready" in made
    ready = re.search(r"^READY := (\S+)", (repository / "Makefile").read_text(), flags=re.M)[1]
    assert ready == ".venv/.ready"
    assert "/study/.venv/bin:$PATH" in recipe


def test_the_image_has_all_that_set_up_reads_and_nothing_of_this_machine(repository):
    left_out = [line for line in (repository / ".dockerignore").read_text().splitlines() if not line.startswith("#")]
    needed = ("requirements.txt", "pyproject.toml", "README.md", "src", "workflow", "config", "data/sources.csv")
    assert not [path for path in needed for out in left_out if path == out or path.startswith(f"{out}/")]
    assert {".venv", "results", "data/downloads"} <= set(left_out)
