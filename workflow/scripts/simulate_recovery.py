"""Measure for one sparsity how many observations each method needs to recover a planted support."""

import sys

from study.run.command import add_settings, parser, run
from study.simulation.recovery import transition
from study.simulation.tables import write_table


def main() -> None:
    made = parser(__doc__, output="table to write, a row per n, trial and method")
    made.add_argument("--sparsity", required=True, type=int, help="nodes of the planted support")
    add_settings(made)
    arguments = made.parse_args()
    settings = arguments.settings

    def report(n_rows):
        print(f"recovery, s = {arguments.sparsity}: n = {n_rows} done", file=sys.stderr)

    table = transition(settings["simulations"], settings["seed"], arguments.sparsity, report)
    write_table(arguments.output, table)


if __name__ == "__main__":
    run(main)
