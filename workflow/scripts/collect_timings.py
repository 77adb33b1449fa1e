"""Gather the seconds of every fold into one table."""

import pandas as pd

from study.run.command import parser, run
from study.run.files import read_json, write_text


def main() -> None:
    made = parser(__doc__, output="table to write, a row per fold")
    made.add_argument("--timings", required=True, nargs="+", help="a file per method and trial")
    arguments = made.parse_args()
    rows = []
    for path in arguments.timings:
        timing = read_json(path)
        for fold, seconds in enumerate(timing.pop("seconds"), start=1):
            rows.append({**timing, "fold": fold, "seconds": seconds})
    columns = ["method", "trial", "fold", "seconds", "fits_per_fold", "host", "finished"]
    write_text(arguments.output, pd.DataFrame(rows)[columns].to_csv(index=False))


if __name__ == "__main__":
    run(main)
