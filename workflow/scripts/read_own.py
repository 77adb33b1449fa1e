"""Read a cohort from your own expression and outcome tables."""

from study.data.cohorts import read_own
from study.run.command import parser, run


def main() -> None:
    arguments = parser(
        __doc__,
        expression="CSV: patient, then one column per gene",
        outcome="CSV: patient, event (0 or 1), optionally time",
        output="the cohort file",
    ).parse_args()
    read_own(arguments.expression, arguments.outcome).save(arguments.output)


if __name__ == "__main__":
    run(main)
