"""Put every number of the study beside the same number of trials on permuted outcomes."""

from collections import defaultdict

from study import tables
from study.data.gene_sets import read_gene_sets
from study.data.sources import open_wheel
from study.data.studyfile import Study
from study.evidence.permuted_tables import (
    PERMUTED,
    REAL,
    GeneSets,
    permuted_genes,
    permuted_pathways,
    permuted_sentence,
    permuted_summary,
    permuted_table,
)
from study.command import command
from study.io import say
from study.io import read_json


def main(run: str, study: str, folds: list, results: list, sources: str, pathways: list) -> None:
    """Write the tables."""
    study, trials = Study.load(study), defaultdict(lambda: defaultdict(list))
    for fold in map(read_json, folds):
        trials[fold["method"], REAL][fold["trial"]].append(fold)
    for result in (result for path in results for result in read_json(path)):
        trials[result["method"], PERMUTED][result["repetition"]] = result["folds"]
    sets = GeneSets.of(read_gene_sets([open_wheel(path, sources) for path in pathways]), study)
    table = permuted_table(trials, study, sets)
    summary = permuted_summary(table)
    tables.write(run, "evidence/permuted", table)
    tables.write(run, "evidence/permuted_summary", summary)
    tables.write(run, "evidence/permuted_pathways", permuted_pathways(trials, study, sets))
    tables.write(run, "evidence/permuted_genes", permuted_genes(trials, study))
    say(permuted_sentence(summary))


if __name__ == "__main__":
    command(main)
