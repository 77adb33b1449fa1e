"""Gather what each value of a default does into tables, and say which one is picked."""

from study import tables
from study.evidence.defaults import defaults_table, penalties_table
from study.command import command
from study.io import say
from study.io import read_json


def main(run: str, results: list, settings: dict) -> None:
    rows = [row for path in results for row in read_json(path)]
    table = defaults_table(rows, settings)
    tables.write(run, "defaults", table)
    tables.write(run, "defaults_penalties", penalties_table(rows, settings))
    for row in table[table["picked"]].to_dict("records"):
        say(f"{row['choice']}: {row['variant']}, {'as it was' if row['current'] else 'instead of what it was'}")


if __name__ == "__main__":
    command(main)
