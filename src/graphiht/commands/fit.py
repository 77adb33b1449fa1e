"""`graphiht fit`: one method on one expression matrix, and the signature it gives."""

import argparse
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from graphiht import io
from graphiht.fitting import fit
from graphiht.gradients import Sampling
from graphiht.imputation import KINDS, imputer
from graphiht.methods import METHODS, find_method
from graphiht.network import Network
from graphiht.projection import HEADS
from graphiht.scores import balanced_error, best_threshold
from graphiht.signature import LARGEST, Signature, provenance
from graphiht.solver import CONVERGED, EPOCH_LIMIT, HEAD, LAM, N_COMPONENTS, SLACK, SPARSITY, FitResult, Settings

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

It writes the signature (genes, weights, intercept, scaling, cut-off, settings, versions, sha256 of the files) as
signature.json and signature.tsv; `graphiht predict` applies it to new patients.
"""
_OPTIONS = ("sparsity", "lam", "n_components", "head", "slack", "n_blocks", "batch_size", "mini_batch", "max_epochs")


class Data(NamedTuple):
    """What is fitted: patients in the order of their names, so that the order of rows in a file does not matter."""

    X: np.ndarray
    y: np.ndarray
    genes: list[str]
    network: Network | None


def add_to(commands: argparse._SubParsersAction) -> None:
    """Declare the command."""
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
    add("--missing", choices=["stop", *KINDS], default="stop", help="missing values (%(default)s)")
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
    add(
        "--max-epochs",
        type=int,
        default=Settings.max_epochs,
        help="few stop early, on purpose: later epochs overfit (%(default)s)",
    )
    add(
        "--folds",
        type=int,
        default=5,
        help="folds of a cross-validation, at these settings, that chooses the cut-off; 0: cut at 0 (%(default)s)",
    )
    add("--seed", type=int, default=0, help="seed of the row sampling and of the folds (%(default)s)")
    add("--output", default="signature.json", metavar="FILE", help="the signature (%(default)s; .tsv beside it)")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Read, fit, choose the cut-off, write, print."""
    method = arguments.method or ("graph-iht" if arguments.network else "iht")
    data = _read(arguments, method)
    options = {name: getattr(arguments, name) for name in _OPTIONS}
    print(f"{len(data.y)} patients ({data.y.sum()} with outcome 1), {len(data.genes)} genes")

    mean, scale = _scaling(data.X)
    Z = (data.X - mean) / scale
    Z = _filled(Z, arguments.missing)(Z)
    result = _fit(method, Z, data.y, data.network, arguments.seed, options)
    held_out = _held_out_scores(method, data, arguments, options)
    cut_off = 0.0 if held_out is None else best_threshold(data.y, held_out)
    files = [arguments.expression, arguments.outcome, *([arguments.network] if data.network else [])]
    chosen = _strongest_first(result)
    signature = Signature(
        method=method,
        symbol=[data.genes[i] for i in chosen],
        entrez=[int(data.genes[i]) if data.genes[i].isdigit() else 0 for i in chosen],
        weights=result.weights[chosen].tolist(),
        mean=mean[chosen].tolist(),
        scale=scale[chosen].tolist(),
        intercept=float(result.intercept),
        cut_off=cut_off,
        edges=_edges(data, chosen),
        settings={"lambda" if key == "lam" else key: value for key, value in options.items()}
        | {"edge_costs": arguments.edge_costs, "folds": arguments.folds, "transform": arguments.transform},
        training={
            "patients": len(data.y),
            "events": int(data.y.sum()),
            "status": result.status,
            "epochs": result.epochs,
            "cross_validated_error": None if held_out is None else balanced_error(data.y, held_out, cut_off),
        },
        provenance=provenance(arguments.seed, files),
    )
    written = signature.write(arguments.output)
    _print_result(signature, result, data, Z @ result.weights + result.intercept, arguments)
    print("written to " + " and ".join(map(str, written)))


def _read(arguments: argparse.Namespace, method: str) -> Data:
    outcome = io.read_outcome(arguments.outcome, arguments.event)
    missing = "stop" if arguments.missing == "stop" else "keep"
    remedies = io.Remedies("auto", arguments.transform, missing, arguments.duplicates)
    rows = arguments.genes_in_rows
    X, patients, genes = io.read_expression(arguments.expression, rows, list(outcome), remedies, print)
    known = sorted((patient, row) for row, patient in enumerate(patients))
    y = np.array([outcome[patient] for patient, _ in known])
    if len(set(y.tolist())) < 2:
        raise io.TableError(f"{arguments.outcome}: expected both outcomes among the patients, found only {y[0]}.")
    network, kept = _network(arguments, method, genes)
    rows = [row for _, row in known]
    # One layout of memory, because sums depend on it in their last bit.
    return Data(np.ascontiguousarray(X[rows][:, kept]), y, [genes[i] for i in kept], network)


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


