"""Read the patients of a cohort, by the reader that the registry names."""

from study.data.registry import COHORTS, files_of
from study.data.sources import inputs_of
from study.run.command import command, say
from study.run.loading import load


def main(name, members, settings, sources, published, files, cohort):
    """Write the cohort file."""
    spec = COHORTS[name]
    inputs = inputs_of(files_of(name, members), files, sources, published)
    own = {"settings": settings["own"]} if spec.is_own else {}
    read = load("study.data", spec.reader)(spec, **own, **inputs)
    say(f"{name}: {len(read.y)} patients, {read.y.sum()} with the event; {len(read.symbol):,} genes")
    read.save(cohort)


if __name__ == "__main__":
    command(
        main,
        name="name of the cohort",
        members=["of a pooled cohort the cohorts it is made of"],
        files=["the files of its row in the registry, in that order"],
        cohort="the cohort file to write",
    )
