"""The configuration: read, completed with its defaults, checked, and split into runs."""

from __future__ import annotations

import difflib
import json
import math
import os
import shlex
from functools import cache
from itertools import product
from pathlib import Path
from typing import NamedTuple

import jsonschema
import yaml

from graphiht.tables import TableError, check_file, read_text, shown
from study.data.registry import COHORTS, NETWORKS, networks_of
from study.errors import StudyError

SCHEMA = "workflow/schemas/config.schema.yaml"
DEFAULT = "config/config.yaml"
# Keys of `own` that are paths, and keys that are folders: they count from the folder of the configuration.
PATHS = ("expression", "outcome", "edges")
FOLDERS = ("results", "reports")
SETTINGS_FILE = "settings.json"
# Keys that fits do not depend on: more methods or trials keep what is finished.
NOT_OF_FITS = ("cohort", "network", "published", "trials", "jobs", "methods", "controls", "permuted", "planted")
NOT_OF_FITS += ("random_sets", "simulations", *FOLDERS, "configfiles", "own")
OF_OWN_FITS = ("genes_in", "transform", "missing", "duplicates", "unknown_genes", "event", "time")


class _Loader(yaml.SafeLoader):
    """YAML in which every key stands once."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict:
        names = [key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode) and key.value != "<<"]
        twice = [name for name in names if names.count(name) > 1]
        if twice:
            raise yaml.YAMLError(f"the key {twice[0]} appears twice")
        return super().construct_mapping(node, deep)


def read(path: str | Path) -> dict:
    """Return the content of a configuration in YAML or JSON."""
    try:
        check_file(str(path))
        text = read_text(str(path))
        found = json.loads(text) if str(path).endswith(".json") else yaml.load(text, _Loader)
    except TableError as error:
        raise StudyError(f"{str(error).removesuffix('.')} (a configuration, like config/smoke.yaml).") from None
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        why = shown(" ".join(str(error).split()), 150)[1:-1]
        raise StudyError(f"{path}: expected a configuration in YAML, found otherwise: {why}.") from None
    if Path(path).read_bytes().startswith((b"\xff\xfe", b"\xfe\xff")):
        raise StudyError(f"{path}: expected a configuration in UTF-8, found UTF-16; save it as UTF-8.")
    if not isinstance(found, dict) or not all(isinstance(key, str) for key in found):
        raise StudyError(f"{path}: expected keys and values, like `cohort: own`, found none.")
    return found


def load(path: str | Path, repository: Path) -> dict:
    """Return the complete configuration of a run with `--configfile path` in the repository."""
    config = merged(read(repository / DEFAULT), read(path))
    return located(complete(config, load_schema(repository)), [path], repository)


def merged(under: dict, over: dict) -> dict:
    """Return a configuration on top of another, as Snakemake merges them."""
    both = [key for key in over if isinstance(over[key], dict) and isinstance(under.get(key), dict)]
    return {**under, **over, **{key: merged(under[key], over[key]) for key in both}}


@cache
def load_schema(repository: Path) -> dict:
    """Return the JSON schema of the configuration."""
    text = (repository / SCHEMA).read_text(encoding="utf-8")
    # PyYAML's own parser takes half a second.
    return yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def _is_integer(checker: object, value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(checker: object, value: object) -> bool:
    return _is_integer(checker, value) or (isinstance(value, float) and math.isfinite(value))


# Stricter than JSON: 2.0 is no count, and infinity no number.
_Validator = jsonschema.validators.extend(
    jsonschema.Draft202012Validator,
    type_checker=jsonschema.Draft202012Validator.TYPE_CHECKER.redefine_many(
        {"integer": _is_integer, "number": _is_number}
    ),
)


def complete(config: dict, schema: dict) -> dict:
    """Return `config` with the defaults of `schema`; raise StudyError on anything not allowed.

    `snakemake.utils.validate` reports in many lines and suggests no key, so the same library is called directly.
    """
    errors = sorted(_Validator(schema).iter_errors(config), key=lambda error: list(map(str, error.absolute_path)))
    if errors:
        raise StudyError(" ".join(map(_sentence, errors)))
    filled = _with_defaults(config, schema)
    _check_runs(filled)
    # A list of one is that one.
    alone = {key: _listed(filled[key])[0] for key in ("cohort", "network") if len(_listed(filled[key])) == 1}
    return filled | alone


def _with_defaults(value: dict, schema: dict) -> dict:
    filled = dict(value)
    for key, rule in schema["properties"].items():
        if "default" in rule:
            filled.setdefault(key, rule["default"])
        if rule.get("type") == "object" and key in filled:
            filled[key] = _with_defaults(filled[key], rule)
    return filled


def _sentence(error: jsonschema.ValidationError) -> str:
    key = ": ".join(map(str, error.absolute_path)) or "top level"
    if error.validator == "additionalProperties":
        allowed = list(error.schema["properties"])
        unknown = sorted(set(error.instance) - set(allowed), key=str)[0]
        near = difflib.get_close_matches(str(unknown), allowed, n=1, cutoff=0.5)
        where = "" if key == "top level" else f" under {key}"
        hint = f"did you mean {near[0]}?" if near else f"expected one of {', '.join(allowed)}."
        return f"config: unknown key {shown(unknown)[1:-1]}{where}; {hint}"
    found = shown(error.instance)
    found = found if isinstance(error.instance, str) else found.strip("'")
    if error.validator == "enum":
        allowed = list(map(str, error.validator_value))
        near = difflib.get_close_matches(str(error.instance), allowed, n=1)
        hint = f"; did you mean {near[0]}?" if near else "."
        return f"config: {key}: expected one of {', '.join(allowed)}; found {found.strip(chr(39))}{hint}"
    if error.validator in ("minItems", "maxItems"):
        found = f"{len(error.instance)} values"
    return f"config: {key}: expected {_expected(error.schema)}, found {found}."


KINDS = {
    "integer": "a whole number",
    "number": "a finite number",
    "string": "text",
    "boolean": "true or false",
    "array": "a list",
    "object": "keys and values",
    "null": "null",
}
WORDS = {
    "minimum": "of at least {}",
    "exclusiveMinimum": "over {}",
    "maximum": "of at most {}",
    "minLength": "of at least {} letters",
    "maxLength": "of at most {} letters",
    "pattern": "that fits {}",
    "minItems": "of at least {} values",
    "maxItems": "of at most {} values",
    "uniqueItems": "without repetitions",
}


def _expected(rule: dict) -> str:
    """Return in words what a rule of the schema asks for."""
    kinds = rule.get("type", "array")
    kinds = " or ".join(KINDS[kind] for kind in (kinds if isinstance(kinds, list) else [kinds]))
    return " ".join([kinds, " and ".join(WORDS[key].format(rule[key]) for key in WORDS if key in rule)]).strip()


def _check_runs(config: dict) -> None:
    cohorts, networks = _listed(config["cohort"]), _listed(config["network"])
    wrong = [(cohort, network) for cohort, network in product(cohorts, networks) if network not in networks_of(cohort)]
    if wrong:
        cohort, network = wrong[0]
        raise StudyError(
            f"config: network: expected one of {', '.join(networks_of(cohort))} with cohort {cohort}, found {network}."
        )
    for row in [*(COHORTS[name] for name in cohorts), *(NETWORKS[name] for name in networks)]:
        for place in row.files.values():
            kind, _, key = place.partition(":")
            if kind == "own" and key not in config["own"]:
                raise StudyError(f"config: own: expected the key {key} with cohort own, found none.")
    if any(COHORTS[name].is_pooled for name in cohorts):
        _check_pooled(config["pooled"], len(cohorts) * len(networks))
    if "own" in cohorts and config["own"]["name"] in COHORTS and config["own"]["name"] != "own":
        raise StudyError(
            f"config: own: name: expected a name that no other cohort has, found {config['own']['name']}; both would "
            "write into one folder."
        )


def _check_pooled(pooled: dict, n_runs: int) -> None:
    if n_runs > 1:
        raise StudyError(
            "config: cohort: expected pooled cohorts alone, on one network, because their folds are cohorts, found "
            "them in a list; run them with a configuration of their own."
        )
    unknown = sorted(set(pooled["without"]) - set(pooled["cohorts"]))
    if unknown:
        raise StudyError(f"config: pooled: without: expected some of the cohorts, found {unknown[0]}.")
    left = len(pooled["cohorts"]) - len(pooled["without"])
    if left < 3:
        raise StudyError(
            "config: pooled: expected at least 3 cohorts to train on, so that one can be left out and two tell which "
            f"settings are best, found {left}."
        )


def located(config: dict, files: list[str | Path], repository: Path) -> dict:
    """Return a complete configuration with its paths resolved, and under `configfiles` the files it comes from.

    Paths count from the folder of the last file; those of files in config/ count from the repository.
    """
    root = repository.resolve()
    absolute = [Path(os.path.abspath(file)) for file in files]
    named = [str(path.relative_to(root)) if path.is_relative_to(root) else str(path) for path in absolute]
    base = absolute[-1].parent if files else root
    if base.resolve() not in (root, root / "config"):
        own = {key: os.path.normpath(base / value) for key, value in config["own"].items() if key in PATHS}
        config = config | {"own": config["own"] | own} | {key: os.path.normpath(base / config[key]) for key in FOLDERS}
    paths = {key: config[key] for key in FOLDERS} | {f"own: {key}": config["own"].get(key, "") for key in PATHS}
    for key, path in paths.items():
        if not path.isprintable() or set(path) & set("{}<>"):
            raise StudyError(
                f"config: {key}: expected a path without braces, angle brackets and unprintable letters, which "
                f"Snakemake cannot use, found {shown(path, 200)}."
            )
    for key in FOLDERS:
        _check_folder(key, Path(os.path.abspath(config[key])))
    return config | {"configfiles": named}


def _check_folder(key: str, folder: Path) -> None:
    """Raise StudyError unless results can be written to a folder."""
    nearest = next((place for place in (folder, *folder.parents) if os.path.lexists(place)), folder)
    if not nearest.is_dir() or not os.access(nearest, os.W_OK | os.X_OK):
        why = "cannot be written" if nearest.is_dir() else "is not a folder"
        raise StudyError(
            f"config: {key}: expected a folder to write to, found {folder}: {nearest} {why}; name another."
        )


class Run(NamedTuple):
    """A cohort on a network: names of its folders, and the configuration with one cohort and one network."""

    cohort: str
    network: str
    config: dict

    @property
    def folder(self) -> str:
        """The folder of its results."""
        return f"{self.config['results']}/{self.cohort}/{self.network}"

    @property
    def report(self) -> str:
        """Its report."""
        return f"{self.config['reports']}/{self.cohort}-{self.network}/report.html"


def runs(config: dict) -> list[Run]:
    """Return every cohort on every network of a complete configuration."""
    found = []
    for cohort, network in product(_listed(config["cohort"]), _listed(config["network"])):
        one = config | {"cohort": cohort, "network": network} | _of_cohort(cohort, config)
        found.append(Run(cohort_name(one), network, one))
    return found


def cohort_name(config: dict) -> str:
    """Return the name of the cohort's results folder; the user names an own cohort."""
    return config["own"]["name"] if COHORTS[config["cohort"]].is_own else config["cohort"]


