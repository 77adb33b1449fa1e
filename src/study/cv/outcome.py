"""The outcome that fits learn: the event, the event by a horizon, or its time, and the weight of each patient."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from study.data.studyfile import Cohort
from study.errors import StudyError
from study.stats.censoring import by_horizon, censoring_weights
from study.stats.resampling import concordances, ordered_pairs

# A larger share of patients who are lost before half of the events is worth a warning.
MANY = 0.1


@dataclass(frozen=True)
class Outcome:
    """The outcome of each patient.

    Attributes
    ----------
    y : int8 array (patients,)
        What is learned: 1 where the event happened, by the horizon if there is one.
    cohort : Cohort
        With times, events and, of pooled patients, the cohorts they come from.
    horizon : float, optional
        In the unit of the times. Patients censored before it get weight 0.
    is_weighted : bool
        Whether patients with a known outcome are weighted by the inverse probability of being followed.
    is_cox : bool
        Whether fits learn Cox's model of the times.
    """

    y: np.ndarray
    cohort: Cohort
    horizon: float | None = None
    is_weighted: bool = False
    is_cox: bool = False

    @classmethod
    def of(cls, cohort: Cohort, settings: dict) -> Self:
        """Return the outcome that the part `outcome` of the settings asks for."""
        wanted = settings.get("outcome") or {}
        horizon, is_cox = wanted.get("horizon"), wanted.get("model") == "cox"
        if horizon is None and not is_cox:
            return cls(cohort.y, cohort)
        if not cohort.has_times:
            key = "model: cox" if is_cox else "horizon"
            raise StudyError(
                f"config: outcome: {key}: the cohort has no survival times. Remove the key, or name their column."
            )
        if is_cox:
            return cls(cohort.y, cohort, is_cox=True)
        return cls(by_horizon(cohort.time, cohort.y, horizon)[1], cohort, float(horizon), wanted["censoring"] == "ipcw")

    @property
    def target(self) -> np.ndarray:
        """What learners get of each patient: y, or, for Cox's model, her time, negative where she is censored."""
        return np.where(self.y == 1, self.cohort.time, -self.cohort.time) if self.is_cox else self.y

    @property
    def warning(self) -> str:
        """A sentence if many patients are lost early and count as if they had no event; else empty."""
        if self.is_cox or self.horizon is not None or not self.cohort.has_times:
            return ""
        middle = np.median(self.cohort.time[self.y == 1])
        lost = np.mean((self.y == 0) & (self.cohort.time < middle))
        if lost <= MANY:
            return ""
        return (
            f"{lost:.0%} of the patients are lost before {middle:.3g}, the median time of an event, and count as "
            "patients without it; use the times: `outcome: {model: cox}` (--survival), or `outcome: {horizon: T}` "
            "(--horizon T) for the event by a time T"
        )

    def concordance(self, rows: np.ndarray, score: np.ndarray) -> float:
        """Return Harrell's concordance of the scores of some rows."""
        pairs = ordered_pairs(self.cohort.time[rows], self.y[rows] == 1).astype(float)
        value = float(concordances(score, pairs, np.ones((1, len(rows))))[0])
        if np.isnan(value):
            raise StudyError(
                "config: folds, inner_folds: a fold has no event before the time of another patient, so no "
                "concordance. Use fewer folds."
            )
        return value

    @property
    def known(self) -> np.ndarray:
        """Whether each patient's outcome is known: by the horizon, if there is one."""
        if self.horizon is None:
            return np.ones(len(self.y), bool)
        return by_horizon(self.cohort.time, self.cohort.y, self.horizon)[0]

    def ipcw_weights(self, rows: np.ndarray, reference: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
        """Return (rows with a positive weight, their weights); the weights are None if unweighted.

        The probability of being followed is estimated in the `reference` rows of the same cohort. If the whole cohort
        was left out, so that there are none, it is estimated in `rows`. Pooled cohorts have equal weight, and in each
        cohort so have both classes.
        """
        if self.horizon is None and not self.cohort.is_pooled:
            return rows, None
        weights = np.ones(len(rows))
        source = self.cohort.source
        for name in np.unique(source[rows]) if self.horizon is not None else []:
            own = source[rows] == name
            weights[own] = self._of_known(rows[own], reference[source[reference] == name])
        rows, weights = rows[weights > 0], weights[weights > 0]
        if self.cohort.is_pooled:
            for name in np.unique(source[rows]):
                for label in (0, 1):
                    part = (source[rows] == name) & (self.y[rows] == label)
                    weights[part] /= weights[part].sum()
        return rows, weights

    def _of_known(self, rows: np.ndarray, reference: np.ndarray) -> np.ndarray:
        time, event = self.cohort.time, self.cohort.y
        if not self.is_weighted:
            return by_horizon(time[rows], event[rows], self.horizon)[0].astype(float)
        reference = reference if len(reference) else rows
        return censoring_weights(time[rows], event[rows], self.horizon, time[reference], event[reference])
