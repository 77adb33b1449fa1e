"""Compare our metrics with the paper's, and the graph methods with the baselines."""

import pandas as pd

from study.command import command
from study.data.registry import COHORTS
from study.evidence.paper import against_paper, against_paper_by_trial, as_text, picked
from study.io import write_text
from study.tables import empty, read, write_all


def main(metrics: str, summary: str, published: str, splits: str, settings: dict, tables: list, text: str) -> None:
    ours, theirs = read(summary), pd.read_csv(published, dtype={"trial": str})
    comparison, groups = against_paper(ours, theirs, settings["folds"]), picked(read(metrics))
    # Trial by trial only where the patients are the paper's.
    same = COHORTS[settings["cohort"]].is_papers
    trials = against_paper_by_trial(ours, theirs) if same else empty("comparison_trials")
    write_all(tables, {"comparison": comparison, "picked": groups, "comparison_trials": trials})
    write_text(text, as_text(comparison, groups, settings | {"splits": splits}))


command(main)