def _of_cohort(cohort: str, config: dict) -> dict:
    """Return the keys whose values depend on the cohort.

    The outcome; of pooled cohorts, whose folds are cohorts, also the numbers of folds and the cohorts of each round.
    """
    row = COHORTS[cohort]
    outcome = {"outcome": {"horizon": None, "censoring": "ipcw"} | row.outcome | config["outcome"]}
    if not row.is_pooled:
        return outcome
    pool, without = config["pooled"]["cohorts"], config["pooled"]["without"]
    rounds = [pool, [name for name in pool if name not in without]][: 2 if without else 1]
    folds = {"trials": len(rounds), "folds": len(pool), "inner_folds": len(pool) - 1}
    return outcome | folds | {"pooled": config["pooled"] | {"rounds": rounds}}


def _listed(value: str | list[str]) -> list[str]:
    return value if isinstance(value, list) else [value]


def resume_command(config: dict, command: str = "make study", *more: str) -> str:
    """Return a command for the configuration at hand, to be pasted in the repository."""
    files = [shlex.quote(file) for file in config.get("configfiles", []) if file != DEFAULT]
    program, _, target = command.partition(" ")
    if program == "make":
        return " ".join([command, *(f"CONFIG={file}" for file in files[-1:]), *more])
    # Before the target, --configfile would take the target for another file.
    words = [".venv/bin/snakemake", *([target] if target else []), *(["--configfile", *files] if files else [])]
    return " ".join([*words, *more])


