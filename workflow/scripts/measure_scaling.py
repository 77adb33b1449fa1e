"""Time a step of every method on growing grids, and draw it."""

import sys

from study.figures.recovery import draw_scaling
from study.figures.svg import write_figure
from study.run.command import add_settings, parser, run
from study.simulation.scaling import measure
from study.simulation.tables import write_table


def main() -> None:
    made = parser(
        __doc__, table="table to write, a row per number of nodes and method", figure="figure to write"
    )
    add_settings(made)
    arguments = made.parse_args()
    settings = arguments.settings

    def report(n_nodes):
        print(f"scaling: {n_nodes:,} nodes done", file=sys.stderr)

    table = measure(settings["simulations"], settings["seed"], report)
    write_table(arguments.table, table)
    write_figure(arguments.figure, draw_scaling(table))


if __name__ == "__main__":
    run(main)
