"""The synthetic experiments: in which parts they run, and which tables and figures come of them.

Imports nothing heavy, because the Snakefile reads it each time snakemake starts.
"""

from typing import NamedTuple

FIGURES = ("fig1", "fig1_published", "fig2", "fig3", "batches", "components")
FAMILIES = ("grid", "scale-free", "small-world", "network of the study")
RECOVERY_SPARSITIES = (8, 20, 28, 36)
# Starting a job must take little of its time.
SEEDS_PER_PART = 10

# The x axes of figures that are not drawn against both.
_AXES = {"fig3": ("data_points",), "batches": ("data_points",), "components": ("epoch",)}


class Experiment(NamedTuple):
    """An experiment of the workflow; `study.simulation.run` runs it and `study.figures.recovery` draws it.

    Attributes
    ----------
    parts : dict
        The arguments of every part, by the name of its file.
    tables, figures : tuple of str
        The files that are made of all parts together.
    """

    parts: dict[str, dict]
    tables: tuple[str, ...]
    figures: tuple[str, ...]


def axes(figure: str) -> tuple[str, ...]:
    """Return the x axes that a figure of curves is drawn against, a file each."""
    return _AXES.get(figure, ("epoch", "data_points"))


def drawings(figure: str) -> tuple[str, ...]:
    """Return the files that a figure of curves is drawn into, in the order of its axes."""
    return (figure, f"{figure}_data_points")[: len(axes(figure))]


def seed_ranges(seeds: int) -> dict[str, dict]:
    """Return the seeds 1..seeds as ranges of at most ten, by name, e.g. seeds-001-010."""
    starts = range(1, seeds + 1, SEEDS_PER_PART)
    ranges = [(first, min(first + SEEDS_PER_PART - 1, seeds)) for first in starts]
    return {f"seeds-{first:03d}-{last:03d}": {"first": first, "last": last} for first, last in ranges}


def experiments(seeds: int) -> dict[str, Experiment]:
    """Return the experiments by name; curves are repeated on this many problems."""
    whole: dict[str, dict] = {"all": {}}
    sparsities = {f"s-{size}": {"sparsity": size} for size in RECOVERY_SPARSITIES}
    families = {family.replace(" ", "-"): {"family": family} for family in FAMILIES}
    return {figure: Experiment(seed_ranges(seeds), (figure,), drawings(figure)) for figure in FIGURES} | {
        "theory": Experiment(whole, ("theory",), ()),
        "recovery": Experiment(sparsities, ("recovery", "recovery_needed"), ("recovery",)),
        "families": Experiment(families, ("families",), ("families",)),
        "scaling": Experiment(whole, ("scaling",), ("scaling",)),
    }
