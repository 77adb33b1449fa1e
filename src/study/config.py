"""Read the configuration, complete it with its defaults, check it, and split it into runs."""

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
from study.methods import COVARIATES, unavailable

SCHEMA = "workflow/schemas/config.schema.yaml"
DEFAULT = "config/config.yaml"
# Keys of `own` that are paths, and keys that are folders: they count from the folder of the configuration.
PATHS = ("expression", "outcome", "edges")
FOLDERS = ("results", "reports")
# The names of all fold files are on the command line of some jobs.
MOST_FOLDS = 20_000
MOST_NAMED = 5


class _Loader(yaml.SafeLoader):
    """Loader that rejects duplicate keys."""

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
        raise StudyError(f"{path}: is no valid YAML: {why}. Correct it; config/smoke.yaml is an example.") from None
    if Path(path).read_bytes().startswith((b"\xff\xfe", b"\xfe\xff")):
        raise StudyError(f"{path}: is text in UTF-16. Save it as UTF-8.")
    if not isinstance(found, dict) or not all(isinstance(key, str) for key in found):
        raise StudyError(f"{path}: contains no settings. Write `cohort: own`.")
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
_TYPES = jsonschema.Draft202012Validator.TYPE_CHECKER.redefine_many({"integer": _is_integer, "number": _is_number})
_Validator = jsonschema.validators.extend(jsonschema.Draft202012Validator, type_checker=_TYPES)


def complete(config: dict, schema: dict) -> dict:
    """Return `config` with the defaults of `schema`; raise StudyError on anything not allowed.

    `snakemake.utils.validate` reports in many lines and suggests no key, so the same library is called directly.
    """
    errors = sorted(_Validator(schema).iter_errors(config), key=lambda error: list(map(str, error.absolute_path)))
    if errors:
        raise StudyError(" ".join(map(_sentence, errors)))
    filled = _with_defaults(config, schema)
    _check_runs(filled)
    # Unwrap one-element lists.
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
    key = ": ".join(map(str, error.absolute_path))
    found = shown(error.instance) if isinstance(error.instance, str) else shown(error.instance).strip("'\"")
    if error.validator == "additionalProperties":
        allowed = list(error.schema["properties"])
        unknown = sorted(set(error.instance) - set(allowed), key=str)
        return " ".join(_unknown_key(name, key, allowed) for name in unknown[:MOST_NAMED])
    if error.validator == "enum":
        allowed = list(map(str, error.validator_value))
        meant = _meant(error.instance, allowed)
        return f"config: {key}: unknown value {found.strip(chr(39))}{meant or '.'} Allowed: {', '.join(allowed)}."
    return f"config: {key or 'top level'}: {error.message.replace(repr(error.instance), found)}."


def _unknown_key(name: object, section: str, allowed: list[str]) -> str:
    hint = _meant(name, allowed) or f". Allowed: {', '.join(allowed)}."
    return f"config: unknown key {shown(name)[1:-1]}{section and f' under {section}'}{hint}"


def _meant(word: object, allowed: list[str]) -> str:
    near = difflib.get_close_matches(str(word), allowed, n=1, cutoff=0.5)
    return f"; did you mean {near[0]}?" if near else ""


def _check_runs(config: dict) -> None:
    cohorts, networks = _listed(config["cohort"]), _listed(config["network"])
    wrong = [(cohort, network) for cohort, network in product(cohorts, networks) if network not in networks_of(cohort)]
    if wrong:
        cohort, network = wrong[0]
        raise StudyError(
            f"config: network: {network} does not go with cohort {cohort}. Use one of {', '.join(networks_of(cohort))}."
        )
    places = [place for name in cohorts for place in COHORTS[name].files.values()]
    places += [place for name in networks for place in NETWORKS[name].files.values()]
    for kind, _, key in (place.partition(":") for place in places):
        if kind == "own" and key not in config["own"]:
            raise StudyError(f"config: own: the key {key} is missing. Name the file: `{key}: path`.")
    n_folds = config["trials"] * config["folds"] * len(config["methods"])
    if n_folds > MOST_FOLDS:
        raise StudyError(
            f"config: trials, folds, methods: {n_folds:,} folds of all methods are more than the {MOST_FOLDS:,} "
            "that one run can hold. Use fewer trials."
        )
    if covariates_of(config) and len(cohorts) > 1:
        raise StudyError("config: own: covariates: other cohorts have none. Set `cohort: own` alone.")
    if outcome_is_cox(config) and (config["outcome"].get("horizon") or "pooled" in cohorts):
        raise StudyError("config: outcome: model: cox goes with neither a horizon nor pooled cohorts.")
    if any(COHORTS[name].is_pooled for name in cohorts):
        pool, without = (set(config["pooled"][key]) for key in ("cohorts", "without"))
        if len(cohorts) * len(networks) > 1:
            raise StudyError("config: cohort: pooled cohorts run alone, on one network: their folds are cohorts.")
        if not without <= pool:
            raise StudyError("config: pooled: without names a cohort that is not under cohorts. Remove it there.")
        if len(pool - without) < 3:
            raise StudyError("config: pooled: without leaves too few cohorts. Keep at least 3 for training.")
    if "own" in cohorts and config["own"]["name"] in set(COHORTS) - {"own"}:
        raise StudyError(
            f"config: own: name: {config['own']['name']} is a shipped cohort, and both would write into one folder. "
            "Choose another name."
        )


