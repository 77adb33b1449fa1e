"""Collect the signatures of all methods into tables."""

from graphiht.signature import Signature
from study.command import command
from study.evidence.signatures import signature_tables
from study.tables import write_all


def main(signatures: list, tables: list) -> None:
    write_all(tables, signature_tables([Signature.read(path) for path in signatures]))


command(main)
