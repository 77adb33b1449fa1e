"""What the inner cross-validation chose, and how early stopping and penalty trade off."""

from study.figures.methods import early_stopping
from study.report.blocks import Section
from study.report.columns import columns
from study.report.inputs import Inputs, first_method

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
    shown, chosen, paths = Section(), inputs.chosen, inputs.paths
    by_error = inputs.config["scoring"] == "balanced_error"
    scoring = "accuracy (1 − balanced error)" if by_error else inputs.leading_name
    name = first_method(paths)
    if name:
        shown.draw("early-stopping", early_stopping(paths[paths["method"] == name], f"inner {scoring}"))
    frame = chosen.assign(setting=chosen["setting"].map(NAMES))
    shown.tabulate("chosen", frame, columns("method setting value folds share is_end"), limit=12)
    # A distilled model has two penalties.
    at_end = chosen[chosen["is_end"] == 1].groupby(["method", "setting"], sort=False)["share"].sum()
    ends = at_end.groupby("method", sort=False).max()
    shown.numbers = {"scoring": scoring, "method": name, "ends": ends[ends > RARELY].to_dict()}
    return shown