def runnable(config: dict) -> tuple[dict, str]:
    """Return a complete configuration without methods that cannot run, and a sentence that says so.

    With covariates, the baseline of these alone is added.
    """
    is_cox, has_covariates = outcome_is_cox(config), bool(covariates_of(config))
    names = [*config["methods"], *config["permuted"]["methods"], *config["planted"]["methods"]]
    missing = unavailable(names, is_cox, has_covariates)

    def kept(names: list[str]) -> list[str]:
        return [name for name in names if name not in missing]

    groups: dict[str, list[str]] = {}
    for name, why in missing.items():
        # With Cox's model or covariates there are no experiments.
        if name in config["methods"] or not (is_cox or has_covariates):
            groups.setdefault(why, []).append(name)
    note = "config: methods: " + "; ".join(
        f"{', '.join(names)} {'is' if len(names) == 1 else 'are'} left out: {why}" for why, names in groups.items()
    )
    if not (methods := kept(config["methods"])):
        raise StudyError(f"{note}, and no other method is named.")
    if has_covariates and COVARIATES not in methods:
        methods.append(COVARIATES)
    rest = {key: config[key] | {"methods": kept(config[key]["methods"])} for key in ("permuted", "planted")}
    return config | rest | {"methods": methods}, f"{note}." if groups else ""


def outcome_is_cox(config: dict) -> bool:
    """Return whether a configuration asks for Cox's model."""
    return config["outcome"].get("model") == "cox"


def covariates_of(config: dict) -> list[str]:
    """Return the names of the covariates, which only an own cohort has."""
    return config["own"].get("covariates", []) if "own" in _listed(config["cohort"]) else []


def located(config: dict, files: list[str | Path], repository: Path, here: Path | None = None) -> dict:
    """Return a complete configuration with its paths resolved, and under `configfiles` the files it comes from.

    Paths count from the folder of the last file; without files from `here`, the working folder (default: the
    repository). In files of the repository's config/, own tables count from the repository, results from `here`.
    """
    root = repository.resolve()
    here = here or root
    absolute = [Path(os.path.abspath(file)) for file in files]
    named = [str(path.relative_to(root)) if path.is_relative_to(root) else str(path) for path in absolute]
    base = absolute[-1].parent if files else here
    is_shipped = base.resolve() in (root, root / "config")
    own_base, folder_base = (root, here) if is_shipped else (base, base)

    def placed(value: str, folder: Path) -> str:
        return value if folder == here else os.path.normpath(folder / value)

    own = {key: placed(value, own_base) for key, value in config["own"].items() if key in PATHS}
    config = config | {"own": config["own"] | own} | {key: placed(config[key], folder_base) for key in FOLDERS}
    paths = {key: config[key] for key in FOLDERS} | {f"own: {key}": config["own"].get(key, "") for key in PATHS}
    for key, path in paths.items():
        if not path.isprintable() or set(path) & set("{}<>"):
            raise StudyError(
                f"config: {key}: {shown(path, 200)} has braces, angle brackets or unprintable letters, which Snakemake "
                "cannot use. Rename the file or folder."
            )
    for key in FOLDERS:
        folder = Path(os.path.abspath(config[key]))
        nearest = next((place for place in (folder, *folder.parents) if os.path.lexists(place)), folder)
        if not nearest.is_dir() or not os.access(nearest, os.W_OK | os.X_OK):
            raise StudyError(f"config: {key}: cannot write to {nearest}. Name another folder.")
    return config | {"configfiles": [name for name in named if name != DEFAULT]}


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
    """Return the keys whose values depend on the cohort: the outcome and, of pooled cohorts, the folds."""
    row, asked = COHORTS[cohort], config["outcome"]
    usual = {"horizon": None, "censoring": "ipcw"} | ({} if outcome_is_cox(config) else row.outcome)
    outcome = {"outcome": usual | asked} | ({"scoring": "concordance"} if outcome_is_cox(config) else {})
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
