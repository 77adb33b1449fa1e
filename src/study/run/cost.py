"""Where the time of a run went: fits, start-up of jobs, and everything between jobs."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd


def read_benchmark(path: str | Path) -> float:
    """Return the wall seconds of a Snakemake benchmark file."""
    with open(path, newline="", encoding="utf-8") as stream:
        return float(next(csv.DictReader(stream, delimiter="\t"))["s"])


def cost_table(timings: pd.DataFrame, benchmarks: dict[str, float]) -> list[dict]:
    """Return a row per method: folds, fits, seconds inside fits, seconds of its jobs.

    `timings` is the table of that name; `benchmarks` the wall seconds of every fit job by its benchmark file, which
    lies in a folder named after the method.
    """
    rows = []
    for method, folds in timings.groupby("method", sort=False):
        jobs = [seconds for path, seconds in benchmarks.items() if method in Path(path).parts]
        seconds, fits = float(folds["seconds"].sum()), int(folds["fits"].sum())
        row = {"method": method, "jobs": len(jobs), "fits": fits, "seconds_in_fits": seconds}
        rows.append(row | {"seconds_in_jobs": sum(jobs), "milliseconds_per_fit": 1000 * seconds / fits})
    return rows


def breakdown(table: list[dict], wall: float | None, cores: int) -> dict:
    """Return the whole run's seconds in fits, in the rest of the jobs (imports, files), and between jobs.

    `wall` is None when the run did not do all the work itself; then nothing can be said of the time between jobs.
    Overhead = 1 - fits / (cores x wall).
    """
    fits = sum(row["seconds_in_fits"] for row in table)
    jobs = sum(row["seconds_in_jobs"] for row in table)
    parts = {"cores": cores, "seconds_in_fits": fits, "seconds_starting_and_ending_jobs": jobs - fits}
    if wall is None:
        return parts | {"wall_seconds": None, "overhead": None}
    parts |= {"wall_seconds": wall, "seconds_between_jobs": cores * wall - jobs}
    return parts | {"overhead": 1 - fits / (cores * wall)}
