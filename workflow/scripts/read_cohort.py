"""Read patients, expression and outcome of a cohort."""

from study.command import command
from study.data.readers import read_cohort
from study.data.registry import files_of
from study.data.sources import inputs_of
from study.io import say


def main(name: str, members: list, own: dict, sources: str, published: str, files: list, cohort: str) -> None:
    read = read_cohort(name, own, inputs_of(files_of(name, members), files, sources, published))
    say(f"{name}: {len(read.y)} patients, {read.y.sum()} with the event; {len(read.symbol):,} genes")
    read.save(cohort)


command(main)
