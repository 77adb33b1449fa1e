"""Gather the run time of every fold into one table."""

import pandas as pd

from study import tables
from study.command import command
from study.io import read_json


def main(timings: list, run: str) -> None:
    """Write the table."""
    tables.write(run, "timings", pd.DataFrame([read_json(path) for path in timings]))


if __name__ == "__main__":
    command(main)
