"""The file of a configuration: read, its paths found, and named in what a user is told to do."""

from __future__ import annotations

import json
import os
import shlex
import sys
from pathlib import Path

import yaml

from graphiht.tables import TableError, read_text, shown
from study.run.config import complete, load_schema
from study.run.errors import StudyError

# Keys that are paths: they count from the folder of the configuration.
PATHS = ("expression", "outcome", "edges")
SCHEMA = "workflow/schemas/config.schema.yaml"
DEFAULT = "config/config.yaml"


def read(path: str | Path) -> dict:
    """Return what a YAML or JSON file says, or say in one sentence why it cannot be read."""
    try:
        text = read_text(str(path))
        found = json.loads(text) if str(path).endswith(".json") else yaml.safe_load(text)
    except TableError as error:
        raise StudyError(f"{str(error).removesuffix('.')} (a configuration, like config/smoke.yaml).") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        said = " ".join(str(error).split())
        raise StudyError(
            f"{path}: expected a configuration in YAML, found otherwise: {shown(said, 150)[1:-1]}."
        ) from None
    if Path(path).read_bytes().startswith((b"\xff\xfe", b"\xfe\xff")):
        # Tables may have it; Snakemake reads configurations in UTF-8 alone.
        raise StudyError(f"{path}: expected a configuration in UTF-8, found UTF-16; save it as UTF-8.")
    if not isinstance(found, dict) or not all(isinstance(key, str) for key in found):
        raise StudyError(f"{path}: expected keys and values, like `cohort: own`, found none.")
    return found


def merged(under: dict, over: dict) -> dict:
    """Return a configuration on top of another, as Snakemake joins them."""
    both = {key: merged(under[key], over[key]) for key in over if _are_dicts(under.get(key), over[key])}
    return {**under, **over, **both}


def _are_dicts(*values: object) -> bool:
    return all(isinstance(value, dict) for value in values)


def load(path: str | Path, repository: Path) -> dict:
    """Return the configuration that a run with `--configfile path` in the repository has."""
    config = merged(read(repository / DEFAULT), read(path))
    return placed(complete(config, load_schema(repository / SCHEMA)), [Path(path)], repository)


def placed(config: dict, files: list[Path], repository: Path) -> dict:
    """Return a complete configuration with its paths found, and under `configfiles` the files it comes from.

    Paths count from the folder of the last file, those of files in the repository's own folder config/ from the
    repository, in which Snakemake runs.
    """
    root = repository.resolve()
    named = [_from_repository(file, root) for file in files]
    base = Path(os.path.abspath(files[-1])).parent if files else root
    if base.resolve() in (root, root / "config"):
        return config | {"configfiles": named}
    own = {key: os.path.normpath(base / value) if key in PATHS else value for key, value in config["own"].items()}
    folders = {key: os.path.normpath(base / config[key]) for key in ("results", "reports")}
    return config | {"own": own, "configfiles": named} | folders


def _from_repository(file: Path, root: Path) -> str:
    path = Path(os.path.abspath(file))
    return path.resolve().relative_to(root).as_posix() if path.resolve().is_relative_to(root) else str(path)


def again(config: dict, command: str, *more: str) -> str:
    """Return a command for the configuration at hand, to be pasted in the repository.

    `make study` and the like get their CONFIG, snakemake its --configfile, behind the target: before it, the target
    would be taken for another file.
    """
    files = [shlex.quote(file) for file in config.get("configfiles", []) if file != DEFAULT]
    program, _, target = command.partition(" ")
    if program == "make":
        return " ".join([command, *(f"CONFIG={file}" for file in files[-1:]), *more])
    words = [".venv/bin/snakemake", *([target] if target else []), *(["--configfile", *files] if files else [])]
    return " ".join([*words, *more])


if __name__ == "__main__":
    # Before Snakemake starts: it would say the same in many lines, or, told to be quiet, not at all.
    try:
        load(sys.argv[1], Path(__file__).parents[3])
    except StudyError as error:
        sys.exit(f"error: {error}")
