"""What every rule was measured to cost (data/costs.csv), and what a configuration costs by that.

A rule's processor time grows with its jobs, with the folds it fits or reads, and with the units of its work: fits,
permutations, random gene sets. The table is written from runs of known configurations by
`python -m study.run.costs`, see CONTRIBUTING.md. Imports nothing heavy, because the Snakefile reads it.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import NamedTuple

from study import methods

FILE = "data/costs.csv"
# The study that fits were measured in.
PATIENTS, GENES = 295, 1894


class Cost(NamedTuple):
    """Processor seconds of a rule: of each job, each fold, each unit; and the megabytes of its largest job."""

    per_job: float
    per_fold: float
    per_unit: float
    mem_mb: float


# Of a rule that nobody has measured yet: for a cluster to be asked for, and for a plan.
UNKNOWN, NO_COST = Cost(60.0, 0.0, 0.0, 500.0), Cost(0.0, 0.0, 0.0, 0.0)
# Snakemake itself: seconds for each job, and, in place of a fold, to start.
SNAKEMAKE = "snakemake"


class Size(NamedTuple):
    """How much a rule has to do."""

    folds: float
    units: float


NOTHING = Size(0, 0)


def read(path: str | Path) -> dict[str, Cost]:
    """Return the table, by rule; an empty one if there is none."""
    if not Path(path).is_file():
        return {}
    with open(path, newline="", encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    return {row.pop("rule"): Cost(**{key: float(value) for key, value in row.items()}) for row in rows}


def rule_of(name: str) -> str:
    """Return the rule that fits a method or a shared part."""
    part = name.removeprefix(methods.SHARED)
    return methods.METHODS[name].rule if part == name else f"share_{part}"


def sizes(config: dict, patients: int | None = None, genes: int | None = None) -> dict[str, Size]:
    """Return how much every rule of a run has to do, if it is more than to read and write a few files."""
    outer, inner = 1 - 1 / config["folds"], 1 - 1 / config["inner_folds"]
    folds = config["trials"] * config["folds"]
    found = {}
    parts = {methods.METHODS[name].shared_part(config["n_blocks"]) for name in config["methods"]} - {None}
    for name in [*config["methods"], *(f"{methods.SHARED}{part}" for part in parts)]:
        fits = methods.n_fits(name, config) * _length(name, config, patients, genes)
        found[rule_of(name)] = Size(folds, fits * outer * inner / 0.64)
    for name in config["methods"]:
        fits = config["inner_folds"] * methods.METHODS[name].n_points(config, shared=True) + 1
        fits *= _length(name, config, patients, genes)
        found[rule_of(name).replace("fit_", "fit_final_")] = Size(1, fits * inner / 0.64)
    read_by = Size(folds * len(config["methods"]), 0)
    found |= dict.fromkeys(READ_FOLDS, read_by)
    found["permute_outcomes"] = Size(0, config["permutations"] * outer / 0.64)
    found["evidence_external"] = Size(0, config["random_sets"])
    found[SNAKEMAKE] = Size(1, 0)
    return found


def _length(name: str, config: dict, patients: int | None, genes: int | None) -> float:
    """Return how long a fit is beside one of the NKI study.

    By what the pooled study took, a regression on all genes grows with the matrix, while the other methods hardly do,
    whose passes over it are a small part. With more epochs more fits stop before, so that time grows like the root.
    """
    more_patients, more_genes = (patients or PATIENTS) / PATIENTS, (genes or GENES) / GENES
    row = methods.METHODS[methods.PARTS[name.removeprefix(methods.SHARED)] if name.startswith(methods.SHARED) else name]
    if row.C:
        return more_patients * more_genes**0.6
    return more_patients**0.35 * ((max(config["epochs"]) / 100) ** 0.5 if row.iterates else 1.0)


# Rules that read every fold, or tables with a row for each.
READ_FOLDS = ("collect", "collect_timings", "crate", "evidence_differences", "evidence_genes", "evidence_left_out")
READ_FOLDS += ("evidence_patients", "report")


def seconds_of(cost: Cost, size: Size, jobs: int) -> float:
    """Return the processor seconds of some jobs of a rule that together have this to do."""
    return cost.per_job * jobs + cost.per_fold * size.folds + cost.per_unit * size.units


def seconds_of_fits(table: dict[str, Cost], name: str, config: dict, patients: int | None) -> float:
    """Return the processor seconds of the fits of a method or a shared part, without starting jobs; 0 if unknown."""
    rule = rule_of(name)
    return seconds_of(table.get(rule, NO_COST), sizes(config, patients).get(rule, NOTHING), 0)


def seconds_of_run(table: dict[str, Cost], config: dict, patients: int, genes: int) -> float:
    """Return the processor seconds of a run, near enough: every rule that was measured, of fits those it has."""
    work = sizes(config, patients, genes)
    fits = {rule for rule in table if rule.startswith(("fit_", "share_"))}
    total = 0.0
    for rule, cost in table.items():
        if rule in work or rule not in fits:
            seconds = seconds_of(cost, work.get(rule, NOTHING), 0)
            total += seconds + cost.per_job * (config["trials"] if rule == "split" or seconds > JOB_SECONDS else 1)
    return total


# Of a job that holds all trials of a method; more are a job for each trial.
JOB_SECONDS = 60
