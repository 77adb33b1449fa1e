"""Join a cohort with a network: the canonical study file and what is in it."""

import sys

import numpy as np

from study.data.cohorts import read_own_edges
from study.data.networks import by_entrez, coexpression, join, read_bioplex, read_scnet
from study.data.sources import read_sources
from study.data.studyfile import Cohort, Study, check_study
from study.data.summary import as_text, summarise
from study.run.command import add_settings, parser, run
from study.run.errors import StudyError
from study.run.files import write_json, write_text


def read_study(cohort: Cohort, table: list[str], settings: dict, sources_path: str) -> Study:
    """Return the cohort on the configured network, cut to its largest component."""
    network = settings["network"]
    sources = read_sources(sources_path)
    min_confidence = settings["min_confidence"]
    if network == "scnet":
        edges, confidence = by_entrez(read_scnet(table[0], sources["scnet"]), cohort.entrez)
    elif network == "bioplex":
        edges, confidence = by_entrez(read_bioplex(table[0], sources["cptac"]), cohort.entrez)
    elif network == "coexpression":
        edges, confidence = coexpression(cohort.X, settings["coexpression_neighbours"])
        min_confidence = 0.0  # the neighbours are chosen by rank, not by strength
    else:
        edges, confidence = read_own_edges(table[0], cohort.symbol, settings["own"]["unknown_genes"])
    origin = table[0] if table else network
    study = check_study(join(cohort, edges, confidence, min_confidence, origin), origin)
    left_out = cohort.X.shape[1] - study.X.shape[1]
    if left_out:
        print(
            f"{origin}: {left_out} genes outside the largest connected component are left out",
            file=sys.stderr,
        )
    return study


def check_settings(study: Study, settings: dict) -> None:
    """Raise StudyError when the grid asks for more genes than the network has."""
    n_genes, largest = study.X.shape[1], max(settings["sparsities"])
    if largest > n_genes:
        raise StudyError(
            f"config: sparsities: expected at most the network's {n_genes} genes, found {largest}."
        )
    smallest = min(settings["sparsities"])
    if settings["n_components"] > smallest:
        raise StudyError(
            f"config: n_components: expected at most the smallest sparsity, {smallest}, found "
            f"{settings['n_components']}."
        )


def main() -> None:
    made = parser(
        __doc__,
        sources="table of pinned wheels",
        cohort="the cohort file",
        known_genes="table entrez, symbol of known breast-cancer genes",
        study="the study file to write",
        summary="its summary as JSON",
        text="its summary as text",
    )
    made.add_argument("--table", nargs="*", default=[], help="the network's table; none for co-expression")
    add_settings(made)
    arguments = made.parse_args()
    study = read_study(Cohort.load(arguments.cohort), arguments.table, arguments.settings, arguments.sources)
    check_settings(study, arguments.settings)
    known = np.loadtxt(arguments.known_genes, delimiter=",", skiprows=1, dtype=str, ndmin=2)
    summary = summarise(study, known)
    study.save(arguments.study)
    write_json(arguments.summary, summary)
    write_text(arguments.text, as_text(summary, arguments.settings))


if __name__ == "__main__":
    run(main)
