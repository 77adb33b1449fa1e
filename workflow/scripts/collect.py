"""Gather the fold files into the tables metrics, genes, summary, chosen, paths, fits and traces."""

from study import tables
from study.cv.results import fold_tables, with_refits
from study.data.studyfile import Study
from study.run.command import command
from study.run.files import read_json


def main(study, folds, run, settings):
    """Write the tables."""
    results = with_refits([read_json(path) for path in folds])
    for name, table in fold_tables(results, Study.load(study), settings).items():
        tables.write(run, name, table)


if __name__ == "__main__":
    command(main)
