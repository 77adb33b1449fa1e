"""Read the NKI cohort out of the survset wheel and name its genes."""

from study.cohorts import read_nki
from study.command import parser, run
from study.sources import read_sources


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
