"""Test which genes are selected how often, and whether they are known genes or pathways; write their network."""

import networkx as nx
import pandas as pd

from study.command import command
from study.data.gene_sets import read_gene_sets
from study.data.sources import open_wheel
from study.data.studyfile import Study
from study.evidence.genes import gene_tables, selected_network
from study.io import write_text
from study.tables import read, write_all


def main(
    study: str,
    metrics: str,
    genes: str,
    known_genes: str,
    own_known_genes: list,
    published_genes: str,
    sources: str,
    pathways: list,
    tables: list,
    network: str,
) -> None:
    patients = Study.load(study)
    own = pd.DataFrame({"entrez": 0, "symbol": own_known_genes})
    by_name = gene_tables(
        patients,
        read(metrics),
        read(genes),
        pd.concat([pd.read_csv(known_genes), own], ignore_index=True),
        read_gene_sets([open_wheel(path, sources) for path in pathways]),
        pd.read_csv(published_genes),
    )
    write_all(tables, by_name)
    graph = selected_network(patients, by_name["evidence/frequencies"])
    write_text(network, "\n".join(nx.generate_graphml(graph, named_key_ids=True)) + "\n")


command(main)
