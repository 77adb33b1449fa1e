"""Gather the negative controls into one table, and say what the network contributes."""

import pandas as pd

from study.command import add_settings, parser, run
from study.control_tables import controls_table, network_sentence, repetitions_table
from study.evidence_figures import control_dots
from study.files import read_json, write_text


def main() -> None:
    made = parser(
        __doc__,
        table="table to write, a row per control and method",
        repetitions="table to write, a row per control, method and repetition",
        figure="picture to write",
        text="file for what the network contributes",
    )
    made.add_argument("--results", required=True, nargs="+", help="files that run_controls.py wrote")
    add_settings(made)
    arguments = made.parse_args()
    results = [result for path in arguments.results for result in read_json(path)]
    table = controls_table(results, arguments.settings["folds"])
    repetitions = repetitions_table(results)
    write_text(arguments.table, table.to_csv(index=False))
    write_text(arguments.repetitions, repetitions.drop(columns="seconds").to_csv(index=False))
    write_text(arguments.figure, control_dots(repetitions))
    sentence = network_sentence(pd.read_csv(arguments.table))
    write_text(arguments.text, sentence + "\n")
    print(sentence, flush=True)


if __name__ == "__main__":
    run(main)
