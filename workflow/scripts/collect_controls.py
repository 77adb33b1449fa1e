"""Collect the negative controls into tables."""

from study.command import command
from study.data.gene_sets import membership, read_gene_sets
from study.data.sources import open_wheel
from study.data.studyfile import Study
from study.evidence.controls import controls_tables
from study.io import read_json
from study.tables import write_all


def main(study: str, folds: list, results: list, sources: str, pathways: list, settings: dict, tables: list) -> None:
    rows = [row for path in results for row in read_json(path)]
    patients, sets = Study.load(study), read_gene_sets([open_wheel(path, sources) for path in pathways])
    members = membership(sets, patients.entrez)
    write_all(tables, controls_tables(rows, sets, members, patients.symbol, settings["folds"]))


command(main)
