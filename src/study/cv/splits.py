"""Outer and inner folds: which patients are scored, and which patients may be used for tuning."""

import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np

from study.errors import StudyError
from study.io import read_arrays, write_arrays


def generator(seed: int, trial: int, fold: int, purpose: str) -> np.random.Generator:
    """Return the random generator of one purpose in one fold; the method is deliberately not part of it."""
    return np.random.default_rng([seed, trial, fold, zlib.crc32(purpose.encode())])


def stratified(y: np.ndarray, n_folds: int, rng: np.random.Generator) -> np.ndarray:
    """Return a fold number 1..n_folds for each entry of `y`, shuffled within classes.

    Patients are assigned to folds in turn, one class after the other, so fold sizes and class counts differ by at most
    one.
    """
    order = np.concatenate([rng.permutation(np.flatnonzero(y == label)) for label in (1, 0)])
    fold = np.empty(len(y), np.int8)
    fold[order] = 1 + np.arange(len(y)) % n_folds
    return fold


def trial_and_fold(path: str | Path) -> tuple[int, int]:
    """Return the trial and the fold of a file named .../trial-<number>/fold-<number>.<ending>."""
    path = Path(path)
    return int(path.parent.name.removeprefix("trial-")), int(path.stem.removeprefix("fold-"))


@dataclass(frozen=True)
class Splits:
    """Fold numbers from 1 for every patient.

    Attributes
    ----------
    outer : int8 array (trials, patients)
        The fold in which the patient is a test patient.
    inner : int8 array (trials, folds, patients)
        The inner fold within the outer training set; 0 for patients outside it, the outer test fold among them.
    first : int
        The number of the first trial.
    """

    outer: np.ndarray
    inner: np.ndarray
    first: int = 1

    def test(self, trial: int, fold: int) -> np.ndarray:
        """Return the rows of the outer test fold."""
        return np.flatnonzero(self.outer[trial - self.first] == fold)

    def train(self, trial: int, fold: int) -> np.ndarray:
        """Return the rows of the outer training set."""
        return np.flatnonzero(self.inner[trial - self.first, fold - 1] != 0)

    def validation(self, trial: int, fold: int, inner: int) -> np.ndarray:
        """Return the rows, of the whole matrix, that inner fold `inner` holds out."""
        return np.flatnonzero(self.inner[trial - self.first, fold - 1] == inner)

    def fitting(self, trial: int, fold: int, inner: int) -> np.ndarray:
        """Return the rows, of the whole matrix, on which inner fold `inner` fits."""
        numbers = self.inner[trial - self.first, fold - 1]
        return np.flatnonzero((numbers != 0) & (numbers != inner))

    @property
    def n_outer(self) -> int:
        """Number of outer folds."""
        return self.inner.shape[1]

    def n_inner(self, trial: int, fold: int) -> int:
        """Return the number of inner folds within an outer training set."""
        return int(self.inner[trial - self.first, fold - 1].max())

    def save(self, path: str | Path) -> None:
        """Write the folds of one trial: a file each, so that further trials leave those before them as they are."""
        (outer,), (inner,) = self.outer, self.inner
        write_arrays(path, {"outer": outer, "inner": inner, "trial": np.array(self.first)})

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Return what `save` wrote."""
        stored = read_arrays(path, ("outer", "inner", "trial"))
        return cls(stored["outer"][None], stored["inner"][None], int(stored["trial"]))


def make_splits(
    y: np.ndarray, seed: int, trials: int, folds: int, inner_folds: int, first: int = 1, known: np.ndarray | None = None
) -> Splits:
    """Return `trials` stratified outer splits, numbered from `first`, and inner ones within each outer training set.

    Of patients whose outcome is not `known` there may be any number.
    """
    counted = y if known is None else y[known]
    for label, meaning in ((1, "with"), (0, "without")):
        count = int((counted == label).sum())
        # Every inner fitting set must keep patients of both classes, and every fold must hold one.
        smallest_training = count - -(-count // folds)
        if count < folds or smallest_training < inner_folds:
            raise StudyError(
                f"config: folds, inner_folds: {count} patients {meaning} the event are too few for {folds} folds with "
                f"{inner_folds} inner folds in every training set. Use fewer folds."
            )
    numbers = range(first, first + trials)
    outer = [stratified(y, folds, generator(seed, trial, 0, "outer folds")) for trial in numbers]
    return draw_inner(np.array(outer), y, seed, inner_folds, first)


def draw_inner(outer: np.ndarray, y: np.ndarray, seed: int, inner_folds: int, first: int = 1) -> Splits:
    """Return the outer folds (trials, patients) with stratified inner ones drawn within each training set."""
    trials, folds = len(outer), int(outer.max())
    inner = np.zeros((trials, folds, len(y)), np.int8)
    for t in range(trials):
        for f in range(folds):
            training = np.flatnonzero(outer[t] != f + 1)
            fewest = int(np.bincount(y[training], minlength=2).min())
            if fewest < inner_folds:
                raise StudyError(
                    f"config: inner_folds: {inner_folds} are more than the {fewest} patients of the smaller class in "
                    f"the training set of trial {first + t}, fold {f + 1}. Use fewer."
                )
            inner[t, f, training] = stratified(
                y[training], inner_folds, generator(seed, first + t, f + 1, "inner folds")
            )
    return Splits(outer.astype(np.int8), inner, first)


def leave_cohorts_out(source: np.ndarray, cohorts: list[str], rounds: list[list[str]], first: int = 1) -> Splits:
    """Return folds that are cohorts: fold k tests the k-th of `cohorts`, the inner folds are the others.

    In each round, numbered from `first`, only the cohorts it names are trained on; each is tested in every round.
    """
    number = {name: position for position, name in enumerate(cohorts, start=1)}
    outer = np.array([number[name] for name in source], np.int8)
    inner = np.zeros((len(rounds), len(cohorts), len(source)), np.int8)
    for r, trained in enumerate(rounds):
        for f, tested in enumerate(cohorts):
            for position, name in enumerate((name for name in trained if name != tested), start=1):
                inner[r, f, source == name] = position
    return Splits(np.tile(outer, (len(rounds), 1)), inner, first)
