"""Compare the study with trials on permuted outcomes."""

from study.command import command
from study.data.gene_sets import read_gene_sets
from study.data.sources import open_wheel
from study.data.studyfile import Study
from study.evidence.permuted import permuted_tables
from study.io import read_json
from study.tables import write_all


def main(study: str, folds: list, results: list, sources: str, pathways: list, settings: dict, tables: list) -> None:
    rows = [row for path in results for row in read_json(path)]
    sets = read_gene_sets([open_wheel(path, sources) for path in pathways])
    study_folds = [read_json(path) for path in folds]
    write_all(tables, permuted_tables(study_folds, rows, Study.load(study), sets))


command(main)
