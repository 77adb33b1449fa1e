"""What makes the tables and figures of each synthetic experiment from the table of all its parts."""

from functools import partial

from study.figures.curves import draw_curves
from study.figures.recovery import draw_families, draw_scaling, draw_transition
from study.simulation.layout import FIGURES

DRAWINGS = {figure: partial(draw_curves, figure) for figure in FIGURES} | {
    "theory": lambda table: ([table], []),
    "recovery": draw_transition,
    "families": draw_families,
    "scaling": draw_scaling,
}
