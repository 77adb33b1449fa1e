"""The file of a configuration: read, its paths found, and named in what a user is told to do."""

from __future__ import annotations

import json
import os
import shlex
import sys
from pathlib import Path

import yaml

from graphiht.tables import TableError, check_file, read_text, shown
from study.run.config import complete, load_schema
from study.errors import StudyError

# Keys that are paths: they count from the folder of the configuration.
PATHS = ("expression", "outcome", "edges")
FOLDERS = ("results", "reports")
# Where no study belongs, whoever runs it.
SYSTEM = tuple(f"/{name}/" for name in ("bin", "boot", "dev", "etc", "lib", "lib64", "proc", "sbin", "sys", "usr"))
SCHEMA = "workflow/schemas/config.schema.yaml"
DEFAULT = "config/config.yaml"


# Far more than any configuration has; aliases are counted as often as they stand for something.
MOST_BYTES, MOST_VALUES = 100_000, 100_000
# A key by which Snakemake runs what stands in a configuration as a program, before it reads the workflow.
TEMPLATES = "__use_yte__"


class _Loader(yaml.SafeLoader):
    """YAML in which every key stands once."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict:
        names = [key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode) and key.value != "<<"]
        twice = [name for name in names if names.count(name) > 1]
        if twice:
            raise yaml.YAMLError(f"found the key {twice[0]} twice")
        return super().construct_mapping(node, deep)


def read(path: str | Path) -> dict:
    """Return what a YAML or JSON file says, or say in one sentence why it cannot be read."""
    try:
        check_file(str(path))
        if Path(path).stat().st_size > MOST_BYTES:
            raise StudyError(f"{path}: expected a configuration of at most {MOST_BYTES:,} bytes, found a larger file.")
        text = read_text(str(path))
        found = json.loads(text) if str(path).endswith(".json") else yaml.load(text, _Loader)
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
    if TEMPLATES in found:
        raise StudyError(
            f"{path}: expected values, found {TEMPLATES}: with that key Snakemake runs what stands in the file as a "
            "program; take it out."
        )
    _check_extent(path, found)
    return found


def _check_extent(path: str | Path, found: dict) -> None:
    """Raise StudyError at a few lines that stand for millions of values."""
    todo, n_values = [found], 0
    while todo:
        value = todo.pop()
        n_values += 1
        if n_values > MOST_VALUES:
            raise StudyError(f"{path}: expected a configuration of at most {MOST_VALUES:,} values, found more.")
        todo += value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


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
        return _checked(config | {"configfiles": named})
    own = {key: os.path.normpath(base / value) if key in PATHS else value for key, value in config["own"].items()}
    folders = {key: os.path.normpath(base / config[key]) for key in FOLDERS}
    return _checked(config | {"own": own, "configfiles": named} | folders)


def _checked(config: dict) -> dict:
    """Return a configuration whose paths can be used."""
    paths = {key: config[key] for key in FOLDERS}
    paths |= {f"own: {key}": config["own"][key] for key in PATHS if key in config["own"]}
    for key, path in paths.items():
        if not path.isprintable() or "{" in path or "}" in path:
            raise StudyError(
                f"config: {key}: expected a path without braces, which Snakemake takes for placeholders, and without "
                f"what cannot be printed, found {shown(path, 200)}."
            )
    for key in FOLDERS:
        _check_folder(key, Path(os.path.abspath(config[key])))
    return config


def _check_folder(key: str, folder: Path) -> None:
    """Raise StudyError unless results may be written there."""
    there = next((place for place in (folder, *folder.parents) if os.path.lexists(place)), folder)
    if folder == folder.parent or f"{folder.resolve()}/".startswith(SYSTEM):
        why = "one of the system"
    elif not there.is_dir():
        why = f"{shown(there, 200)[1:-1]}, which is no folder"
    elif not os.access(there, os.W_OK | os.X_OK):
        why = f"one below {shown(there, 200)[1:-1]}, which cannot be written"
    else:
        return
    raise StudyError(
        f"config: {key}: expected a folder to write to, found {shown(folder, 200)[1:-1]}: {why}; name another."
    )


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
