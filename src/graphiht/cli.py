"""The `graphiht` command: fit one method to one expression matrix and list the genes it selects."""

import argparse
import sys

import numpy as np

from graphiht import io, methods
from graphiht.models import HEADS
from graphiht.network import Network

EXAMPLES = """\
examples:
  50 connected genes that predict an outcome, with the paper's Algorithm 1:
    graphiht fit --expression X.csv --outcome y.csv --network edges.tsv \\
        --method graph-svrg-iht --sparsity 50 --n-blocks 2

  the same without a network, genes in the rows of the matrix, a stronger penalty:
    graphiht fit --expression X.tsv --genes-in-rows --outcome y.csv \\
        --method iht --sparsity 30 --penalty 1

files (comma- or tab-separated, with a header):
  expression   patient, then one column per gene (or gene, then one column per patient: --genes-in-rows)
  outcome      patient, outcome (0 or 1); patients without an outcome are left out
  network      gene_a, gene_b, and optionally a confidence in (0, 1]
"""


def main(argv=None):
    """Run the command and return its exit status: 0, or 2 when the input cannot be used."""
    parser = _parser()
    arguments = parser.parse_args(argv)
    try:
        _fit(arguments)
    except ValueError as error:
        print(f"graphiht: error: {error}", file=sys.stderr)
        return 2
    return 0


def _parser():
    parser = argparse.ArgumentParser(
        prog="graphiht", description="Sparse prediction on networks by iterative hard thresholding."
    )
    commands = parser.add_subparsers(required=True, metavar="command")
    fit = commands.add_parser(
        "fit",
        help="select genes that predict a binary outcome",
        description="Select a small set of genes, connected in a network, that predicts a binary outcome.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    fit.add_argument("--expression", required=True, metavar="FILE", help="expression matrix")
    fit.add_argument("--genes-in-rows", action="store_true", help="the matrix has genes in rows")
    fit.add_argument("--outcome", required=True, metavar="FILE", help="outcome of each patient")
    fit.add_argument("--network", metavar="FILE", help="edges between genes; needed by graph methods")
    fit.add_argument(
        "--edge-costs", choices=["unit", "confidence"], default="unit", help="default: %(default)s"
    )
    fit.add_argument(
        "--method", choices=list(methods.METHODS), help="default: graph-iht, or iht without network"
    )
    fit.add_argument("--sparsity", type=int, default=50, metavar="S", help="genes to select (%(default)s)")
    fit.add_argument(
        "--slack", type=float, default=0.1, help="graph methods may select (1 + slack) S (%(default)s)"
    )
    fit.add_argument(
        "--n-components", type=int, default=1, metavar="G", help="connected pieces (%(default)s)"
    )
    fit.add_argument(
        "--penalty", type=float, default=0.1, metavar="LAMBDA", help="ridge penalty (%(default)s)"
    )
    fit.add_argument(
        "--n-blocks", type=int, default=1, help="blocks of patients of stochastic methods (%(default)s)"
    )
    fit.add_argument("--batch-size", type=int, metavar="B", help="SCSG's batch (patients / n-blocks)")
    fit.add_argument(
        "--mini-batch", type=int, metavar="b", help="SVRG's and SCSG's mini-batch (a block; B/4)"
    )
    fit.add_argument("--head", choices=HEADS, default="identity", help="head projection (%(default)s)")
    fit.add_argument("--max-epochs", type=int, default=200, help="default: %(default)s")
    fit.add_argument("--seed", type=int, default=0, help="seed of the row sampling (%(default)s)")
    fit.add_argument("--output", default="genes.tsv", metavar="FILE", help="gene table (%(default)s)")
    return parser


def _fit(arguments):
    """Read, fit, print, write."""
    X, patients, genes = io.read_expression(arguments.expression, arguments.genes_in_rows)
    outcome = io.read_outcome(arguments.outcome)
    known = np.array([patient in outcome for patient in patients])
    if not known.any():
        raise io.TableError(
            f"{arguments.outcome}: expected patients of {arguments.expression}, like "
            f"{patients[0]!r}; found none"
        )
    y = np.array([outcome[patient] for patient in patients if patient in outcome])
    if len(set(y.tolist())) < 2:
        raise io.TableError(
            f"{arguments.outcome}: expected both outcomes among the patients; found only {y[0]}"
        )
    method = arguments.method or ("graph-iht" if arguments.network else "iht")
    network, kept = _network(arguments, method, genes)
    X, genes = X[known][:, kept], [genes[i] for i in kept]
    print(f"{len(y)} patients ({y.sum()} with outcome 1), {len(genes)} genes")

    centre, scale = X.mean(axis=0), X.std(axis=0)
    # A gene that does not vary stays zero and is never chosen for its weight.
    X = (X - centre) / np.where(scale > 0, scale, 1.0)
    result = methods.fit(
        method,
        X,
        y,
        sparsity=arguments.sparsity,
        lam=arguments.penalty,
        network=network,
        n_components=arguments.n_components,
        head=arguments.head,
        slack=arguments.slack,
        n_blocks=arguments.n_blocks,
        batch_size=arguments.batch_size,
        mini_batch=arguments.mini_batch,
        rng=np.random.default_rng(arguments.seed),
        max_epochs=arguments.max_epochs,
    )
    table = _gene_table(result, genes, network)
    _print_result(method, result, table, X, y)
    io.write_genes(arguments.output, table)
    print(f"written to {arguments.output}")


def _network(arguments, method, genes):
    """Return the network of a graph method (else None) and the positions of the genes to use."""
    if not methods.find_method(method).uses_network:
        return None, np.arange(len(genes))
    if arguments.network is None:
        raise ValueError(f"--network must be given for method {method}")
    edges, confidence, n_unknown = io.read_network(arguments.network, genes)
    costs = 1.01 - confidence if arguments.edge_costs == "confidence" else None
    network, kept = Network(edges, len(genes), costs), np.arange(len(genes))
    print(f"{len(edges)} edges; {n_unknown} edges to genes that are not measured left out")
    if arguments.n_components == 1:
        network, kept = network.largest_component()
        print(f"{len(genes) - len(kept)} genes outside the largest connected component left out")
    return network, kept


def _gene_table(result, genes, network):
    """Return (gene, weight, neighbours among the selected), strongest first."""
    degree = np.zeros(len(genes), dtype=int)
    if network is not None:
        selected = np.zeros(len(genes), dtype=bool)
        selected[result.support] = True
        inside = network.edges[selected[network.edges].all(axis=1)]
        degree = np.bincount(inside.ravel(), minlength=len(genes))
    order = sorted(result.support.tolist(), key=lambda i: (-abs(result.weights[i]), i))
    return [(genes[i], result.weights[i], int(degree[i])) for i in order]


def _print_result(method, result, table, X, y):
    positive = X @ result.weights + result.intercept > 0
    error = (np.mean(~positive[y == 1]) + np.mean(positive[y == 0])) / 2
    print(f"{method}: {result.status} after {result.epochs} epochs, loss {result.loss_trace[-1]:.4f}")
    if result.n_line_searches_failed:
        print(f"{result.n_line_searches_failed} of {result.n_line_searches} line searches failed")
    print(
        f"balanced error on the patients fitted to, which is no estimate of the error on others: {error:.3f}"
    )
    width = max(len("gene"), *(len(gene) for gene, _, _ in table))
    print(f"\n{'gene':<{width}}  {'weight':>9}  neighbours")
    for gene, weight, neighbours in table:
        print(f"{gene:<{width}}  {weight:>9.4f}  {neighbours:>10}")
    print()


if __name__ == "__main__":
    sys.exit(main())
