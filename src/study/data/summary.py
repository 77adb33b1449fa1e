"""What is in a study file, as numbers and as text."""

from __future__ import annotations

import numpy as np

from study.data.studyfile import Study

QUANTILES = {"minimum": 0.0, "lower_quartile": 0.25, "median": 0.5, "upper_quartile": 0.75, "maximum": 1.0}


def summarise(study: Study, known_genes: np.ndarray) -> dict:
    """Return the counts of a study; `known_genes` has the columns entrez, symbol."""
    degree = np.bincount(study.edges.ravel(), minlength=study.X.shape[1])
    by_id = np.isin(known_genes[:, 0].astype(np.int64), study.entrez[study.entrez > 0])
    by_symbol = np.isin(known_genes[:, 1], study.symbol)
    measured, named, mapped = map(int, study.counts)
    return {
        "n_patients": study.X.shape[0],
        "n_events": int(study.y.sum()),
        "survival_times": study.has_times,
        "n_genes_measured": measured,
        "n_genes_named": named,
        "n_genes_mapped": mapped,
        "n_genes": study.X.shape[1],
        "n_edges": len(study.edges),
        "degree": {name: float(np.quantile(degree, q)) for name, q in QUANTILES.items()},
        "known_genes": sorted(known_genes[by_id | by_symbol, 1].tolist()),
    }


def as_text(summary: dict, settings: dict) -> str:
    """Return the summary for people."""
    degree = summary["degree"]
    return f"""# Cohort {settings["cohort"]}, network {settings["network"]}

- {summary["n_patients"]} patients, {summary["n_events"]} with the event; survival times \
{"known" if summary["survival_times"] else "not known"}
- {summary["n_genes_measured"]:,} genes measured, {summary["n_genes_named"]:,} named, \
{summary["n_genes_mapped"]:,} mapped to a gene
- {summary["n_genes"]:,} genes and {summary["n_edges"]:,} edges in the network's largest connected component
- degree: median {degree["median"]:g}, quartiles {degree["lower_quartile"]:g} and {degree["upper_quartile"]:g}, \
maximum {degree["maximum"]:g}
- known breast-cancer genes among them ({len(summary["known_genes"])}): {", ".join(summary["known_genes"]) or "none"}
"""
