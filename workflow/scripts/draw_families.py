"""Summarise and draw recovery over graph families and noise levels."""

import pandas as pd

from study.figures.recovery import draw_families
from study.figures.svg import write_figure
from study.run.command import add_settings, parser, run
from study.simulation.recovery import summary
from study.simulation.tables import read_table, write_table


def main() -> None:
    made = parser(
        __doc__, table="table to write, a row per family, noise level and method", figure="figure to write"
    )
    made.add_argument("--parts", required=True, nargs="+", help="tables of one family each")
    add_settings(made)
    arguments = made.parse_args()
    trials = pd.concat([read_table(path) for path in arguments.parts], ignore_index=True)
    table = summary(trials, ["family", "nodes", "noise"])
    write_table(arguments.table, table)
    write_figure(arguments.figure, draw_families(table, arguments.settings["simulations"]))


if __name__ == "__main__":
    run(main)
