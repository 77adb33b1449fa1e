"""The configuration: checked against its schema, completed with its defaults."""

from __future__ import annotations

import csv
import difflib
from pathlib import Path

import jsonschema
import yaml

from study.data.registry import COHORTS, NETWORKS, TRAINING, networks_of
from study.methods import ITERATIVE, STUDY
from study.run.errors import StudyError

# Values that a registry knows: the schema names the list instead of repeating it.
VALUES = {
    "study methods": STUDY,
    "iterative methods": ITERATIVE,
    "cohorts": TRAINING,
    "networks": list(NETWORKS),
}


def load_schema(path: str | Path) -> dict:
    """Return the JSON schema of the configuration, with the values that registries know filled in."""
    return _with_values(yaml.safe_load(Path(path).read_text(encoding="utf-8")))


def _with_values(node):
    if isinstance(node, dict):
        return {key: _with_values(VALUES[value] if _names_values(key, value) else value) for key, value in node.items()}
    return [_with_values(item) for item in node] if isinstance(node, list) else node


def _names_values(key: str, value: object) -> bool:
    return key in ("enum", "default") and isinstance(value, str) and value in VALUES


def complete(config: dict, schema: dict) -> dict:
    """Return `config` with every default of `schema` filled in; raise StudyError on anything not allowed."""
    validator = jsonschema.Draft202012Validator(schema)
    errors = sorted(validator.iter_errors(config), key=lambda error: list(map(str, error.absolute_path)))
    if errors:
        raise StudyError(" ".join(_sentence(error, schema) for error in errors))
    filled = _fill(config, schema)
    _check_cohort_keys(filled)
    return filled


def _fill(value: dict, schema: dict) -> dict:
    filled = dict(value)
    for key, rule in schema["properties"].items():
        if "default" in rule:
            filled.setdefault(key, rule["default"])
        if rule.get("type") == "object" and key in filled:
            filled[key] = _fill(filled[key], rule)
    return filled


def _sentence(error: jsonschema.ValidationError, schema: dict) -> str:
    key = ": ".join(map(str, error.absolute_path)) or "top level"
    if error.validator == "additionalProperties":
        allowed = list(error.schema["properties"])
        unknown = sorted(set(error.instance) - set(allowed), key=str)[0]
        near = difflib.get_close_matches(str(unknown), allowed, n=1, cutoff=0.5)
        where = "" if key == "top level" else f" under {key}"
        hint = f"did you mean {near[0]}?" if near else f"expected one of {', '.join(allowed)}."
        return f"config: unknown key {unknown}{where}; {hint}"
    if error.validator == "enum":
        allowed = ", ".join(map(str, error.validator_value))
        near = difflib.get_close_matches(str(error.instance), list(map(str, error.validator_value)), n=1)
        hint = f"; did you mean {near[0]}?" if near else "."
        return f"config: {key}: expected one of {allowed}; found {error.instance}{hint}"
    return f"config: {key}: {error.message}."


def _check_cohort_keys(config: dict) -> None:
    cohort, network = config["cohort"], config["network"]
    allowed = networks_of(cohort)
    if network not in allowed:
        raise StudyError(
            f"config: network: expected one of {', '.join(allowed)} with cohort {cohort}, found {network}."
        )
    for place in [*COHORTS[cohort].files.values(), *NETWORKS[network].files.values()]:
        kind, _, key = place.partition(":")
        if kind == "own" and key not in config["own"]:
            raise StudyError(f"config: own: expected the key {key} with cohort {cohort}, found none.")


def has_entrez(config: dict) -> bool:
    """Return whether any gene of the configured cohort goes by Entrez id; of an own cohort its header tells.

    A missing or unreadable table has none here: the rule that reads it says what is wrong with it.
    """
    if COHORTS[config["cohort"]].has_entrez:
        return True
    try:
        with open(config["own"]["expression"], newline="", encoding="utf-8") as stream:
            return any(name.strip().isdigit() for name in next(csv.reader(stream), [])[1:])
    except (OSError, UnicodeDecodeError, csv.Error):
        return False


def cohort_name(config: dict) -> str:
    """Return the name of the cohort's results folder: tables of one's own are named by their owner."""
    return config["own"]["name"] if COHORTS[config["cohort"]].is_own else config["cohort"]
