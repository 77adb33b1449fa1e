"""Turn clinical columns into numbers, and into covariates of a regression."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from study.data.registry import Clinical
from study.errors import StudyError

CHANGED = "The source has changed: use the pinned wheel."


def check_columns(frame: pd.DataFrame, names: Sequence[str], origin: str) -> None:
    """Raise StudyError unless a table has the columns."""
    for name in names:
        if name not in frame.columns:
            raise StudyError(f"{origin}: none of the {len(frame.columns)} columns is called {name}. {CHANGED}")


def clinical_numbers(
    patients: Sequence[str], frame: pd.DataFrame, columns: tuple[Clinical, ...], origin: str
) -> pd.DataFrame:
    """Return patient and the clinical columns as numbers, a row per row of `frame`; unknown values are empty."""
    check_columns(frame, [column.column for column in columns], origin)
    numbers: dict[str, object] = {"patient": list(patients)}
    for column in columns:
        values = frame[column.column].astype(str)
        number = (values.map(column.codes) if column.codes else pd.to_numeric(values, errors="coerce")).astype(float)
        if not number.notna().any():
            raise StudyError(f"{origin}: column {column.column} ({column.meaning}) has no known value. {CHANGED}")
        if column.categories and not number.dropna().isin(column.categories).all():
            found = number.dropna()[~number.dropna().isin(column.categories)].iloc[0]
            known = ", ".join(map(str, column.categories))
            raise StudyError(f"{origin}: column {column.column} has {found:g}, which is none of {known}. {CHANGED}")
        numbers[column.name] = number.to_numpy()
    return pd.DataFrame(numbers)


def covariates(clinical: pd.DataFrame, columns: tuple[Clinical, ...]) -> pd.DataFrame:
    """Return the clinical columns as covariates.

    A column of categories becomes an indicator per category except the most frequent one. The indicators of a patient
    without a known category are unknown.
    """
    parts: dict[str, pd.Series] = {}
    for column in columns:
        values = clinical[column.name]
        if column.categories is None:
            parts[column.name] = values
            continue
        for code in values.value_counts().index[1:]:
            parts[f"{column.name} {column.categories[int(code)]}"] = (
                (values == code).astype(float).where(values.notna())
            )
    return pd.DataFrame(parts, index=clinical.index)