def _scaling(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return mean and standard deviation of the known values; a gene that does not vary stays zero and is never chosen
    for its weight.
    """
    deviation = np.nanstd(X, axis=0)
    return np.nanmean(X, axis=0), np.where(deviation > 0, deviation, 1.0)


def _filled(Z: np.ndarray, kind: str) -> Callable[[np.ndarray], np.ndarray]:
    """Return what fills missing values of standardised rows, by the rows of Z alone."""
    return imputer(Z, kind) if kind != "stop" else np.asarray


def _fit(
    method: str, X: np.ndarray, y: np.ndarray, network: Network | None, seed: int, options: dict[str, Any]
) -> FitResult:
    result = fit(method, X, y, network=network, rng=np.random.default_rng(seed), **options)
    # A signature with such weights could not be read.
    if not all(abs(value) < LARGEST for value in (result.intercept, *result.weights)):
        raise ValueError("the weights of the fit grew beyond all bounds; use a smaller --lambda")
    return result


def _held_out_scores(
    method: str, data: Data, arguments: argparse.Namespace, options: dict[str, Any]
) -> np.ndarray | None:
    """Return the score of each patient by a fit that left her out; None without folds.

    On patients that a fit has seen, the best cut-off follows its overfitting.
    """
    if arguments.folds == 0:
        return None
    if arguments.folds < 2:
        raise ValueError(f"--folds must be 0 or at least 2; got {arguments.folds}")
    n_folds = min(arguments.folds, int(np.bincount(data.y).min()))
    if n_folds < 2:
        print("too few patients for folds: the cut-off is 0, probability one half")
        return None
    # Imported when needed: it takes longer than most fits.
    from sklearn.model_selection import StratifiedKFold

    scores = np.empty(len(data.y))
    folds = StratifiedKFold(n_folds, shuffle=True, random_state=arguments.seed)
    for fitting, held_out in folds.split(data.X, data.y):
        mean, scale = _scaling(data.X[fitting])
        # Fewer patients than the whole: a batch cannot be larger, nor can there be more blocks.
        limited = ("n_blocks", "batch_size", "mini_batch")
        fewer = {key: min(value, len(fitting)) for key in limited if (value := options[key])}
        Z = (data.X - mean) / scale
        Z = _filled(Z[fitting], arguments.missing)(Z)
        result = _fit(method, Z[fitting], data.y[fitting], data.network, arguments.seed, options | fewer)
        scores[held_out] = Z[held_out] @ result.weights + result.intercept
    return scores


def _strongest_first(result: FitResult) -> list[int]:
    return sorted(result.support.tolist(), key=lambda i: (-abs(result.weights[i]), i))


def _edges(data: Data, chosen: list[int]) -> list[list[str]]:
    """Return the edges of the network between the chosen genes, by name and in their order."""
    if data.network is None:
        return []
    inside = np.zeros(len(data.genes), dtype=bool)
    inside[chosen] = True
    pairs = data.network.edges[inside[data.network.edges].all(axis=1)]
    return sorted(sorted([data.genes[a], data.genes[b]]) for a, b in pairs)


def _print_result(
    signature: Signature, result: FitResult, data: Data, scores: np.ndarray, arguments: argparse.Namespace
) -> None:
    early = ", which stops early on purpose" if result.status == EPOCH_LIMIT else ""
    print(f"{signature.method}: {result.status} after {result.epochs} epochs{early}, loss {result.loss_trace[-1]:.4f}")
    if result.n_line_searches_failed:
        print(f"{result.n_line_searches_failed} of {result.n_line_searches} line searches failed")
    if result.status not in (CONVERGED, EPOCH_LIMIT):
        _note(f"the fit {result.status}: its weights mean nothing")
    if len(signature.symbol) < arguments.sparsity:
        _note(
            f"{len(signature.symbol)} genes selected where --sparsity asks for {arguments.sparsity}: no others vary "
            "with the outcome and can be connected"
        )
    error = balanced_error(data.y, scores)
    print(f"balanced error on the patients fitted to, which is no estimate of the error on others: {error:.3f}")
    crossed = signature.training["cross_validated_error"]
    if crossed is not None:
        print(
            f"in cross-validation at these settings: {crossed:.3f} at the cut-off {signature.cut_off:.4f}, which was "
            "chosen there, so that this is a little optimistic"
        )
    neighbours = {gene: sum(gene in edge for edge in signature.edges) for gene in signature.symbol}
    width = max(len("gene"), *(len(gene) for gene in signature.symbol))
    print(f"\n{'gene':<{width}}  {'weight':>9}  neighbours")
    for gene, weight in zip(signature.symbol, signature.weights, strict=True):
        print(f"{gene:<{width}}  {weight:>9.4f}  {neighbours[gene]:>10}")
    print()


def _note(text: str) -> None:
    print(f"graphiht: note: {text}.", file=sys.stderr)
