"""Compare every pair of methods."""

from study.command import command
from study.evidence.differences import difference_tables
from study.tables import read, write_all


def main(metrics: str, settings: dict, tables: list) -> None:
    write_all(tables, difference_tables(read(metrics), settings["folds"]))


command(main)
