"""Compare our metrics with the published tables, and the graph methods with the peers."""

import pandas as pd

from study.evidence.paper import against_paper, against_paper_by_trial, as_text, picked, trials_as_text
from study.run.command import add_settings, parser, run
from study.run.files import write_text


def main() -> None:
    made = parser(
        __doc__,
        metrics="table, a row per fold",
        summary="table, a row per method and trial",
        published="the paper's tables",
        comparison="table to write, a row per method and metric",
        picked="table to write, a row per group and fold",
        text="the same for people",
    )
    made.add_argument(
        "--splits", choices=["stored", "ours"], required=True, help="outer folds of the cohort published"
    )
    made.add_argument("--trials", nargs="*", default=[], help="table to write, a row per trial, or none")
    add_settings(made)
    arguments = made.parse_args()
    summary = pd.read_csv(arguments.summary, dtype={"trial": str})
    published = pd.read_csv(arguments.published, dtype={"trial": str})
    comparison = against_paper(summary, published, arguments.settings["folds"])
    table = picked(pd.read_csv(arguments.metrics))
    write_text(arguments.comparison, comparison.to_csv(index=False))
    write_text(arguments.picked, table.to_csv(index=False))
    text = as_text(comparison, table, {**arguments.settings, "splits": arguments.splits})
    for path in arguments.trials:
        trials = against_paper_by_trial(summary, published)
        write_text(path, trials.to_csv(index=False))
        text += "\n" + trials_as_text(trials, arguments.splits == "stored")
    write_text(arguments.text, text)


if __name__ == "__main__":
    run(main)
