"""The readers of the registry, by the names of its rows.

A reader is called with a file per entry of `files` of its row: a path, or an open wheel (`sources.inputs_of`).

- A cohort reader takes the row first (own cohorts: and `settings`, the part `own` of the configuration) and returns a
  `studyfile.Cohort`.
- A clinical reader takes the row first and returns a table: patient, and a column per entry of `clinical`.
- A network reader takes the cohort and the settings first. It returns edges between positions of genes (-1 where a gene
  was not measured), their confidence, and optionally notes for the data summary.

The readers of gene sets are in study/data/gene_sets.py.
"""

from collections.abc import Callable

import pandas as pd

from study.data import networks, nki, own, published, survset, tcga
from study.data.pooled import pool
from study.data.registry import COHORTS, NETWORKS, CohortSpec
from study.data.sources import Wheel
from study.data.studyfile import Cohort, Study, check_cohort
from study.data.summary import summarise
from study.io import say


def read_pooled(spec: CohortSpec, **inputs: str | Wheel) -> Cohort:
    """Return the pooled patients; `inputs` are the files of the members, each named `<member>.<file>`."""
    members = {name: READERS[name](COHORTS[name], **files) for name, files in _by_member(inputs).items()}
    for name, cohort in members.items():
        say(f"{name}: {len(cohort.y)} patients, {cohort.y.sum()} with the event")
    return pool(members)


def read_pooled_clinical(spec: CohortSpec, **inputs: str | Wheel) -> pd.DataFrame:
    """Return the clinical columns of all members; columns that a cohort lacks are empty."""
    parts = []
    for name, files in _by_member(inputs).items():
        part = CLINICAL_READERS[name](COHORTS[name], **files)
        parts.append(part.assign(patient=name + ":" + part["patient"].astype(str)))
    return pd.concat(parts, ignore_index=True)


def _by_member(inputs: dict[str, str | Wheel]) -> dict[str, dict[str, str | Wheel]]:
    members: dict[str, dict[str, str | Wheel]] = {}
    for key, value in inputs.items():
        name, _, file = key.partition(".")
        members.setdefault(name, {})[file] = value
    return members


READERS: dict[str, Callable[..., Cohort]] = {
    "nki": nki.read_nki,
    "tcga": tcga.read_tcga,
    "gse1992": survset.read_symbols_cohort,
    "gse3143": survset.read_symbols_cohort,
    "gse4335": survset.read_symbols_cohort,
    "published": published.read_published,
    "pooled": read_pooled,
    "own": own.read_own,
}
CLINICAL_READERS: dict[str, Callable[..., pd.DataFrame]] = {
    "nki": nki.read_nki_clinical,
    "tcga": tcga.read_tcga_clinical,
    "gse1992": survset.read_symbols_clinical,
    "gse3143": survset.read_symbols_clinical,
    "gse4335": survset.read_symbols_clinical,
    "pooled": read_pooled_clinical,
}
NETWORK_READERS: dict[str, Callable[..., tuple]] = {
    "scnet": networks.read_scnet,
    "bioplex": networks.read_bioplex,
    "pathwaycommons": networks.read_pathwaycommons,
    "imex": networks.read_imex,
    "union": networks.read_union,
    "coexpression": networks.coexpression,
    "published": published.read_published_network,
    "own": own.read_own_edges,
}


def read_cohort(name: str, own: dict, inputs: dict[str, str | Wheel]) -> Cohort:
    """Return a cohort; `own` is that part of the configuration."""
    spec = COHORTS[name]
    cohort = READERS[name](spec, **({"settings": own} if spec.is_own else {}), **inputs)
    return check_cohort(cohort, own["expression"] if spec.is_own else name)


def read_clinical(name: str, inputs: dict[str, str | Wheel]) -> pd.DataFrame:
    """Return the clinical columns of a cohort; a table without rows where it has none."""
    if name not in CLINICAL_READERS:
        return pd.DataFrame(columns=["patient"])
    return CLINICAL_READERS[name](COHORTS[name], **inputs)


def prepare(
    cohort: Cohort, settings: dict, inputs: dict[str, str | Wheel], origin: str, known_genes: str
) -> tuple[Study, dict]:
    """Return a cohort on the network of `settings`, and its summary; `origin` names the network in errors."""
    row = NETWORKS[settings["network"]]
    edges, confidence, *notes = NETWORK_READERS[settings["network"]](cohort, settings, **inputs)
    least = settings["min_confidence"] if row.has_confidence else 0.0
    study = networks.join(cohort, edges, confidence, least, origin)
    networks.check_sizes(study.X.shape[1], settings)
    known = pd.read_csv(known_genes, dtype={"symbol": str})
    counts = networks.edge_counts(edges, confidence, least, study)
    return study, summarise(study, cohort, known, counts, [line for part in notes for line in part])
