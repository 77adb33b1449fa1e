"""Compare every pair of methods on every metric: differences, mean ranks, groups not told apart, pictures."""

from pathlib import Path

import pandas as pd

from study.evidence.differences import (
    cliques_table,
    differences_table,
    failed_folds,
    ranks_table,
    with_failures,
)
from study.evidence.paper import METRICS
from study.figures.evidence import critical_difference
from study.run.command import add_settings, parser, run
from study.run.files import write_text


def main() -> None:
    made = parser(
        __doc__, metrics="table, a row per fold", folder="folder for the tables; figures go in its figures/"
    )
    add_settings(made)
    arguments = made.parse_args()
    metrics = pd.read_csv(arguments.metrics)
    failed = failed_folds(metrics)
    differences = differences_table(metrics, arguments.settings["folds"])
    ranks = ranks_table(metrics)
    cliques = cliques_table(differences, ranks)
    folder = Path(arguments.folder)
    for name, table in {"differences": differences, "ranks": ranks, "cliques": cliques}.items():
        write_text(folder / f"{name}.csv", with_failures(table, failed).to_csv(index=False))
    for metric in METRICS:
        picture = critical_difference(ranks, cliques, metric, failed)
        write_text(folder / f"figures/ranks_{metric}.svg", picture)


if __name__ == "__main__":
    run(main)
