"""The section on settings: what the inner cross-validation chose, and how early stopping and penalty trade off."""

from __future__ import annotations

import pandas as pd

from study.figures.settings import early_stopping, inner_paths
from study.methods import headline, label
from study.report.blocks import Section, draw, make_table, paragraph
from study.report.columns import columns
from study.report.inputs import Inputs
from study.report.show import listed

NAMES = {
    "sparsity": "genes asked for",
    "lambda": "penalty λ",
    "C": "penalty C",
    "max_epochs": "epochs",
    "n_blocks": "blocks",
    "smoothing": "smoothing",
}
RARELY = 0.05


def section(inputs: Inputs) -> Section:
    """Return how often each setting was chosen, and the inner error by penalty and epochs."""
    chosen, figures, blocks = inputs.chosen, [], []
    if len(inputs.paths):
        judged = "AUC" if inputs.config["choose_by"] == "auc" else "accuracy (1 − balanced error)"
        name = headline(list(dict.fromkeys(inputs.paths["method"])))
        figures.append(
            draw(
                "early-stopping",
                f"Early stopping and penalty: {label(name)}",
                f"The best inner {judged} over the other settings, mean over folds, by number of epochs, a line per "
                "penalty; the circle is the best.",
                early_stopping(inputs.paths[inputs.paths["method"] == name], f"inner {judged}"),
            )
        )
        blocks.append(
            draw(
                "inner-paths",
                "Early stopping and penalty, every method",
                f"The best inner {judged} over the other settings, mean over folds, by penalty and number of epochs.",
                inner_paths(inputs.paths, inputs.methods),
            )
        )
    blocks.append(
        make_table(
            "chosen",
            "What was chosen how often",
            "How often each value of a setting was chosen inside the training sets.",
            chosen.assign(setting=chosen["setting"].map(NAMES)),
            columns("method setting value folds share is_end"),
            limit=12,
        )
    )
    lead = paragraph("{text}", text=ends_sentence(chosen))
    return Section("settings", "What was chosen inside", "Settings", lead, figures, blocks)


def ends_sentence(chosen: pd.DataFrame) -> str:
    """Return at which methods an end of the grid of penalties was chosen in more than one fold in twenty."""
    ends = chosen[chosen["is_end"] == 1].groupby("method", sort=False)["share"].sum()
    often = [f"{label(name)} {share:.0%}" for name, share in ends.items() if share > RARELY]
    if not often:
        return "No method chose an end of its grid of penalties in more than 5 % of the folds."
    return f"An end of the grid of penalties was chosen in more than 5 % of the folds by {listed(often)}."
