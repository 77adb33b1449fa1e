"""Read the patients and the network of the published data set."""

import sys
from pathlib import Path

import numpy as np
import pandas as pd

from study.data.fetch import check_blob_id, read_files
from study.data.published import bioplex_symbols, read_cohort, read_entrez, read_network, symbols
from study.data.sources import read_sources
from study.run.command import parser, run
from study.run.files import write_text


def main() -> None:
    made = parser(
        __doc__,
        files="table of the published files: path, git_blob_sha1",
        matrix="vant.mat",
        entrez="entrez.mat",
        edges="edge.txt",
        pathways="pathways.txt",
        sources="table of pinned wheels",
        wheel="the cptac wheel, whose network has symbols beside Entrez ids",
        cohort="the cohort file to write",
        network="the network to write: gene_a, gene_b",
    )
    made.add_argument("--symbols", required=True, nargs="+", help="tables with the columns entrez, symbol")
    arguments = made.parse_args()
    files = read_files(arguments.files)
    for path in (arguments.matrix, arguments.entrez, arguments.edges, arguments.pathways):
        check_blob_id(path, files[Path(path).name][1])
    entrez = read_entrez(arguments.entrez)
    tables = [
        pd.read_csv(path, sep=None, engine="python", keep_default_na=False) for path in arguments.symbols
    ]
    tables.append(bioplex_symbols(arguments.wheel, read_sources(arguments.sources)["cptac"]))
    symbol = symbols(entrez, tables)
    cohort = read_cohort(arguments.matrix, entrez, symbol)
    edges = read_network(arguments.edges, arguments.pathways, entrez)
    unnamed = int(np.char.startswith(symbol, "entrez:").sum())
    print(
        f"{len(cohort.y)} patients, {cohort.y.sum()} with metastasis; {len(entrez):,} genes ({unnamed:,} without a "
        f"symbol here, called entrez:<id>); {len(edges):,} edges between genes of pathways",
        file=sys.stderr,
    )
    cohort.save(arguments.cohort)
    lines = ["gene_a\tgene_b", *(f"{symbol[a]}\t{symbol[b]}" for a, b in edges)]
    write_text(arguments.network, "\n".join(lines) + "\n")


if __name__ == "__main__":
    run(main)
