"""Patients who were lost before a horizon, and the weights of those who stand for them.

In numpy alone: every fit job imports this, and scikit-survival takes longer to start than many folds take to fit.
"""

import numpy as np

from study.errors import StudyError


def uncensored(time: np.ndarray, event: np.ndarray, at: np.ndarray) -> np.ndarray:
    """Return the share of patients still followed just before each of the times `at`.

    Kaplan and Meier's estimate of the censoring times. A patient with the event at the same time as another is lost
    counts as gone before the loss.
    """
    lost, number = np.unique(time[event != 1], return_counts=True)
    at_risk = (time[None, :] > lost[:, None]).sum(axis=1) + number
    return np.r_[1.0, np.cumprod(1 - number / at_risk)][np.searchsorted(lost, at, side="left")]


def by_horizon(time: np.ndarray, event: np.ndarray, horizon: float) -> tuple[np.ndarray, np.ndarray]:
    """Return (known, outcome): who was followed to the horizon or had the event before, and whether it came by then."""
    outcome = (event == 1) & (time <= horizon)
    return outcome | (time >= horizon), outcome.astype(np.int8)


def censoring_weights(
    time: np.ndarray, event: np.ndarray, horizon: float, reference_time: np.ndarray, reference_event: np.ndarray
) -> np.ndarray:
    """Return 1 / P(still followed) for patients whose outcome by the horizon is known, 0 for the others.

    P is the share of the reference patients still followed when the event came, or at the horizon; so those who are
    known stand for those who were lost at the same time.
    """
    known, _ = by_horizon(time, event, horizon)
    share = uncensored(reference_time, reference_event, np.minimum(time, horizon))
    if (share[known] == 0).any():
        raise StudyError(
            f"config: outcome: horizon: none of {len(reference_time)} patients is followed for {horizon:g}. Set an "
            "earlier horizon."
        )
    return np.divide(1.0, share, out=np.zeros(len(time)), where=known)
