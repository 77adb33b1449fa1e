"""Collect the comparison of defaults into tables."""

from study.command import command
from study.evidence.defaults import defaults_tables
from study.io import read_json
from study.tables import write_all


def main(study: str, folds: list, results: list, sources: str, pathways: list, settings: dict, tables: list) -> None:
    rows = [row for path in results for row in read_json(path)]
    write_all(tables, defaults_tables(rows, settings))


command(main)
