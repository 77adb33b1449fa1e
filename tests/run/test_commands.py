"""Every command that README, docs, report messages, errors and help texts name exists."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import REPOSITORY
from graphiht.cli import main as graphiht

TEXTS = [
    # The changelog names commands that are gone.
    *sorted(path for path in REPOSITORY.glob("*.md") if path.name != "CHANGELOG.md"),
    *sorted(REPOSITORY.glob("*/*.md")),
    REPOSITORY / "Makefile",
    *sorted(path for path in (REPOSITORY / "src").rglob("*") if path.suffix in (".py", ".js", ".j2")),
    *sorted(
        path for path in (REPOSITORY / "workflow").rglob("*") if path.suffix in (".smk", ".py", ".sh", ".yaml", ".rst")
    ),
    *sorted((REPOSITORY / "config").glob("*.yaml")),
]
OPTION_WITH_VALUE = {
    "--cores",
    "--configfile",
    "--config",
    "--profile",
    "--workflow-profile",
    "--executor",
    "--sdm",
    "--report",
    "-n",
}


def spans(path):
    """The commands of a file: text in backticks, and indented lines of Markdown."""
    text = path.read_text().replace("\\`", "`")
    if path.suffix == ".md":
        text = re.sub(r"```(?!sh).*?```", "", text, flags=re.S)
        for line in re.findall(r"^    (.*)$", text, flags=re.M):
            yield re.sub(r"\s+#.*", "", line)
    yield from re.findall(r"`([^`\n]+)`", text)


def commands(program):
    """(file, words) of every call of a program."""
    for path in TEXTS:
        for span in spans(path):
            words = re.sub(r"\.venv/bin/", "", span).split()
            if words[:1] == [program] and len(words) > 1 and "{" not in span:
                yield path.relative_to(REPOSITORY), words[1:]


def targets(words):
    """What a call of snakemake asks for: words that are neither options nor their values."""
    asked, words = [], list(words)
    while words:
        word = words.pop(0)
        if word in OPTION_WITH_VALUE:
            if words and word != "-n":
                words.pop(0)
        elif not word.startswith("-"):
            asked.append(word)
    return asked


@pytest.fixture(scope="module")
def rules():
    """The rules of one run, and those of two."""
    call = [Path(sys.executable).with_name("snakemake"), "--list-rules"]
    return {
        rule
        for several in ([], ["--config", "network=[scnet,bioplex]"])
        for rule in subprocess.run(
            [*call, *several], cwd=REPOSITORY, capture_output=True, text=True, check=True
        ).stdout.split()
    }


def test_snakemake_targets_exist(rules):
    seen = set()
    for path, words in commands("snakemake"):
        for target in targets(words):
            seen.add(target)
            is_file = re.fullmatch(r"results/nki/scnet/fits/[a-z0-9-]+/trial-\d\d/fold-\d\.json", target)
            # Defaults are compared on tcga alone, and its configuration alone has the rule.
            is_default = target == "defaults" and "cohort=tcga" in words
            assert is_file or is_default or target in rules, (
                f"{path} names `snakemake {' '.join(words)}`: no rule {target}"
            )
    assert {"controls", "simulations", "fit_sto_iht"} <= seen


def test_make_targets_exist():
    known = set(re.findall(r"^([a-z-]+):", (REPOSITORY / "Makefile").read_text(), flags=re.M))
    seen = set()
    for path, words in commands("make"):
        for target in [word for word in words if "=" not in word and not word.startswith("-")]:
            seen.add(target)
            assert target in known, f"{path} names `make {' '.join(words)}`: no target {target}"
    assert {"smoke", "test", "study", "report"} <= seen


def test_graphiht_commands_exist(capsys):
    seen = set()
    for path, words in commands("graphiht"):
        with pytest.raises(SystemExit) as ended:
            graphiht([words[0], "--help"])
        assert ended.value.code == 0, f"{path} names `graphiht {words[0]}`"
        known = set(re.findall(r"--[a-z-]+", capsys.readouterr().out))
        assert {word for word in words if word.startswith("--")} <= known, path
        seen.add(words[0])
    assert "fit" in seen


def test_pytest_paths_exist():
    seen = []
    for path in TEXTS:
        for span in spans(path):
            if "-m pytest" in span:
                seen += re.findall(r"tests/\S+", span)
    assert len(seen) >= 6
    for name in seen:
        assert (REPOSITORY / name).exists(), name