def fit_identity(config: dict) -> dict:
    """Return the settings that the fits of a run depend on."""
    own = {f"own: {key}": config["own"].get(key) for key in OF_OWN_FITS} if config["cohort"] == "own" else {}
    return {key: value for key, value in config.items() if key not in NOT_OF_FITS} | own


def check_finished(run: Run) -> None:
    """Raise StudyError if a run would replace fits of other settings, or leave finished fits out of its tables."""
    folder, config = Path(run.folder), run.config
    finished = list(folder.glob("fits/*/trial-*/fold-*.json"))
    if not finished:
        return
    settings = folder / SETTINGS_FILE
    then = json.loads(settings.read_text(encoding="utf-8")) if settings.is_file() else {}
    changed = [
        f"{key} {then[key]} (now {value})"
        for key, value in fit_identity(config).items()
        if key in then and then[key] != value
    ]
    apart = resume_command(config, "snakemake", "--config", "results=results/other", "reports=reports/other")
    if changed:
        raise StudyError(
            f"config: {folder} holds fits of other settings, which this run would replace: {'; '.join(changed)}. To "
            f"keep both: {apart}. To replace them: rm -r {shlex.quote(str(folder))}"
        )
    lost = sorted({path.parts[-3] for path in finished} - set(config["methods"]))
    trials = {path.parts[-2] for path in finished}
    lost += sorted(trials - {f"trial-{number:02d}" for number in range(1, config["trials"] + 1)})
    if lost:
        raise StudyError(
            f"config: methods, trials: {folder}/fits holds results of {', '.join(lost)}, which the configuration "
            f"leaves out, so the tables would lose them. To drop one for good, delete its folder. To keep both: {apart}"
        )
