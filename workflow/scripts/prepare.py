"""Join a cohort with a network: the study file and what is in it."""

import pandas as pd

from study.command import command
from study.data.networks import check_sizes, edge_counts, join
from study.data.readers import NETWORK_READERS
from study.data.registry import NETWORKS
from study.data.sources import inputs_of
from study.data.studyfile import Cohort, check_study
from study.data.summary import as_text, summarise
from study.io import say, write_json, write_text


def main(
    cohort: str,
    sources: str,
    published: str,
    files: list,
    known_genes: str,
    settings: dict,
    study: str,
    summary: str,
    text: str,
) -> None:
    patients, network = Cohort.load(cohort), settings["network"]
    inputs = inputs_of(NETWORKS[network].files, files, sources, published)
    edges, confidence, *notes = NETWORK_READERS[network](patients, settings, **inputs)
    origin = files[0] if files else network
    least = settings["min_confidence"] if NETWORKS[network].has_confidence else 0.0
    joined = check_study(join(patients, edges, confidence, least, origin), origin)
    check_sizes(joined.X.shape[1], settings)
    known = pd.read_csv(known_genes, dtype=str).to_numpy()
    counts = summarise(
        joined, known, edge_counts(edges, confidence, least, joined), [line for part in notes for line in part]
    )
    say(as_text(counts, settings))
    joined.save(study)
    write_json(summary, counts)
    write_text(text, as_text(counts, settings))


command(main)
