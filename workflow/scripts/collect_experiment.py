"""Collect the repetitions of an experiment into tables."""

from study.command import command
from study.data.gene_sets import read_gene_sets
from study.data.sources import open_wheel
from study.data.studyfile import Study
from study.evidence.controls import controls_table
from study.evidence.permuted import permuted_tables
from study.evidence.planted import planted_tables
from study.io import read_json
from study.tables import write_all


def main(
    experiment: str, study: str, folds: list, results: list, sources: str, pathways: list, n_folds: int, tables: list
) -> None:
    rows = [row for path in results for row in read_json(path)]
    patients, sets = Study.load(study), read_gene_sets([open_wheel(path, sources) for path in pathways])
    if experiment == "controls":
        frames = {"evidence/controls": controls_table(rows, n_folds)}
    elif experiment == "permuted":
        frames = permuted_tables([read_json(path) for path in folds], rows, patients, sets)
    else:
        frames = planted_tables(rows)
    write_all(tables, frames)


command(main)
