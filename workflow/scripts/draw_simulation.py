"""Join the curves of one figure of the synthetic experiments and draw them."""

import pandas as pd

from study.figures.simulation import draw_curves
from study.figures.svg import write_figure
from study.run.command import add_settings, parser, run
from study.simulation.experiments import FIGURES
from study.simulation.tables import read_table, write_table


def main() -> None:
    made = parser(__doc__, table="table to write, a row per curve, seed and epoch")
    made.add_argument("--figure", required=True, choices=list(FIGURES), help="which figure")
    made.add_argument("--parts", required=True, nargs="+", help="tables of some seeds each")
    made.add_argument("--epochs", help="figure to write, against epochs")
    made.add_argument("--points", help="figure to write, against data points")
    add_settings(made)
    arguments = made.parse_args()
    curves = pd.concat([read_table(path) for path in arguments.parts], ignore_index=True)
    write_table(arguments.table, curves)
    for path, axis in ((arguments.epochs, "epoch"), (arguments.points, "data_points")):
        if path:
            drawn = draw_curves(arguments.figure, curves, arguments.settings["simulations"], axis)
            write_figure(path, drawn)


if __name__ == "__main__":
    run(main)
