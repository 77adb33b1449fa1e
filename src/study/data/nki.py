"""Read the NKI cohort: patients, clinical columns, and the genes of the 70-gene signature."""

from pathlib import Path

import numpy as np
import pandas as pd

from study.data.clinical import clinical_numbers
from study.data.gene_names import match_columns, read_annotation
from study.data.naming import align_rounded, name_columns, values_of
from study.data.registry import CohortSpec
from study.data.sources import Wheel
from study.data.studyfile import Cohort
from study.data.survset import read_survset


def read_nki(spec: CohortSpec, wheel: Wheel, annotation: str | Path) -> Cohort:
    """Return the 295 patients of van de Vijver et al. with one column per Entrez gene.

    The names of the genes are recovered from two smaller tables (see `study.data.naming`). Probes of one gene are
    averaged, genes are sorted by Entrez id, and the outcome is death in follow-up.
    """
    dbcd = read_survset(wheel, spec.table)
    X, _ = values_of(dbcd)
    probes = name_columns(dbcd, read_survset(wheel, "vdv"), read_survset(wheel, "nki70"))
    genes = read_annotation(annotation)
    known = probes.rename("probe").rename_axis("column").reset_index().merge(genes, on="probe", validate="1:1")
    by_gene = known.groupby("entrez", sort=True)
    symbol = by_gene["symbol"].first()
    averaged = np.column_stack([X[:, columns.to_numpy()].mean(axis=1) for _, columns in by_gene["column"]])
    return Cohort(
        X=averaged,
        y=dbcd["event"].to_numpy(np.int8),
        time=dbcd["time"].to_numpy(float),
        patients=np.array([f"NKI-{pid:03d}" for pid in dbcd["pid"]]),
        entrez=symbol.index.to_numpy(np.int64),
        symbol=symbol.to_numpy(str),
        counts=np.array([X.shape[1], len(probes), len(symbol)]),
    )


def read_nki_clinical(spec: CohortSpec, wheel: Wheel, annotation: str | Path) -> pd.DataFrame:
    """Return the clinical columns of the 144 patients in the smaller table nki70, matched by their expression.

    Its event is metastasis, that of the cohort is death.
    """
    dbcd, nki70 = read_survset(wheel, spec.table), read_survset(wheel, "nki70")
    rows, _ = align_rounded(values_of(nki70)[0], values_of(dbcd)[0])
    patients = [f"NKI-{dbcd['pid'].iloc[row]:03d}" for row in rows]
    columns = (*spec.clinical, spec.other_event) if spec.other_event else spec.clinical
    clinical = clinical_numbers(patients, nki70, columns)
    return clinical.sort_values("patient", ignore_index=True)


def read_seventy(wheel: Wheel, genes: Cohort, annotation: pd.DataFrame, aliases: pd.DataFrame) -> pd.DataFrame:
    """Return name, entrez (0 if unknown) and symbol of the genes of the 70-gene signature.

    A name is a probe of the annotation, a current symbol or an older one. Suffixes _1 and _2 number probes of a gene.
    """
    _, names = values_of(read_survset(wheel, "nki70"))
    measured = set(genes.entrez.tolist())
    by_probe = dict(zip(annotation["probe"], annotation["entrez"], strict=True))
    found = match_columns([_unnumbered(name) for name in names], genes.entrez, genes.symbol, aliases)
    by_name = {position: gene for gene, (_, hits) in found.items() for position in hits}
    entrez = [by_probe.get(name, by_name.get(position, 0)) for position, name in enumerate(names)]
    entrez = [gene if gene in measured else 0 for gene in entrez]
    symbol = dict(zip(genes.entrez.tolist(), genes.symbol, strict=True))
    table = {"name": names, "entrez": entrez, "symbol": [symbol.get(gene, "") for gene in entrez]}
    return pd.DataFrame(table)


def _unnumbered(name: str) -> str:
    base, _, number = name.rpartition("_")
    return base if base and number in ("1", "2") else name
