"""Gather the signatures of all methods into two tables: one row per method, one per method and gene."""

from graphiht.signature import Signature
from study import tables
from study.evidence.signatures import signature_tables
from study.command import command


def main(signatures: list, run: str) -> None:
    """Write the tables."""
    for name, table in signature_tables([Signature.read(path) for path in signatures]).items():
        tables.write(run, name, table)


if __name__ == "__main__":
    command(main)
