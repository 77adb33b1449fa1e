"""Compare every pair of methods on every metric: differences, mean ranks, groups not told apart."""

from study import tables
from study.evidence.differences import difference_tables
from study.command import command


def main(run: str, settings: dict) -> None:
    for name, table in difference_tables(tables.read(run, "metrics"), settings["folds"]).items():
        tables.write(run, name, table)


if __name__ == "__main__":
    command(main)
