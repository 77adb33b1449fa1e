"""The configuration: checked against its schema, completed with its defaults."""

from __future__ import annotations

import difflib
import math
import re
from itertools import product
from pathlib import Path
from typing import NamedTuple

import jsonschema
import yaml

from graphiht.tables import shown
from study.data.registry import COHORTS, NETWORKS, POOLABLE, networks_of
from study.methods import ITERATIVE, STUDY
from study.errors import StudyError

# Values that a registry knows: the schema names the list instead of repeating it.
VALUES = {
    "study methods": STUDY,
    "iterative methods": ITERATIVE,
    "cohorts": list(COHORTS),
    "networks": list(NETWORKS),
    "poolable cohorts": POOLABLE,
}


# By what a job holds.
MOST_FOLDS = {"auto": 50_000, "trial": 50_000, "fold": 10_000}


def load_schema(path: str | Path) -> dict:
    """Return the JSON schema of the configuration, with the values that registries know filled in."""
    return _with_values(yaml.safe_load(Path(path).read_text(encoding="utf-8")))


def _with_values(node):
    if isinstance(node, dict):
        return {key: _with_values(VALUES[value] if _names_values(key, value) else value) for key, value in node.items()}
    return [_with_values(item) for item in node] if isinstance(node, list) else node


def _names_values(key: str, value: object) -> bool:
    return key in ("enum", "default") and isinstance(value, str) and value in VALUES


