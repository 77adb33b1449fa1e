"""Which experiments there are, in which parts they run, and what is drawn of them.

Imports nothing heavy, because the workflow reads it at the start of every job.
"""

from __future__ import annotations

from typing import NamedTuple

FIGURES = ("fig1", "fig1_published", "fig2", "fig3", "batches", "components")
FAMILIES = ("grid", "scale-free", "small-world", "network of the study")

# The x axes of figures that are not drawn against both.
_AXES = {"fig3": ("data_points",), "batches": ("data_points",), "components": ("epoch",)}
_KINDS = ("theory", "recovery", "noise", "scaling")
# So that starting a job costs little beside what it does.
_SEEDS_PER_JOB = 10


class Experiment(NamedTuple):
    """An experiment of the workflow.

    Attributes
    ----------
    run : str
        What runs a part of it, "module:function" below `study.simulation`.
    draw : str
        What makes its tables and figures of the parts, "module:function" below `study.figures`.
    kind : str
        Whose settings it reads, see `relevant`.
    parts : dict
        The arguments of every part, by the name of its file.
    tables, figures : tuple of str
        The files that are made of the parts.
    """

    run: str
    draw: str
    kind: str
    parts: dict[str, dict]
    tables: tuple[str, ...]
    figures: tuple[str, ...]

    @property
    def modules(self) -> tuple[str, str]:
        """The modules that run and that draw it."""
        run, draw = (reference.partition(":")[0] for reference in (self.run, self.draw))
        return f"study.simulation.{run}", f"study.figures.{draw}"


def axes(figure: str) -> tuple[str, ...]:
    """Return the x axes that a figure of curves is drawn against, a file each."""
    return _AXES.get(figure, ("epoch", "data_points"))


def drawings(figure: str) -> tuple[str, ...]:
    """Return the files that a figure of curves is drawn into, in the order of its axes."""
    return (figure, f"{figure}_data_points")[: len(axes(figure))]


def seed_ranges(seeds: int) -> dict[str, dict]:
    """Return the seeds 1..seeds as ranges of at most ten, by name, e.g. seeds-001-010."""
    starts = range(1, seeds + 1, _SEEDS_PER_JOB)
    ranges = [(first, min(first + _SEEDS_PER_JOB - 1, seeds)) for first in starts]
    return {f"seeds-{first:03d}-{last:03d}": {"first": first, "last": last} for first, last in ranges}


def experiments(simulations: dict) -> dict[str, Experiment]:
    """Return the experiments by name, from their part of the configuration."""
    ranges = seed_ranges(simulations["seeds"])
    sparsities = {f"s-{size}": {"sparsity": size} for size in simulations["recovery_sparsities"]}
    families = {family.replace(" ", "-"): {"family": family} for family in FAMILIES}
    whole: dict[str, dict] = {"all": {}}
    run_curves, draw_curves = "experiments:run_figure", "curves:draw_curves"
    return {
        figure: Experiment(
            run_curves,
            draw_curves,
            "curves",
            {part: {"figure": figure, **seeds} for part, seeds in ranges.items()},
            (figure,),
            drawings(figure),
        )
        for figure in FIGURES
    } | {
        name: Experiment(run, f"recovery:{draw}", kind, parts, tables, figures)
        for name, run, draw, kind, parts, tables, figures in (
            ("theory", "theory:theory_table", "join", "theory", whole, ("theory",), ()),
            ("recovery", "recovery:transition", "draw_transition", "recovery", sparsities,
             ("recovery", "recovery_needed"), ("recovery",)),
            ("families", "recovery:families", "draw_families", "noise", families, ("families",), ("families",)),
            ("scaling", "scaling:measure", "draw_scaling", "scaling", whole, ("scaling",), ("scaling",)),
        )
    }  # fmt: skip


def relevant(simulations: dict, *kinds: str) -> dict:
    """Return the settings that all simulations share, and those of these kinds (theory, recovery, noise, scaling).

    A rule that gets only what it reads does not run again when something else is changed.
    """
    special = tuple(f"{kind}_" for kind in _KINDS if kind not in kinds)
    return {key: value for key, value in simulations.items() if key != "seeds" and not key.startswith(special)}
