"""Where the time of a run went: fits, start-up of jobs, and everything between jobs."""

from __future__ import annotations

import csv
from pathlib import Path


def read_benchmark(path: str | Path) -> float:
    """Return the wall seconds of a Snakemake benchmark file."""
    with open(path, newline="", encoding="utf-8") as stream:
        return float(next(csv.DictReader(stream, delimiter="\t"))["s"])


def cost_table(timings: list[dict], jobs: dict[tuple[str, int], float]) -> list[dict]:
    """Return a row per method: folds, fits, seconds inside fits, seconds of its jobs.

    `timings` are the files that jobs write; `jobs` the wall seconds of each (method, trial).
    """
    rows = {}
    for timing in timings:
        row = rows.setdefault(
            timing["method"],
            {
                "method": timing["method"],
                "jobs": 0,
                "fits": 0,
                "seconds_in_fits": 0.0,
                "seconds_in_jobs": 0.0,
            },
        )
        row["jobs"] += 1
        row["fits"] += timing["fits_per_fold"] * len(timing["seconds"])
        row["seconds_in_fits"] += sum(timing["seconds"])
        row["seconds_in_jobs"] += jobs[timing["method"], timing["trial"]]
    for row in rows.values():
        row["milliseconds_per_fit"] = 1000 * row["seconds_in_fits"] / row["fits"]
    return list(rows.values())


def breakdown(table: list[dict], wall: float | None, cores: int) -> dict:
    """Return the whole run's seconds in fits, in the rest of the jobs (imports, files), and between jobs.

    `wall` is None when the run did not do all the work itself; then nothing can be said of the time between jobs.
    Overhead = 1 - fits / (cores x wall).
    """
    fits = sum(row["seconds_in_fits"] for row in table)
    jobs = sum(row["seconds_in_jobs"] for row in table)
    found = {"cores": cores, "seconds_in_fits": fits, "seconds_starting_and_ending_jobs": jobs - fits}
    if wall is None:
        return found | {"wall_seconds": None, "overhead": None}
    found |= {"wall_seconds": wall, "seconds_between_jobs": cores * wall - jobs}
    return found | {"overhead": 1 - fits / (cores * wall)}
