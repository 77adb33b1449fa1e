"""Write the example cohort: 150 patients who do not exist, 180 genes, a network.

    python docs/example/make.py docs/example

Eight neighbours in the network, G001 to G008 in a shuffled order of columns, raise the hazard; everything else
is noise, with genes correlated along the network. 30 more patients have no outcome: they are those to predict. The
files are small and drawn from a seed, so that what the tutorial shows can be checked.
"""

import sys
from pathlib import Path

import networkx as nx
import numpy as np
import pandas as pd

N_GENES, N_TRAINING, N_NEW, SEED = 180, 150, 30, 18
MODULE = 8


def network(rng: np.random.Generator) -> nx.Graph:
    """Return a graph of few hubs; its nodes 0 to 7 are neighbours."""
    graph = nx.barabasi_albert_graph(N_GENES, 2, seed=int(rng.integers(2**31)))
    # Nodes are numbered anew by breadth-first search from a node of middling degree: the first ones are a module.
    start = sorted(graph, key=lambda node: (abs(graph.degree(node) - 5), node))[0]
    order = [start, *(child for _, child in nx.bfs_edges(graph, start))]
    return nx.relabel_nodes(graph, {node: place for place, node in enumerate(order)})


def main(folder: Path) -> None:
    """Write expression.csv, outcome.csv, edges.tsv and new.csv."""
    rng = np.random.default_rng(SEED)
    graph = network(rng)
    n_patients = N_TRAINING + N_NEW
    noise = rng.standard_normal((n_patients, N_GENES))
    # A gene has a part of its neighbours' noise.
    near = nx.to_numpy_array(graph, nodelist=range(N_GENES))
    Z = noise + 0.5 * noise @ (near / near.sum(axis=0))
    Z /= Z.std(axis=0)
    effect = np.zeros(N_GENES)
    effect[:MODULE] = 0.6
    event_time = rng.exponential(15 * np.exp(-Z @ effect))
    censoring = rng.uniform(2, 15, n_patients)
    genes = [f"G{i + 1:03d}" for i in range(N_GENES)]
    patients = [f"P{i + 1:03d}" for i in range(n_patients)]
    # In the unit of a logarithmic array, each gene at a level of its own.
    X = pd.DataFrame(Z * rng.uniform(0.5, 1.5, N_GENES) + rng.uniform(5, 12, N_GENES), patients, genes).round(2)
    X = X[rng.permutation(genes)].rename_axis("patient")
    outcome = pd.DataFrame(
        {"event": (event_time <= censoring).astype(int), "time": np.minimum(event_time, censoring).round(2) + 0.01},
        pd.Index(patients, name="patient"),
    )
    edges = pd.DataFrame([(genes[a], genes[b]) for a, b in graph.edges], columns=["gene_a", "gene_b"])
    edges["confidence"] = rng.uniform(0.5, 1, len(edges))
    X[:N_TRAINING].to_csv(folder / "expression.csv")
    X[N_TRAINING:].to_csv(folder / "new.csv")
    outcome[:N_TRAINING].to_csv(folder / "outcome.csv", float_format="%.2f")
    edges.to_csv(folder / "edges.tsv", sep="\t", index=False, float_format="%.2f")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
