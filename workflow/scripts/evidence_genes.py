"""Say which genes are selected how often, how stable that is, and whether it is more known biology than chance."""

import pandas as pd

from study import tables
from study.data.gene_sets import read_gene_sets
from study.data.sources import open_wheel
from study.data.studyfile import Study
from study.evidence.genes import gene_tables
from study.command import command


def main(run: str, study: str, known_genes: str, published_genes: str, sources: str, pathways: list, settings: dict) -> None:
    own = pd.DataFrame({"entrez": 0, "symbol": settings["own"]["known_genes"]})
    by_name = gene_tables(
        Study.load(study),
        tables.read(run, "metrics"),
        tables.read(run, "genes"),
        pd.concat([pd.read_csv(known_genes), own], ignore_index=True),
        read_gene_sets([open_wheel(path, sources) for path in pathways]),
        pd.read_csv(published_genes),
    )
    for name, table in by_name.items():
        tables.write(run, name, table)


if __name__ == "__main__":
    command(main)
