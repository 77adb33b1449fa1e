"""Collect fold files into tables."""

from study.command import command
from study.cv.results import fold_tables, with_refits
from study.data.studyfile import Study
from study.io import read_json
from study.tables import write_all


def main(study: str, folds: list, settings: dict, tables: list) -> None:
    results = with_refits([read_json(path) for path in folds])
    write_all(tables, fold_tables(results, Study.load(study), settings))


command(main)
