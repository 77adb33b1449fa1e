"""Join a cohort with a network: the study file and what is in it."""

from study.command import command
from study.data.readers import prepare
from study.data.registry import NETWORKS
from study.data.sources import inputs_of
from study.data.studyfile import Cohort
from study.data.summary import as_text
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
    network = settings["network"]
    inputs = inputs_of(NETWORKS[network].files, files, sources, published)
    joined, counts = prepare(Cohort.load(cohort), settings, inputs, files[0] if files else network, known_genes)
    joined.save(study)
    write_json(summary, counts)
    write_text(text, as_text(counts, settings))
    for note in counts["notes"]:
        if "warning: " in note:
            say(note)


command(main)
