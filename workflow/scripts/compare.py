"""Compare our metrics with the paper's, and the graph methods with the baselines."""

import pandas as pd

from study.command import command
from study.evidence.differences import differences_table
from study.evidence.paper import against_paper, against_paper_by_trial, as_text, paper_tables, picked
from study.io import write_text
from study.tables import read, write_all


def main(
    metrics: str,
    summary: str,
    fits: str,
    union: str,
    published: str,
    splits: str,
    settings: dict,
    tables: list,
    text: str,
) -> None:
    ours, theirs, by_fold = read(summary), pd.read_csv(published, dtype={"trial": str}), read(metrics)
    comparison, groups = against_paper(ours, theirs, settings["folds"]), picked(by_fold)
    trials, papers = against_paper_by_trial(ours, theirs), paper_tables(ours, comparison, read(union), read(fits))
    frames = {"comparison": comparison, "picked": groups, "comparison_trials": trials}
    write_all(tables, frames | {"evidence/differences": differences_table(by_fold, settings["folds"])})
    write_text(text, as_text(comparison, groups, settings | {"splits": splits}, papers))


command(main)
