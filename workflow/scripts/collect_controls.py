"""Gather the negative controls into tables, and say what the network contributes."""

from study import tables
from study.data.gene_sets import membership, read_gene_sets
from study.data.sources import open_wheel
from study.data.studyfile import Study
from study.evidence.controls_tables import controls_table, network_sentence, repetitions_table, rewired_table
from study.command import command
from study.io import say
from study.io import read_json, write_text


def main(run: str, study: str, results: list, sources: str, pathways: list, text: str, settings: dict) -> None:
    results = [result for path in results for result in read_json(path)]
    table = controls_table(results, settings["folds"])
    tables.write(run, "evidence/controls", table)
    tables.write(run, "evidence/controls_repetitions", repetitions_table(results))
    study = Study.load(study)
    sets = read_gene_sets([open_wheel(path, sources) for path in pathways])
    rewired = rewired_table(results, sets, membership(sets, study.entrez), study.symbol)
    tables.write(run, "evidence/rewired_pathways", rewired)
    sentence = network_sentence(table)
    write_text(text, sentence + "\n")
    say(sentence)


if __name__ == "__main__":
    command(main)
