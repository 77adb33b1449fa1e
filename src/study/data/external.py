"""Cohorts the models never saw: three others of breast cancer, on other platforms, from the same public wheel."""

from __future__ import annotations

import numpy as np
import pandas as pd

from study.data.nki import check_counts, clinical_numbers, read_survset
from study.data.registry import COHORTS
from study.data.sources import Wheel
from study.data.studyfile import Cohort, check_cohort
from study.data.symbols import match_columns

GENE_PREFIX = "num_HS_"


def read_external(name: str, wheel: Wheel, genes: Cohort, aliases: pd.DataFrame) -> tuple[Cohort, pd.DataFrame]:
    """Return (cohort, clinical table) with the genes of `genes` that were measured there, by Entrez id.

    `counts` of the cohort: genes measured there, found by current symbol, found in all.
    """
    frame, spec = read_survset(wheel, name), COHORTS[name]
    check_counts(frame, spec, f"{wheel.path}:{name}")
    columns = [column for column in frame.columns if column.startswith(GENE_PREFIX)]
    found = match_columns([column.removeprefix(GENE_PREFIX) for column in columns], genes.entrez, genes.symbol, aliases)
    values = frame[columns].to_numpy(float)
    symbol = dict(zip(map(int, genes.entrez), genes.symbol, strict=True))
    by_symbol = sum(step == "symbol" for step, _ in found.values())
    cohort = Cohort(
        X=np.column_stack([values[:, hits].mean(axis=1) for _, hits in found.values()]),
        y=frame["event"].to_numpy(np.int8),
        time=frame["time"].to_numpy(float),
        patients=frame["pid"].to_numpy(str),
        entrez=np.array(list(found), np.int64),
        symbol=np.array([symbol[gene] for gene in found]),
        counts=np.array([len(columns), by_symbol, len(found)]),
    )
    clinical = clinical_numbers(frame, spec.clinical)
    clinical.insert(0, "patient", cohort.patients)
    return check_cohort(cohort, f"{wheel.path}:{name}"), clinical
