"""What the header of a cohort's table says, for the Snakefile: nothing heavy is imported."""

from __future__ import annotations

import csv
from pathlib import Path


def names_entrez_ids(expression: str | Path) -> bool:
    """Return whether a table of expression names any of its genes by Entrez id, a number.

    A missing or unreadable table has none here: the rule that reads it says what is wrong with it.
    """
    try:
        with open(expression, newline="", encoding="utf-8") as stream:
            return any(name.strip().isdigit() for name in next(csv.reader(stream), [])[1:])
    except (OSError, UnicodeDecodeError, csv.Error):
        return False
