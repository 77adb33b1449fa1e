"""Collect fold files, run times and signatures into tables."""

import pandas as pd

from graphiht.signature import Signature
from study.command import command
from study.cv.results import fold_tables, signature_tables, with_refits
from study.data.studyfile import Study
from study.io import read_json
from study.tables import write_all


def main(study: str, folds: list, timings: list, signatures: list, settings: dict, tables: list) -> None:
    results = with_refits([read_json(path) for path in folds])
    frames = fold_tables(results, Study.load(study), settings)
    frames |= {"timings": pd.DataFrame([read_json(path) for path in timings])}
    write_all(tables, frames | signature_tables([Signature.read(path) for path in signatures]))


command(main)
