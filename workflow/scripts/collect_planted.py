"""Gather the planted gene sets into tables, and say what the network is worth."""

import pandas as pd

from study import tables
from study.evidence.planted_tables import planted_sentence, planted_summary
from study.command import command
from study.io import say
from study.io import read_json


def main(run: str, results: list) -> None:
    """Write the tables."""
    table = pd.DataFrame([row for path in results for row in read_json(path)])
    summary = planted_summary(table)
    tables.write(run, "evidence/planted", table)
    tables.write(run, "evidence/planted_summary", summary)
    say(planted_sentence(summary))


if __name__ == "__main__":
    command(main)
