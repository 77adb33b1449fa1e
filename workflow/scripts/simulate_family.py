"""Measure recovery on one graph family at several noise levels."""

import sys

from graphiht.network import Network
from study.data.studyfile import Study
from study.run.command import add_settings, parser, run
from study.simulation.layout import FAMILIES
from study.simulation.recovery import REAL, families
from study.simulation.tables import write_table


def main() -> None:
    made = parser(
        __doc__, study="study file, whose network is the real one", output="table to write, a row per trial"
    )
    made.add_argument("--family", required=True, choices=FAMILIES, help="which graphs")
    add_settings(made)
    arguments = made.parse_args()
    settings = arguments.settings
    study = Study.load(arguments.study)
    real = Network(study.edges, study.X.shape[1])
    name = REAL if arguments.family == "real" else arguments.family
    table = families(settings["simulations"], settings["seed"], real, (name,))
    print(f"{name}: {len(table)} fits done", file=sys.stderr)
    write_table(arguments.output, table)


if __name__ == "__main__":
    run(main)
