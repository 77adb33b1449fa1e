"""Run the curves of one figure of the synthetic experiments for some seeds."""

import sys

from study.run.command import add_settings, parser, run
from study.simulation.experiments import FIGURES, run_figure
from study.simulation.tables import write_table


def main() -> None:
    made = parser(__doc__, output="table to write, a row per curve, seed and epoch")
    made.add_argument("--figure", required=True, choices=list(FIGURES), help="which figure")
    made.add_argument("--first", required=True, type=int, help="first seed")
    made.add_argument("--last", required=True, type=int, help="last seed")
    add_settings(made)
    arguments = made.parse_args()
    settings = arguments.settings

    def report(seed):
        print(f"{arguments.figure}: seed {seed} of {arguments.first}..{arguments.last}", file=sys.stderr)

    seeds = range(arguments.first, arguments.last + 1)
    table = run_figure(arguments.figure, settings["simulations"], settings["seed"], seeds, report)
    write_table(arguments.output, table)


if __name__ == "__main__":
    run(main)
