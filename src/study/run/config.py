"""The configuration: checked against its schema, completed with its defaults."""

from __future__ import annotations

import difflib
from pathlib import Path

import jsonschema
import yaml

from study.run.errors import StudyError


def load_schema(path: str | Path) -> dict:
    """Return the JSON schema of the configuration."""
    return yaml.safe_load(Path(path).read_text(encoding="utf-8"))


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
    own = config["cohort"] == "own"
    if own and config["network"] not in ("own", "coexpression"):
        raise StudyError(
            f"config: network: expected own or coexpression with cohort own, found {config['network']}."
        )
    if config["network"] == "published" and config["cohort"] != "published":
        raise StudyError(
            f"config: network: published needs cohort published, found cohort {config['cohort']}."
        )
    if not own and config["network"] == "own":
        raise StudyError(f"config: network: own needs cohort own, found cohort {config['cohort']}.")
    if own:
        needed = ["expression", "outcome"] + (["edges"] if config["network"] == "own" else [])
        missing = [key for key in needed if key not in config["own"]]
        if missing:
            raise StudyError(f"config: own: expected the key {missing[0]} with cohort own, found none.")


def cohort_name(config: dict) -> str:
    """Return the name of the cohort's results folder."""
    return config["own"]["name"] if config["cohort"] == "own" else config["cohort"]
