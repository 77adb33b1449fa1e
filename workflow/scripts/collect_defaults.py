"""Collect the comparison of defaults into tables."""

from study.command import command
from study.evidence.defaults import defaults_table, penalties_table
from study.io import read_json
from study.tables import write_all


def main(results: list, settings: dict, tables: list) -> None:
    rows = [row for path in results for row in read_json(path)]
    write_all(tables, {"defaults": defaults_table(rows, settings), "defaults_penalties": penalties_table(rows, settings)})


command(main)
