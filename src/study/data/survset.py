"""Read the tables of the survset wheel, and its cohorts whose columns are gene symbols."""

from pathlib import Path

import numpy as np
import pandas as pd

from study.data.clinical import clinical_numbers
from study.data.gene_names import human_aliases, human_genes, match_columns, read_aliases, read_annotation, read_names
from study.data.pickled import read_frame
from study.data.registry import CohortSpec
from study.data.sources import Wheel
from study.data.studyfile import Cohort

PICKLES = "SurvSet/resources/pickles"
GENE_PREFIX = "num_HS_"
MONTHS = 12  # their times are in months, ours in years


def read_survset(wheel: Wheel, name: str) -> pd.DataFrame:
    """Return one table of the survset wheel."""
    with wheel.open(f"{PICKLES}/{name}.pickle") as stream:
        return read_frame(stream, f"{wheel.path}:{name}")


def read_symbols_cohort(
    spec: CohortSpec, wheel: Wheel, names: Wheel, annotation: str | Path, aliases: str | Path
) -> Cohort:
    """Return a cohort with one column per Entrez gene, in ascending order of id.

    Columns of one gene are averaged; columns without a gene are dropped.
    """
    frame = read_survset(wheel, spec.table)
    columns = [column for column in frame.columns if column.startswith(GENE_PREFIX)]
    known, table = read_annotation(annotation), read_names(names)
    genes = human_genes(table, known)
    found = match_columns(
        [column.removeprefix(GENE_PREFIX) for column in columns],
        genes["entrez"].to_numpy(),
        genes["symbol"].to_numpy(),
        human_aliases(table, known, read_aliases(aliases)),
    )
    values = frame[columns].to_numpy(float)
    return Cohort(
        X=np.column_stack([values[:, hits].mean(axis=1) for _, hits in found.values()]),
        y=frame["event"].to_numpy(np.int8),
        time=frame["time"].to_numpy(float) / MONTHS,
        patients=frame["pid"].to_numpy(str),
        entrez=np.array(list(found), np.int64),
        symbol=genes.set_index("entrez")["symbol"][list(found)].to_numpy(str),
        counts=np.array([len(columns), len(columns), len(found)]),
    )


def read_symbols_clinical(spec: CohortSpec, wheel: Wheel, **unused: object) -> pd.DataFrame:
    """Return the clinical columns of every patient."""
    frame = read_survset(wheel, spec.table)
    return clinical_numbers(frame["pid"].astype(str), frame, spec.clinical)
