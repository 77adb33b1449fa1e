"""Gather the fold files into the tables metrics, genes, summary, fits and traces."""

from study import tables
from study.cv.results import fits_table, genes_table, metrics_table, summary_table, traces_table, with_refits
from study.data.studyfile import Study
from study.run.command import command
from study.run.files import read_json


def main(study, folds, run):
    """Write the tables."""
    results = with_refits([read_json(path) for path in folds])
    metrics = metrics_table(results)
    tables.write(run, "metrics", metrics)
    tables.write(run, "genes", genes_table(results, Study.load(study)))
    tables.write(run, "summary", summary_table(metrics))
    tables.write(run, "fits", fits_table(results))
    tables.write(run, "traces", traces_table(results))


if __name__ == "__main__":
    command(main)
