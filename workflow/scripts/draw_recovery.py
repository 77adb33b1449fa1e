"""Summarise and draw the phase transition of support recovery."""

import pandas as pd

from study.figures.recovery import draw_transition
from study.figures.svg import write_figure
from study.run.command import add_settings, parser, run
from study.simulation.recovery import needed, summary
from study.simulation.tables import read_table, write_table


def main() -> None:
    made = parser(
        __doc__,
        table="table to write, a row per sparsity, n and method",
        needed="table to write: the n from which on half of the trials recover",
        figure="figure to write",
    )
    made.add_argument("--parts", required=True, nargs="+", help="tables of one sparsity each")
    add_settings(made)
    arguments = made.parse_args()
    trials = pd.concat([read_table(path) for path in arguments.parts], ignore_index=True)
    table = summary(trials, ["sparsity", "n_rows"])
    write_table(arguments.table, table)
    write_table(arguments.needed, needed(table))
    write_figure(arguments.figure, draw_transition(table, arguments.settings["simulations"]))


if __name__ == "__main__":
    run(main)
