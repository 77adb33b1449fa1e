"""Read the NKI cohort out of the survset wheel and name its genes."""

from study.data.cohorts import read_nki
from study.data.sources import read_sources
from study.run.command import parser, run


def main() -> None:
    arguments = parser(
        __doc__,
        sources="table of pinned wheels",
        wheel="the survset wheel",
        annotation="table probe, entrez, symbol",
        output="the cohort file",
    ).parse_args()
    read_nki(arguments.wheel, read_sources(arguments.sources)["survset"], arguments.annotation).save(
        arguments.output
    )


if __name__ == "__main__":
    run(main)
