"""How far a run is: fits done, fits in all, time left."""

from __future__ import annotations

import json
import time
from pathlib import Path

from study.run.command import say
from study.run.files import read_json, write_json


def fits_done(timings: list[str]) -> int:
    """Return the fits of all finished folds of some runs, as their timing files say."""
    done = 0
    for path in (path for folder in timings for path in Path(folder).glob("*/trial-*/fold-*.json")):
        try:
            done += json.loads(path.read_text(encoding="utf-8"))["fits"]
        except (OSError, ValueError):
            continue  # deleted or replaced by another job just now
    return done


def announce(files: list[str], timings: list[str], total: int, cores: int) -> None:
    """Write down, when runs start together, what the progress of their jobs is measured against: a file for each."""
    start = {"timings": timings, "total": total, "cores": cores, "before": fits_done(timings), "started": time.time()}
    for file in files:
        write_json(file, start, record=False)


def estimate(jobs: int, core_seconds: float, wall: float, cores: int) -> str:
    """Return how long a run will take, as it is planned."""
    return (
        f"{jobs:,} jobs, about {max(round(core_seconds / 60), 1):,} min of processor time, so about "
        f"{max(round(wall / 60), 1):,} min on {cores} cores (by data/costs.csv; the lines below tell the time left)"
    )


def report(file: str | Path) -> None:
    """Print the progress of the run that this job belongs to, if it was announced."""
    if Path(file).is_file():
        start = read_json(file)
        say(line(start, fits_done(start["timings"]), time.time()))


def line(start: dict, done: int, now: float) -> str:
    """Return the progress as a sentence; the time left assumes that fits go on as fast as they have so far."""
    total = max(start["total"], done)
    text = f"fits: {done:,} of {total:,} ({done / total:.0%})"
    new = done - start["before"]
    if new > 0 and done < total:
        left = (now - start["started"]) / new * (total - done)
        text += f", about {left / 60:.0f} min left" if left >= 90 else f", about {left:.0f} s left"
    return text
