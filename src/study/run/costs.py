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
# The study that fits were measured in. More patients or genes make a fit longer.
PATIENTS, GENES = 295, 1894


class Cost(NamedTuple):
    """Processor seconds of a rule: of each job, each fold, each unit; and the megabytes of its largest job."""

    per_job: float
    per_fold: float
    per_unit: float
    mem_mb: float


# Of a rule that nobody has measured yet.
UNKNOWN = Cost(60.0, 0.0, 0.0, 500.0)


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
        return {row.pop("rule"): Cost(**{key: float(value) for key, value in row.items()}) for row in csv.DictReader(stream)}


def fit_jobs(names: list[str], n_blocks: list[int]) -> dict[str, str]:
    """Return the jobs that fit some methods, shared parts included: the name of the rule of each."""
    parts = sorted({methods.METHODS[name].shared_part(n_blocks) for name in names} - {None})
    return {f"{methods.SHARED}{part}": f"share_{part}" for part in parts} | {
        name: methods.METHODS[name].rule for name in names
    }


def sizes(config: dict, patients: int | None = None, genes: int | None = None) -> dict[str, Size]:
    """Return how much every rule of a run has to do, if it is more than to read and write a few files."""
    outer, inner = 1 - 1 / config["folds"], 1 - 1 / config["inner_folds"]
    # Against the 0.64 of the patients in 5 times 5 folds.
    scale = (patients or PATIENTS) / PATIENTS * max(((genes or GENES) / GENES) ** 0.6, 0.3) / 0.64
    folds = config["trials"] * config["folds"]
    found = {}
    for name, rule in fit_jobs(config["methods"], config["n_blocks"]).items():
        found[rule] = Size(folds, methods.n_fits(name, config) * scale * outer * inner)
        if name in methods.METHODS:
            points = methods.METHODS[name].n_points(config, shared=True)
            found[rule.replace("fit_", "fit_final_")] = Size(1, (config["inner_folds"] * points + 1) * scale * inner)
    read_by = Size(folds * len(config["methods"]), 0)
    found |= dict.fromkeys(READ_FOLDS, read_by)
    found["permute_outcomes"] = Size(0, config["permutations"] * scale * outer)
    found["evidence_external"] = Size(0, config["random_sets"])
    return found


# Rules that read every fold, or tables with a row for each.
READ_FOLDS = ("collect", "collect_timings", "crate", "evidence_differences", "evidence_genes", "evidence_left_out")
READ_FOLDS += ("evidence_patients", "report")


def seconds_of(cost: Cost, size: Size, jobs: int) -> float:
    """Return the processor seconds of some jobs of a rule that together have this to do."""
    return cost.per_job * jobs + cost.per_fold * size.folds + cost.per_unit * size.units