def _is_integer(checker: object, value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(checker: object, value: object) -> bool:
    return _is_integer(checker, value) or (isinstance(value, float) and math.isfinite(value))


# Stricter than JSON's: 2.0 counts nothing, and what is infinite or no number measures nothing.
_Validator = jsonschema.validators.extend(
    jsonschema.Draft202012Validator,
    type_checker=jsonschema.Draft202012Validator.TYPE_CHECKER.redefine_many(
        {"integer": _is_integer, "number": _is_number}
    ),
)


def complete(config: dict, schema: dict) -> dict:
    """Return `config` with every default of `schema` filled in; raise StudyError on anything not allowed."""
    validator = _Validator(schema)
    errors = sorted(validator.iter_errors(config), key=lambda error: list(map(str, error.absolute_path)))
    if errors:
        raise StudyError(" ".join(_sentence(error, schema) for error in errors))
    filled = _fill(config, schema)
    _check_runs(filled)
    # A list of one is that one.
    alone = {key: _listed(filled[key])[0] for key in ("cohort", "network") if len(_listed(filled[key])) == 1}
    return filled | alone


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
        return f"config: unknown key {shown(unknown)[1:-1]}{where}; {hint}"
    if error.validator == "enum":
        allowed = ", ".join(map(str, error.validator_value))
        near = difflib.get_close_matches(str(error.instance), list(map(str, error.validator_value)), n=1)
        hint = f"; did you mean {near[0]}?" if near else "."
        return f"config: {key}: expected one of {allowed}; found {shown(error.instance)[1:-1]}{hint}"
    found = f"{len(error.instance)} values" if error.validator in ("minItems", "maxItems") else shown(error.instance)
    if not isinstance(error.instance, str):
        found = found.strip("'")
    return f"config: {key}: expected {_expected(error.schema)}, found {found}."


# What a rule of the schema may ask for, in words.
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
    if wrong and len(cohorts) * len(networks) == 1:
        allowed = ", ".join(networks_of(cohorts[0]))
        raise StudyError(f"config: network: expected one of {allowed} with cohort {cohorts[0]}, found {networks[0]}.")
    if wrong:
        pairs = ", ".join(f"{cohort} on {network}" for cohort, network in wrong)
        possible = "; ".join(f"{name} on {', '.join(networks_of(name))}" for name in dict(wrong))
        raise StudyError(
            f"config: network: expected networks that every cohort of the list can be run on, found {pairs}; what can "
            f"be is {possible}. Take out what cannot, and run that cohort with a configuration of its own."
        )
    for row in [*(COHORTS[name] for name in cohorts), *(NETWORKS[name] for name in networks)]:
        for place in row.files.values():
            kind, _, key = place.partition(":")
            if kind == "own" and key not in config["own"]:
                raise StudyError(f"config: own: expected the key {key} with cohort own, found none.")
    if any(COHORTS[name].is_pooled for name in cohorts):
        _check_pooled(config["pooled"], len(cohorts) * len(networks))
    folds = len(cohorts) * len(networks) * config["trials"] * config["folds"] * len(config["methods"])
    if folds > MOST_FOLDS[config["jobs"]]:
        raise StudyError(
            f"config: trials, folds, methods: expected at most {MOST_FOLDS[config['jobs']]:,} folds of all methods and "
            f"runs together, which Snakemake can plan in a minute, found {folds:,}; take fewer trials."
        )
    others = [name for name in cohorts if not COHORTS[name].is_own]
    if len(others) < len(cohorts) and config["own"]["name"] in others:
        raise StudyError(
            f"config: own: name: expected a name that no other cohort of the list has, found {config['own']['name']}; "
            "both would write into one folder."
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


def cohort_name(config: dict) -> str:
    """Return the name of the cohort's results folder: tables of one's own are named by their owner."""
    return config["own"]["name"] if COHORTS[config["cohort"]].is_own else config["cohort"]


class Part(NamedTuple):
    """A part of what a configuration asks for, with rules of its own: a cohort, or a run of one on a network.

    Attributes
    ----------
    name : str
        No name in Python, so that it is no other one's.
    prefix : str
        What the names of its rules begin with; empty where there is one run.
    folder : str
        Where its results are.
    config : dict
        The configuration with one cohort and one network; of a cohort that of its first run.
    """

    name: str
    prefix: str
    folder: str
    config: dict


def runs(config: dict) -> list[Part]:
    """Return every cohort on every network of a complete configuration; among several each has a report of its own."""
    pairs = list(product(_listed(config["cohort"]), _listed(config["network"])))
    parts = []
    for cohort, network in pairs:
        one = config | {"cohort": cohort, "network": network} | _of_cohort(cohort, config)
        names = [cohort_name(one), network]
        if len(pairs) > 1:
            one["reports"] = f"{config['reports']}/{'-'.join(names)}"
        prefix = _prefix(*names) if len(pairs) > 1 else ""
        parts.append(Part(f"run {'/'.join(names)}", prefix, f"{config['results']}/{'/'.join(names)}", one))
    return parts


def _of_cohort(cohort: str, config: dict) -> dict:
    """Return the keys whose values depend on the cohort: the outcome, and, where folds are cohorts, their numbers.

    Under `pooled` the cohorts that each round of training uses are added.
    """
    row = COHORTS[cohort]
    outcome = {"outcome": {"horizon": None, "censoring": "ipcw"} | row.outcome | config["outcome"]}
    if not row.is_pooled:
        return outcome
    pool, without = config["pooled"]["cohorts"], config["pooled"]["without"]
    rounds = [pool, [name for name in pool if name not in without]][: 2 if without else 1]
    folds = {"trials": len(rounds), "folds": len(pool), "inner_folds": len(pool) - 1}
    return outcome | folds | {"pooled": config["pooled"] | {"rounds": rounds}}


def cohorts(runs: list[Part]) -> list[Part]:
    """Return the cohorts of some runs."""
    first: dict[str, dict] = {}
    for run in runs:
        first.setdefault(cohort_name(run.config), run.config)
    return [
        Part(f"cohort {name}", _prefix(name) if len(runs) > 1 else "", f"{one['results']}/{name}", one)
        for name, one in first.items()
    ]


def _prefix(*names: str) -> str:
    return "".join(re.sub(r"\W", "_", f"{name}_") for name in names)


def _listed(value: str | list[str]) -> list[str]:
    return value if isinstance(value, list) else [value]
