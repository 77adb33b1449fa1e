"""Measure what every rule costs and write data/costs.csv: `make costs`.

Four configurations are run in a folder of their own, with different sizes of all a rule's cost grows with; every job
adds what it took to a file (`study.run.command.record`). Processor time is measured, so a busy machine does no harm.
A method that takes long to start, like `l1`, is in two runs with different numbers of folds to a job.
"""

from __future__ import annotations

import csv
import io
import json
import os
import resource
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np
from scipy.optimize import nnls

from study.data.studyfile import Study
from study.run import costs
from study.run.files import read_json, write_text

# Scripts whose rules have other names.
RULES = {"write_report": "report"}


def rule_of(script: str, name: str) -> str:
    """Return the rule whose job a script ran."""
    if script in ("fit", "fit_final"):
        return costs.rule_of(name).replace("fit_", f"{script}_")
    return RULES.get(script, script)


def totals(records: list[dict]) -> dict[str, tuple[int, float, float]]:
    """Return (jobs, seconds, most megabytes) by rule."""
    found = defaultdict(list)
    for record in records:
        found[rule_of(record["script"], record["name"])].append((record["seconds"], record["mem_mb"]))
    sums = {rule: (len(rows), sum(s for s, _ in rows), max(m for _, m in rows)) for rule, rows in found.items()}
    # What was measured of the whole run, less its jobs.
    _, whole, most = sums.pop(costs.SNAKEMAKE)
    rest = whole - sum(seconds for _, seconds, _ in sums.values())
    return sums | {costs.SNAKEMAKE: (sum(jobs for jobs, _, _ in sums.values()), rest, most)}


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


# Of the configuration that is run: its file, more settings, and where its results are.
RUNS = {
    "smoke": ("config/smoke.yaml", [], "nki/scnet"),
    "folds": ("config/smoke.yaml", ["trials=20", "methods=[mean-top,mean-graph,centroids,t-top,l1]"], "nki/scnet"),
    "two": ("config/config.yaml", ["trials=2"], "nki/scnet"),
    "pooled": ("config/pooled.yaml", [], "pooled/scnet"),
}
FOLDER = Path("results/costs")


def measure(name: str, config: str, more: list[str]) -> list[dict]:
    """Run a configuration and return what its jobs took, and last what all took together."""
    shutil.rmtree(FOLDER / name, ignore_errors=True)
    file = FOLDER / name / "costs.jsonl"
    file.parent.mkdir(parents=True)
    folders = [f"results={FOLDER / name}", f"reports={FOLDER / name}/report"]
    command = [str(Path(sys.executable).with_name("snakemake")), "--configfile", config, "--config", *folders, *more]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=os.environ | {"STUDY_COSTS": str(file.resolve())}, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    records = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return [*records, {"script": costs.SNAKEMAKE, "name": "", "seconds": seconds, "mem_mb": 0.0}]


def size_of(folder: Path) -> tuple[dict, int, int]:
    """Return the configuration of a finished run, its patients and its genes."""
    return read_json(folder / "manifest.json")["config"], *Study.load(folder / "study.npz").X.shape


def main() -> None:
    """Measure, and write the table."""
    found = table([(measure(name, *what[:2]), *size_of(FOLDER / name / what[2])) for name, what in RUNS.items()])
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["rule", *costs.Cost._fields])
    writer.writerows([rule, *(f"{value:.4g}" for value in cost)] for rule, cost in found.items())
    write_text(costs.FILE, text.getvalue(), record=False)


if __name__ == "__main__":
    main()
