"""Read the patients of a cohort, by the reader that the registry names."""

from study.data.registry import COHORTS, files_of
from study.data.sources import inputs_of
from study.command import command
from study.io import say
from study.run.loading import load


def main(name: str, members: list, settings: dict, sources: str, published: str, files: list, cohort: str) -> None:
    """Write the cohort file."""
    spec = COHORTS[name]
    inputs = inputs_of(files_of(name, members), files, sources, published)
    own = {"settings": settings["own"]} if spec.is_own else {}
    read = load("study.data", spec.reader)(spec, **own, **inputs)
    say(f"{name}: {len(read.y)} patients, {read.y.sum()} with the event; {len(read.symbol):,} genes")
    read.save(cohort)


if __name__ == "__main__":
    command(main)
