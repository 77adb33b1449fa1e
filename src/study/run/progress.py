"""How far a run is: fits done, fits in all, time left."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

VARIABLE = "STUDY_PROGRESS"


def fits_done(timings: str | Path) -> int:
    """Return the fits of all finished jobs, as their timing files say."""
    done = 0
    for path in Path(timings).glob("*/trial-*.json"):
        try:
            timing = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue  # deleted or replaced by another job just now
        done += timing["fits_per_fold"] * len(timing["seconds"])
    return done


def announce(timings: str | Path, total: int, cores: int) -> None:
    """Tell the jobs of this run, through the environment, what their progress is measured against."""
    start = {"timings": str(timings), "total": total, "cores": cores}
    start |= {"before": fits_done(timings), "started": time.time()}
    os.environ[VARIABLE] = json.dumps(start)


def report() -> None:
    """Print the progress of the run that this job belongs to, if it was announced."""
    if VARIABLE not in os.environ:
        return
    start = json.loads(os.environ[VARIABLE])
    print(line(start, fits_done(start["timings"]), time.time()), file=sys.stderr, flush=True)


def line(start: dict, done: int, now: float) -> str:
    """Return the progress as a sentence; the time left assumes that fits go on as fast as they have so far."""
    total = max(start["total"], done)
    said = f"fits: {done:,} of {total:,} ({done / total:.0%})"
    new = done - start["before"]
    if new > 0 and done < total:
        left = (now - start["started"]) / new * (total - done)
        said += f", about {left / 60:.0f} min left" if left >= 90 else f", about {left:.0f} s left"
    return said
