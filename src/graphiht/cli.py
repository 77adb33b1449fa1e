"""The `graphiht` command: fit one method to one expression matrix and list the genes it selects."""

import argparse
import os
import sys
from collections.abc import Sequence

import numpy as np

from graphiht import __version__, clone, io
from graphiht.fitting import fit
from graphiht.gradients import Sampling
from graphiht.imputation import imputer
from graphiht.methods import METHODS, find_method
from graphiht.network import Network
from graphiht.projection import HEADS
from graphiht.solver import HEAD, LAM, N_COMPONENTS, SLACK, SPARSITY, FitResult, Settings

EXAMPLES = """\
examples:
  50 connected genes that predict an outcome, with the paper's Algorithm 1:
    graphiht fit --expression X.csv --outcome y.csv --network edges.tsv \\
        --method graph-svrg-iht --sparsity 50 --n-blocks 2

  the same without a network, genes in the rows of the matrix, a stronger penalty:
    graphiht fit --expression X.tsv --genes-in-rows --outcome y.csv \\
        --method iht --sparsity 30 --lambda 1

files (commas, tabs or semicolons, also gzip; Excel, Parquet, AnnData with the packages that read them):
  expression   patients and genes, in rows or columns: the patients of the outcome tell
  outcome      patient, event (0 or 1), other columns are left alone; patients without an outcome are left out
  network      two columns of genes, maybe a confidence in (0, 1] or a score to 1000; SIF, GraphML
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status: 0, or 2 for bad input, or 1 when nobody reads the output."""
    arguments = _parser().parse_args(argv)
    try:
        arguments.run(arguments)
        sys.stdout.flush()
    except ValueError as error:
        print(f"graphiht: error: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # `graphiht fit ... | head` has seen enough. What is still buffered must not be flushed when Python ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="graphiht", description="Sparse prediction on networks by iterative hard thresholding."
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    commands = parser.add_subparsers(required=True, metavar="command")
    command = commands.add_parser(
        "fit",
        help="select genes that predict a binary outcome",
        description="Select a small set of genes, connected in a network, that predicts a binary outcome.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = command.add_argument
    add("--expression", required=True, metavar="FILE", help="expression matrix")
    add("--genes-in-rows", action="store_true", default=None, help="the matrix has genes in rows (else it is told)")
    add("--outcome", required=True, metavar="FILE", help="outcome of each patient")
    add("--event", metavar="COLUMN", help="column of the outcome, if its name does not tell")
    add("--transform", choices=["none", "log2"], default="none", help="log2 for counts (%(default)s)")
    add("--missing", choices=["stop", "mean", "knn"], default="stop", help="missing values (%(default)s)")
    add("--duplicates", choices=["stop", "mean", "variance"], default="stop", help="repeated genes (%(default)s)")
    add("--network", metavar="FILE", help="edges between genes; needed by graph methods")
    add("--edge-costs", choices=["unit", "confidence"], default="unit", help="default: %(default)s")
    add("--method", choices=list(METHODS), help="default: graph-iht, or iht without network")
    add("--sparsity", type=int, default=SPARSITY, metavar="S", help="genes to select (%(default)s)")
    add("--slack", type=float, default=SLACK, help="graph methods may select (1 + slack) S (%(default)s)")
    add("--n-components", type=int, default=N_COMPONENTS, metavar="G", help="connected pieces (%(default)s)")
    add("--lambda", dest="lam", type=float, default=LAM, metavar="LAMBDA", help="ridge penalty (%(default)s)")
    blocks = "blocks of patients of stochastic methods (%(default)s)"
    add("--n-blocks", type=int, default=Sampling.n_blocks, help=blocks)
    add("--batch-size", type=int, metavar="B", help="SCSG's batch (patients / n-blocks)")
    add("--mini-batch", type=int, metavar="b", help="SVRG's and SCSG's mini-batch (a block; B/2)")
    add("--head", choices=HEADS, default=HEAD, help="head projection (%(default)s)")
    add("--max-epochs", type=int, default=Settings.max_epochs, help="default: %(default)s")
    add("--seed", type=int, default=0, help="seed of the row sampling (%(default)s)")
    add("--output", default="genes.tsv", metavar="FILE", help="gene table (%(default)s)")
    command.set_defaults(run=_fit)
    clone.add_parsers(commands)
    return parser


def _fit(arguments: argparse.Namespace) -> None:
    """Read, fit, write, print."""
    outcome = io.read_outcome(arguments.outcome, arguments.event)
    missing = "stop" if arguments.missing == "stop" else "keep"
    remedies = io.Remedies("auto", arguments.transform, missing, arguments.duplicates)
    rows = arguments.genes_in_rows
    X, patients, genes = io.read_expression(arguments.expression, rows, list(outcome), remedies, print)
    y = np.array([outcome[patient] for patient in patients])
    if len(set(y.tolist())) < 2:
        raise io.TableError(f"{arguments.outcome}: expected both outcomes among the patients, found only {y[0]}.")
    method = arguments.method or ("graph-iht" if arguments.network else "iht")
    network, kept = _network(arguments, method, genes)
    X, genes = X[:, kept], [genes[i] for i in kept]
    print(f"{len(y)} patients ({y.sum()} with outcome 1), {len(genes)} genes")

    centre, scale = np.nanmean(X, axis=0), np.nanstd(X, axis=0)
    # A gene that does not vary stays zero and is never chosen for its weight.
    X = (X - centre) / np.where(scale > 0, scale, 1.0)
    if np.isnan(X).any():
        X = imputer(X, arguments.missing)(X)
    shared = "sparsity lam n_components head slack n_blocks batch_size mini_batch max_epochs"
    options = {name: getattr(arguments, name) for name in shared.split()}
    result = fit(method, X, y, network=network, rng=np.random.default_rng(arguments.seed), **options)
    table = _gene_table(result, genes, network)
    io.write_genes(arguments.output, table)
    _print_result(method, result, table, X, y)
    print(f"written to {arguments.output}")


def _network(arguments: argparse.Namespace, method: str, genes: list[str]) -> tuple[Network | None, np.ndarray]:
    """Return the network of a graph method (else None) and the positions of the genes to use."""
    if not find_method(method).uses_network:
        return None, np.arange(len(genes))
    if arguments.network is None:
        raise ValueError(f"--network must be given for method {method}")
    edges, confidence, n_unknown = io.read_network(arguments.network, genes, print)
    costs = 1.01 - confidence if arguments.edge_costs == "confidence" else None
    network, kept = Network(edges, len(genes), costs, genes), np.arange(len(genes))
    print(f"{len(edges)} edges; {n_unknown} edges to genes that are not measured left out")
    if arguments.n_components == 1:
        network, kept = network.largest_component()
        print(f"{len(genes) - len(kept)} genes outside the largest connected component left out")
    return network, kept


def _gene_table(result: FitResult, genes: list[str], network: Network | None) -> list[tuple[str, float, int]]:
    """Return (gene, weight, neighbours among the selected), strongest first."""
    degree = np.zeros(len(genes), dtype=int)
    if network is not None:
        selected = np.zeros(len(genes), dtype=bool)
        selected[result.support] = True
        inside = network.edges[selected[network.edges].all(axis=1)]
        degree = np.bincount(inside.ravel(), minlength=len(genes))
    order = sorted(result.support.tolist(), key=lambda i: (-abs(result.weights[i]), i))
    return [(genes[i], result.weights[i], int(degree[i])) for i in order]


def _print_result(
    method: str, result: FitResult, table: list[tuple[str, float, int]], X: np.ndarray, y: np.ndarray
) -> None:
    positive = X @ result.weights + result.intercept > 0
    error = (np.mean(~positive[y == 1]) + np.mean(positive[y == 0])) / 2
    print(f"{method}: {result.status} after {result.epochs} epochs, loss {result.loss_trace[-1]:.4f}")
    if result.n_line_searches_failed:
        print(f"{result.n_line_searches_failed} of {result.n_line_searches} line searches failed")
    print(f"balanced error on the patients fitted to, which is no estimate of the error on others: {error:.3f}")
    width = max(len("gene"), *(len(gene) for gene, _, _ in table))
    print(f"\n{'gene':<{width}}  {'weight':>9}  neighbours")
    for gene, weight, neighbours in table:
        print(f"{gene:<{width}}  {weight:>9.4f}  {neighbours:>10}")
    print()


if __name__ == "__main__":
    sys.exit(main())
