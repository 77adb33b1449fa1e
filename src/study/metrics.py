"""The registry of metrics: what a fold is judged by."""

from collections.abc import Collection
from typing import NamedTuple

# Our choice, not pre-registered: smaller differences in AUC or balanced error do not matter.
MARGIN = 0.02


class Metric(NamedTuple):
    """A metric: its name for people, its decimals, and which way is better.

    `is_quality` is false for what is neither good nor bad by itself.
    """

    label: str
    digits: int
    lower_is_better: bool
    is_quality: bool = True

    def sign(self) -> int:
        """Return 1 where lower is better, else -1."""
        return 1 if self.lower_is_better else -1


# The error is at the cut-off that each method chose inside its training set, by one rule for all; the paper's, at
# probability one half, also depends on how a method sets its intercept.
# Concordance is of studies that learn Cox's model, and then comes first.
METRICS = {
    "concordance": Metric("Concordance", 3, False),
    "auc": Metric("AUC", 3, False),
    "balanced_error_tuned": Metric("Balanced error", 3, True),
    "balanced_error": Metric("Balanced error at one half", 3, True),
    "n_nonzero": Metric("Genes selected", 1, True, is_quality=False),
}


def metrics_of(columns: Collection[str]) -> list[str]:
    """Return the metrics that a table with these columns has, the leading one first."""
    return [name for name in METRICS if name in columns]
