"""Gather the fold files into the tables metrics, genes, summary, chosen, paths, fits and traces."""

from study import tables
from study.cv.results import fold_tables, with_refits
from study.data.studyfile import Study
from study.command import command
from study.io import read_json


def main(study: str, folds: list, run: str, settings: dict) -> None:
    """Write the tables."""
    results = with_refits([read_json(path) for path in folds])
    for name, table in fold_tables(results, Study.load(study), settings).items():
        tables.write(run, name, table)


if __name__ == "__main__":
    command(main)
