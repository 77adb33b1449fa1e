"""What runs a part of each synthetic experiment: a function of the master seed and the part's arguments."""

from functools import partial

from study.simulation.experiments import run_figure
from study.simulation.layout import FIGURES
from study.simulation.recovery import families, transition
from study.simulation.scaling import measure
from study.simulation.theory import theory_table

RUNNERS = {figure: partial(run_figure, figure) for figure in FIGURES} | {
    "theory": theory_table,
    "recovery": transition,
    "families": families,
    "scaling": measure,
}
