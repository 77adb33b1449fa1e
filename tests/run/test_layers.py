"""The packages of `study` read bottom-up, and the workflow uses documented names of Snakemake only."""

import ast
import re

from conftest import REPOSITORY

SRC = REPOSITORY / "src"
# Bottom to top: a module imports from lower layers and from its own.
LAYERS = (
    {"errors"},
    {"io", "command"},
    {"methods", "metrics", "tables"},
    {"data"},
    {"config"},
    {"stats"},
    {"cv"},
    {"evidence", "simulation"},
    {"figures"},
    {"report"},
    {"run"},
)
LEVEL = {name: level for level, layer in enumerate(LAYERS) for name in layer}


def imported(path):
    """The modules of `study` that a file imports, anywhere in it."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "study":
            for alias in node.names:
                yield f"{node.module}.{alias.name}".split(".")[1]
        elif isinstance(node, ast.Import):
            yield from (alias.name.split(".")[1] for alias in node.names if alias.name.startswith("study."))


def test_imports_go_down():
    for path in (SRC / "study").rglob("*.py"):
        own = path.relative_to(SRC / "study").parts[0].removesuffix(".py")
        if own != "__init__":
            upward = {name for name in imported(path) if name != own and LEVEL[name] >= LEVEL[own]}
            assert not upward, f"{path.relative_to(SRC)} imports {upward}"


def test_the_library_does_not_know_the_study():
    for path in (SRC / "graphiht").rglob("*.py"):
        found = set(re.findall(r"^(?:from|import) (study\S*)", path.read_text(), flags=re.M))
        assert not found, path


# Attributes and functions of Snakemake that the workflow uses. All are documented but `overwrite_configfiles`, the only
# way to the folder of a --configfile, from which paths in it count, and `current_basedir`, the only way to the folder
# of a module.
NAMES = {
    "workflow.current_basedir",
    "workflow.cores",
    "workflow.overwrite_configfiles",
    "shell.prefix",
    "snakemake.utils.min_version",
    "snakemake.exceptions.WorkflowError",
}


def test_only_listed_names_of_snakemake_are_used():
    used = set()
    for path in [
        REPOSITORY / "Snakefile",
        *(REPOSITORY / "workflow").rglob("*.smk"),
        REPOSITORY / "workflow/Snakefile",
    ]:
        text = re.sub(r"#.*", "", path.read_text())
        used |= set(re.findall(r"\b((?:workflow|shell)\.[a-z_]+)\b(?![\w/])", text)) - {"workflow.rst"}
        used |= {f"{module}.{name}" for module, name in re.findall(r"from (snakemake\S*) import (\w+)", text)}
        assert not re.findall(r"\b(?:set_input|forcefiles|_group)\b", text), path
    assert used == NAMES
    for path in SRC.rglob("*.py"):
        assert not re.search(r"^\s*(?:from|import) snakemake", path.read_text(), flags=re.M), path
