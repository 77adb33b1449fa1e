"""Collect the run times of all folds into a table."""

import pandas as pd

from study.command import command
from study.io import read_json
from study.tables import write


def main(timings: list, table: str) -> None:
    write(table, pd.DataFrame([read_json(path) for path in timings]))


command(main)
