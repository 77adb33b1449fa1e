"""Compare our metrics with the published tables, and the graph methods with the peers."""

import pandas as pd

from study.command import add_settings, parser, run
from study.comparison import against_paper, as_text, picked
from study.files import write_text


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
    add_settings(made)
    arguments = made.parse_args()
    summary = pd.read_csv(arguments.summary, dtype={"trial": str})
    published = pd.read_csv(arguments.published, dtype={"trial": str})
    comparison = against_paper(summary, published, arguments.settings["folds"])
    table = picked(pd.read_csv(arguments.metrics))
    write_text(arguments.comparison, comparison.to_csv(index=False))
    write_text(arguments.picked, table.to_csv(index=False))
    write_text(arguments.text, as_text(comparison, table, arguments.settings))


if __name__ == "__main__":
    run(main)
