"""Judge the paper's claims by the curves of the synthetic experiments."""

from pathlib import Path

import pandas as pd

from study.run.command import parser, run
from study.simulation.conclusions import Verdict
from study.simulation.tables import read_table, write_table
from study.simulation.verdicts import all_verdicts


def main() -> None:
    made = parser(__doc__, output="table to write, a row per claim")
    made.add_argument(
        "--curves", required=True, nargs="+", help="tables of curves, each named after its figure"
    )
    arguments = made.parse_args()
    tables = {Path(path).stem: read_table(path) for path in arguments.curves}
    found = all_verdicts(tables)
    write_table(arguments.output, pd.DataFrame(found, columns=Verdict._fields))
    for verdict in found:
        print(f"{verdict.figure}: {verdict.claim}: {verdict.verdict}. {verdict.detail}")


if __name__ == "__main__":
    run(main)
