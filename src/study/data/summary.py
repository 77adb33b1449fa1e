"""Summarise a study file, as numbers and as text."""

import numpy as np
import pandas as pd

from study.data.studyfile import Cohort, Study

QUANTILES = {"minimum": 0.0, "lower_quartile": 0.25, "median": 0.5, "upper_quartile": 0.75, "maximum": 1.0}


def summarise(study: Study, cohort: Cohort, known: pd.DataFrame, edges: dict[str, int], notes: list[str]) -> dict:
    """Return the counts of a study, made from a cohort with more genes.

    `known` has the entrez and symbol of known genes; `edges` comes from `networks.edge_counts`; `notes` are lines about
    the network's files. Of the known genes listed those measured can be found, and of these those in the network.
    """
    degree = np.bincount(study.edges.ravel(), minlength=study.X.shape[1])
    measured, named, mapped = map(int, study.counts)
    return {
        "n_patients": study.X.shape[0],
        "n_events": int(study.y.sum()),
        "survival_times": study.has_times,
        "follow_up": {name: float(np.quantile(study.time, q)) for name, q in QUANTILES.items()}
        if study.has_times
        else None,
        "n_genes_measured": measured,
        "n_genes_named": named,
        "n_genes_mapped": mapped,
        "n_genes": study.X.shape[1],
        "n_edges": len(study.edges),
        "edges": edges,
        "degree": {name: float(np.quantile(degree, q)) for name, q in QUANTILES.items()},
        "known_genes_listed": len(known),
        "known_genes_measured": len(_among(known, cohort)),
        "known_genes": _among(known, study),
        "notes": [*study.notes.tolist(), *notes],
    }


def _among(known: pd.DataFrame, cohort: Cohort) -> list[str]:
    """Return the symbols of the known genes that a cohort has, by id or by symbol."""
    by_id = known["entrez"].isin(cohort.entrez[cohort.entrez > 0])
    return sorted(known.loc[by_id | known["symbol"].isin(cohort.symbol), "symbol"])


def as_text(summary: dict, settings: dict) -> str:
    """Return the summary as Markdown."""
    degree, edges, follow_up = summary["degree"], summary["edges"], summary["follow_up"]
    dropped = [f"{number:,} {why}" for why, number in edges.items() if number and why not in ("read", "kept")]
    lines = [
        f"{summary['n_patients']} patients, {summary['n_events']} with the event; survival times "
        + (
            "not known"
            if follow_up is None
            else f"from {follow_up['minimum']:.3g} to {follow_up['maximum']:.3g}, median {follow_up['median']:.3g}"
        ),
        f"{summary['n_genes_measured']:,} genes measured, {summary['n_genes_named']:,} named, "
        f"{summary['n_genes_mapped']:,} mapped to a human gene",
        f"{edges['read']:,} edges read, {edges['kept']:,} kept"
        + (f"; dropped: {'; '.join(dropped)}" if dropped else ""),
        f"{summary['n_genes']:,} genes and {summary['n_edges']:,} edges in the network's largest connected component",
        f"degree: median {degree['median']:g}, quartiles {degree['lower_quartile']:g} and "
        f"{degree['upper_quartile']:g}, maximum {degree['maximum']:g}",
        *summary["notes"],
    ]
    if summary["known_genes"]:
        known = summary["known_genes"]
        lines.append(
            f"known breast-cancer genes among them ({len(known)} of {summary['known_genes_listed']}; "
            f"{summary['known_genes_measured']} are measured): {', '.join(known)}"
        )
    return f"# Cohort {settings['cohort']}, network {settings['network']}\n\n" + "".join(
        f"- {line}\n" for line in lines
    )
