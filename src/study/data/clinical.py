"""Turn clinical columns into numbers, and into covariates of a regression."""

from collections.abc import Sequence

import pandas as pd

from study.data.registry import Clinical


def clinical_numbers(patients: Sequence[str], frame: pd.DataFrame, columns: tuple[Clinical, ...]) -> pd.DataFrame:
    """Return patient and the clinical columns as numbers, a row per row of `frame`; unknown values are empty."""
    numbers: dict[str, object] = {"patient": list(patients)}
    for column in columns:
        values = frame[column.column].astype(str)
        number = values.map(column.codes) if column.codes else pd.to_numeric(values, errors="coerce")
        numbers[column.name] = number.to_numpy(float)
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
