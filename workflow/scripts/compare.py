"""Compare our metrics with the paper's, and the graph methods with the baselines."""

import pandas as pd

from study.command import command
from study.data.registry import COHORTS
from study.evidence.differences import difference_tables
from study.evidence.paper import against_paper, against_paper_by_trial, as_text, picked
from study.io import write_text
from study.tables import empty, read, write_all


def main(metrics: str, summary: str, published: str, splits: str, settings: dict, tables: list, text: str) -> None:
    ours, theirs, by_fold = read(summary), pd.read_csv(published, dtype={"trial": str}), read(metrics)
    comparison, groups = against_paper(ours, theirs, settings["folds"]), picked(by_fold)
    # Trial by trial only where the patients are the paper's.
    same = COHORTS[settings["cohort"]].is_papers
    trials = against_paper_by_trial(ours, theirs) if same else empty("comparison_trials")
    frames = {"comparison": comparison, "picked": groups, "comparison_trials": trials}
    write_all(tables, frames | difference_tables(by_fold, settings["folds"]))
    write_text(text, as_text(comparison, groups, settings | {"splits": splits}))


command(main)
