"""Compare our metrics with the published tables, and the graph methods with the baselines."""

import pandas as pd

from study import tables
from study.data.registry import COHORTS
from study.evidence.paper import against_paper, against_paper_by_trial, as_text, picked, trials_as_text
from study.command import command
from study.io import write_text


def main(run: str, published: str, text: str, splits: str, settings: dict) -> None:
    summary, published = tables.read(run, "summary"), pd.read_csv(published, dtype={"trial": str})
    comparison = against_paper(summary, published, settings["folds"])
    groups = picked(tables.read(run, "metrics"))
    tables.write(run, "comparison", comparison)
    tables.write(run, "picked", groups)
    sentences = as_text(comparison, groups, settings | {"splits": splits})
    # Trial by trial the paper's numbers stand beside ours only where the patients are the same.
    if COHORTS[settings["cohort"]].is_papers:
        trials = against_paper_by_trial(summary, published)
        tables.write(run, "comparison_trials", trials)
        sentences += "\n" + trials_as_text(trials, splits == "stored")
    write_text(text, sentences)


if __name__ == "__main__":
    command(main)
