"""Read the cohorts that the models are tested on, and the clinical columns, out of the survset wheel."""

import sys

import pandas as pd

from study.data.external import EXTERNAL, read_aliases, read_external, read_nki_clinical, read_seventy
from study.data.sources import read_sources
from study.data.studyfile import Cohort
from study.run.command import parser, run
from study.run.files import write_text


def main() -> None:
    arguments = parser(
        __doc__,
        sources="table of pinned wheels",
        wheel="the survset wheel",
        cohort="the NKI cohort file",
        annotation="table probe, entrez, symbol",
        aliases="table entrez, symbol, alias, kind",
        folder="folder to write to",
    ).parse_args()
    source = read_sources(arguments.sources)["survset"]
    genes, aliases = Cohort.load(arguments.cohort), read_aliases(arguments.aliases)
    for name in EXTERNAL:
        cohort, clinical = read_external(arguments.wheel, source, name, genes, aliases)
        cohort.save(f"{arguments.folder}/{name}.npz")
        write_text(f"{arguments.folder}/{name}_clinical.csv", clinical.to_csv(index=False))
        measured, by_symbol, found = cohort.counts
        said = f"{name}: {len(cohort.y)} patients, {cohort.y.sum()} events, {measured:,} genes; of the "
        said += f"{len(genes.entrez):,} NKI genes {found:,} found, {found - by_symbol:,} under an older name"
        print(said, file=sys.stderr)
    clinical = read_nki_clinical(arguments.wheel, source)
    write_text(f"{arguments.folder}/nki_clinical.csv", clinical.to_csv(index=False))
    annotation = pd.read_csv(arguments.annotation, sep="\t", dtype={"entrez": int, "symbol": str})
    seventy = read_seventy(arguments.wheel, source, genes, annotation, aliases)
    write_text(f"{arguments.folder}/seventy.csv", seventy.to_csv(index=False))


if __name__ == "__main__":
    run(main)
