"""Which figures there are, how they are drawn, and which seeds share a job.

Imports nothing heavy, because the workflow reads it at the start of every job.
"""

from __future__ import annotations

FIGURES = ("fig1", "fig1_published", "fig2", "fig3", "batches", "components")
FAMILIES = ("grid", "scale-free", "small-world", "real")

_POINTS_ONLY = ("fig3", "batches")
_EPOCHS_ONLY = ("components",)
# So that starting a job costs little beside what it does.
_SEEDS_PER_JOB = 10


def drawings(figure: str, folder: str) -> dict[str, str]:
    """Return the files a figure is drawn into, by x axis: epochs, points (data points), or both."""
    first = f"{folder}/{figure}.svg"
    if figure in _POINTS_ONLY:
        return {"points": first}
    if figure in _EPOCHS_ONLY:
        return {"epochs": first}
    return {"epochs": first, "points": f"{folder}/{figure}_data_points.svg"}


def seed_ranges(seeds: int) -> list[str]:
    """Return the seeds 1..seeds as ranges of at most ten, e.g. 001-010."""
    return [
        f"{first:03d}-{min(first + _SEEDS_PER_JOB - 1, seeds):03d}"
        for first in range(1, seeds + 1, _SEEDS_PER_JOB)
    ]


def relevant(simulations: dict, *kinds: str) -> dict:
    """Return the settings that all simulations share, and those of these kinds (theory, recovery, noise, scaling).

    A rule that gets only what it reads does not run again when something else is changed.
    """
    special = tuple(f"{kind}_" for kind in ("theory", "recovery", "noise", "scaling") if kind not in kinds)
    return {
        key: value for key, value in simulations.items() if key != "seeds" and not key.startswith(special)
    }
