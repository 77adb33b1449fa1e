"""How far a run is: fits done, fits in all, time left."""

from __future__ import annotations

import time
from pathlib import Path

from study.run.command import say
from study.run.files import read_json, write_json


def fits_done(timings: str | Path) -> int:
    """Return the fits of all finished folds, as their timing files say."""
    done = 0
    for path in Path(timings).glob("*/trial-*/fold-*.json"):
        try:
            done += read_json(path)["fits"]
        except (OSError, ValueError):
            continue  # deleted or replaced by another job just now
    return done


def announce(file: str | Path, timings: str | Path, total: int, cores: int) -> None:
    """Write down, when a run starts, what the progress of its jobs is measured against."""
    start = {"timings": str(timings), "total": total, "cores": cores}
    write_json(file, start | {"before": fits_done(timings), "started": time.time()})


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
