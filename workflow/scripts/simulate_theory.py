"""Compare what Theorem 2 of the paper needs with the designs of the synthetic experiments."""

import sys

from study.run.command import add_settings, parser, run
from study.simulation.tables import write_table
from study.simulation.theory_table import theory_table


def main() -> None:
    made = parser(__doc__, output="table to write, a row per design, mini-batch size and learning rate")
    add_settings(made)
    arguments = made.parse_args()
    settings = arguments.settings

    def report(design):
        print(f"theory: {design} done", file=sys.stderr)

    write_table(arguments.output, theory_table(settings["simulations"], settings["seed"], report))


if __name__ == "__main__":
    run(main)
