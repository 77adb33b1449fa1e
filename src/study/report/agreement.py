"""Whether the tables of a run are those of its fold files: numbers of other fits are not shown."""

from __future__ import annotations

from pathlib import Path

import pandas as pd

from study import tables
from study.cv.results import fold_tables, with_refits
from study.data.studyfile import Study
from study.errors import StudyError


def check_agreement(
    run: Path,
    frames: dict[str, pd.DataFrame],
    folds: list[dict],
    missing: list[tuple[str, int, int]],
    study: Study,
    config: dict,
) -> None:
    """Raise StudyError unless the tables in `frames` that are made of fold files are those of the `folds`.

    A method that is a target of its own is part of the tables when all its folds are finished.
    """
    lost = [fold for fold in missing if fold[0] in config["methods"]]
    if lost:
        method, trial, fold = lost[0]
        raise StudyError(
            f"{run}/fits/{method}/trial-{trial:02d}/fold-{fold}.json: expected the fold file that the tables were made "
            f"from, found none ({len(lost)} such files). Delete the file and run again."
        )
    unfinished = {fold[0] for fold in missing}
    whole = with_refits([fold for fold in folds if fold["method"] not in unfinished])
    for name, frame in fold_tables(whole, study, config).items():
        expected, found = tables.as_read(name, frame), frames[name][tables.columns(name)]
        if not found.equals(expected):
            raise StudyError(
                f"{tables.path(run, name)}: expected the table of the fold files in {run}/fits, found another: "
                f"{_difference(expected, found)}. Delete the file and run again."
            )


def _difference(expected: pd.DataFrame, found: pd.DataFrame) -> str:
    """Return where two tables differ first."""
    if len(expected) != len(found):
        return f"{len(found):,} rows instead of {len(expected):,}"
    for column in expected:
        differs = expected[column].ne(found[column]) & (expected[column].notna() | found[column].notna())
        if differs.any():
            row = differs.to_numpy().argmax()
            return f"{found[column].iloc[row]} instead of {expected[column].iloc[row]} in {column}, line {row + 2}"
    return "columns of another type"
