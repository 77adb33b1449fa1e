"""Collect the planted gene sets into tables."""

from study.command import command
from study.evidence.planted import planted_tables
from study.io import read_json
from study.tables import write_all


def main(study: str, folds: list, results: list, sources: str, pathways: list, settings: dict, tables: list) -> None:
    rows = [row for path in results for row in read_json(path)]
    write_all(tables, planted_tables(rows))


command(main)
