"""Read patients, expression, outcome and clinical columns of a cohort."""

from study.command import command
from study.data.readers import read_clinical, read_cohort
from study.data.registry import files_of
from study.data.sources import inputs_of
from study.io import say, write_text


def main(
    name: str, members: list, own: dict, sources: str, published: str, files: list, cohort: str, clinical: str
) -> None:
    inputs = inputs_of(files_of(name, members), files, sources, published)
    read = read_cohort(name, own, inputs)
    say(f"{name}: {len(read.y)} patients, {read.y.sum()} with the event; {len(read.symbol):,} genes")
    read.save(cohort)
    write_text(clinical, read_clinical(name, inputs).to_csv(index=False))


command(main)
