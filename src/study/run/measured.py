"""Write data/costs.csv from what the jobs of finished runs recorded: `make costs`.

    STUDY_COSTS=smoke.jsonl snakemake --configfile config/smoke.yaml
    python -m study.run.measured smoke.jsonl results/smoke/nki/scnet ...
"""

from __future__ import annotations

import csv
import io
import json
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np
from scipy.optimize import nnls

from study import methods
from study.data.studyfile import Study
from study.run import costs
from study.run.files import read_json, write_text

# Scripts whose rules have other names.
RULES = {"write_report": "report"}


def rule_of(script: str, name: str) -> str:
    """Return the rule whose job a script ran."""
    if script == "fit":
        part = name.removeprefix(methods.SHARED)
        return methods.METHODS[name].rule if part == name else f"share_{part}"
    if script == "fit_final":
        return methods.METHODS[name].rule.replace("fit_", "fit_final_")
    return RULES.get(script, script)


def totals(records: list[dict]) -> dict[str, tuple[int, float, float]]:
    """Return (jobs, seconds, most megabytes) by rule."""
    found = defaultdict(list)
    for record in records:
        found[rule_of(record["script"], record["name"])].append((record["seconds"], record["mem_mb"]))
    return {rule: (len(rows), sum(s for s, _ in rows), max(m for _, m in rows)) for rule, rows in found.items()}


def fitted(rows: list[tuple[int, costs.Size, float, float]]) -> costs.Cost:
    """Return the cost of a rule from (jobs, size, seconds, megabytes) of several runs, by least squares of ratios."""
    A = np.array([(jobs, size.folds, size.units) for jobs, size, _, _ in rows], dtype=float)
    seconds = np.array([row[2] for row in rows])
    found, _ = nnls(A / seconds[:, None], np.ones(len(rows)))
    return costs.Cost(*found.tolist(), mem_mb=max(row[3] for row in rows))


def table(runs: list[tuple[list[dict], dict, int, int]]) -> dict[str, costs.Cost]:
    """Return the cost of every rule from (records, configuration, patients, genes) of several runs."""
    rows = defaultdict(list)
    for records, config, patients, genes in runs:
        sizes = costs.sizes(config, patients, genes)
        for rule, (jobs, seconds, mem_mb) in totals(records).items():
            rows[rule].append((jobs, sizes.get(rule, costs.NOTHING), seconds, mem_mb))
    return {rule: fitted(rows[rule]) for rule in sorted(rows)}


def read_run(record: str, folder: str) -> tuple[list[dict], dict, int, int]:
    """Return what the jobs of a run recorded, its configuration, and its size."""
    records = [json.loads(line) for line in Path(record).read_text(encoding="utf-8").splitlines()]
    return records, read_json(Path(folder) / "manifest.json")["config"], *Study.load(Path(folder) / "study.npz").X.shape


def main(arguments: list[str]) -> None:
    """Write the table from pairs of a record and the folder of its run."""
    found = table([read_run(*pair) for pair in zip(arguments[::2], arguments[1::2], strict=True)])
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["rule", *costs.Cost._fields])
    writer.writerows([rule, *(f"{value:.4g}" for value in cost)] for rule, cost in found.items())
    write_text(costs.FILE, text.getvalue())


if __name__ == "__main__":
    main(sys.argv[1:])
