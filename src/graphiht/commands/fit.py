"""`graphiht fit`: one method on one expression matrix, and the signature it gives."""

import argparse
import re
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from graphiht import io
from graphiht.fitting import fit
from graphiht.gradients import Sampling
from graphiht.imputation import KINDS, imputer
from graphiht.losses import Loss, balanced_logistic
from graphiht.methods import METHODS, find_method
from graphiht.network import Network
from graphiht.projection import HEADS
from graphiht.pursuit import PursuitResult, free_columns, refit_free
from graphiht.scores import balanced_error, best_threshold
from graphiht.signature import LARGEST, Signature, provenance
from graphiht.solver import (
    DIVERGED,
    EPOCH_LIMIT,
    HEAD,
    LAM,
    N_COMPONENTS,
    REFIT_LIMIT,
    SLACK,
    SPARSITY,
    FitResult,
    Settings,
)
from graphiht.survival import CoxLoss, concordance
from graphiht.tables import counted

EXAMPLES = """\
examples:
  50 connected genes that predict an outcome, with the paper's Algorithm 1:
    graphiht fit --expression X.csv --outcome y.csv --network edges.tsv \\
        --method graph-svrg-iht --sparsity 50 --n-blocks 2

  the same without a network, genes in the rows of the matrix, a stronger penalty:
    graphiht fit --expression X.tsv --genes-in-rows --outcome y.csv \\
        --method iht --sparsity 30 --lambda 1

  30 genes that predict survival in addition to age and tumour size, columns of y.csv:
    graphiht fit --expression X.tsv --outcome y.csv --survival --covariates age,size --network edges.tsv --sparsity 30

files (commas, tabs or semicolons, also gzip; Excel, Parquet, AnnData with the packages that read them):
  expression   patients and genes, in rows or columns: the patients of the outcome tell
  outcome      patient, event (0 or 1), for --survival also time; patients without an outcome are left out. Its
               columns, and copies of event or time, never become genes; --covariates may name them
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
    time: np.ndarray | None
    covariates: list[str]
    C: np.ndarray


class Model(NamedTuple):
    """A fit on some of the patients, how it scales genes and covariates, and two rows of scores of all patients.

    The second is that of the covariates without any gene.
    """

    result: FitResult
    mean: np.ndarray
    scale: np.ndarray
    scores: np.ndarray


def add_to(commands: argparse._SubParsersAction) -> None:
    """Declare the command."""
    command = commands.add_parser(
        "fit",
        help="select genes that predict a binary outcome or survival",
        description="Select a small set of genes, connected in a network, that predicts a binary outcome or survival.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = command.add_argument
    add("--expression", required=True, metavar="FILE", help="expression matrix")
    add("--genes-in-rows", action="store_true", default=None, help="the matrix has genes in rows (default: detect)")
    add("--outcome", required=True, metavar="FILE", help="outcome of each patient")
    add("--event", metavar="COLUMN", help="column of the outcome, if its name does not tell")
    add("--event-values", metavar="A=1,B=0", help="values of that column that mean 1 and 0, if they are words")
    add("--survival", action="store_true", help="Cox's model of event and time; methods htp and graph-htp")
    add("--time", metavar="COLUMN", help="column of the time, if its name does not tell")
    add(
        "--covariates", metavar="A,B", help="columns of either file to keep in the model, not penalised; htp, graph-htp"
    )
    add("--transform", choices=["none", "log2"], default="none", help="log2 for counts (%(default)s)")
    add("--missing", choices=["stop", *KINDS], default="stop", help="missing values (%(default)s)")
    add("--duplicates", choices=["stop", "mean", "variance"], default="stop", help="repeated genes (%(default)s)")
    add("--network", metavar="FILE", help="edges between genes; needed by graph methods")
    add("--edge-costs", choices=["unit", "confidence"], default="unit", help="default: %(default)s")
    add(
        "--method",
        choices=list(METHODS),
        help="default: graph-iht; iht without network; htp for iht with --survival, --covariates",
    )
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
        help="maximum epochs; small values regularise (%(default)s)",
    )
    add(
        "--folds",
        type=int,
        default=5,
        help="folds of a cross-validation, at these settings, that chooses the cut-off; 0: cut at 0 (%(default)s)",
    )
    add("--seed", type=int, default=0, help="seed of the row sampling and of the folds (%(default)s)")
    add("--output", default="signature.json", metavar="FILE", help="the signature (%(default)s; also as .tsv)")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Read, fit, choose the cut-off, write, print."""
    kind = "htp" if arguments.survival or arguments.covariates else "iht"
    method = arguments.method or (f"graph-{kind}" if arguments.network else kind)
    data = _read(arguments, method)
    options = {name: getattr(arguments, name) for name in _OPTIONS}
    print(f"{len(data.y)} patients ({data.y.sum()} with outcome 1), {counted(len(data.genes), 'gene')}")

    model = _fit(method, data, np.arange(len(data.y)), arguments, options)
    result = model.result
    held_out = _held_out_scores(method, data, arguments, options)
    cut_off, training = _judged(data, model.scores[0], None if held_out is None else held_out[0])
    if held_out is not None and data.covariates:
        alone = _judged(data, held_out[1], held_out[1])[1]
        training |= {f"{key}_of_covariates": value for key, value in alone.items()}
    files = [arguments.expression, arguments.outcome, *([arguments.network] if data.network else [])]
    chosen = _strongest_first(result)
    scaled = [*chosen, *range(len(data.genes), len(model.mean))]
    signature = Signature(
        method=method,
        symbol=[*(data.genes[i] for i in chosen), *data.covariates],
        entrez=[int(data.genes[i]) if data.genes[i].isdigit() else 0 for i in chosen] + [0] * len(data.covariates),
        weights=[*result.weights[chosen].tolist(), *getattr(result, "covariate_weights", np.empty(0)).tolist()],
        mean=model.mean[scaled].tolist(),
        scale=model.scale[scaled].tolist(),
        intercept=float(result.intercept),
        cut_off=cut_off,
        edges=_edges(data, chosen),
        settings={"lambda" if key == "lam" else key: value for key, value in options.items()}
        | {"edge_costs": arguments.edge_costs, "folds": arguments.folds, "transform": arguments.transform}
        | {"survival": arguments.survival},
        training={
            "patients": len(data.y),
            "events": int(data.y.sum()),
            "status": result.status,
            "epochs": result.epochs,
            **training,
        },
        provenance=provenance(arguments.seed, files),
        covariates=data.covariates,
    )
    written = signature.write(arguments.output)
    _print_result(signature, result, data, model.scores[0], arguments)
    print("written to " + " and ".join(map(str, written)))


def _read(arguments: argparse.Namespace, method: str) -> Data:
    values = _event_values(arguments.event_values)
    outcome = io.read_follow_up(arguments.outcome, arguments.event, arguments.time, values=values)
    if arguments.survival and outcome.time is None:
        raise io.TableError(f"{arguments.outcome}: --survival needs a column time. Name it so, or pass --time COLUMN.")
    missing = "stop" if arguments.missing == "stop" else "keep"
    remedies = io.Remedies("auto", arguments.transform, missing, arguments.duplicates)
    names = [name.strip() for name in arguments.covariates.split(",")] if arguments.covariates else []
    X, patients, genes = io.read_expression(
        arguments.expression, arguments.genes_in_rows, outcome.patients, remedies, print, outcome, names
    )
    rows = sorted(range(len(patients)), key=patients.__getitem__)
    patients = [patients[row] for row in rows]
    place = {patient: i for i, patient in enumerate(outcome.patients)}
    followed = [place[patient] for patient in patients]
    y = outcome.event[followed]
    if len(set(y.tolist())) < 2:
        raise io.TableError(
            f"{arguments.outcome}: all patients of the expression have event {y[0]}. Both classes are needed."
        )
    advice = "pass --missing mean" if arguments.missing == "stop" else ""
    C, X, genes = io.split_covariates(arguments.outcome, names, X[rows], patients, genes, outcome, advice)
    time = outcome.time[followed] if arguments.survival and outcome.time is not None else None
    network, kept = _network(arguments, method, genes)
    # One layout of memory, because sums depend on it in their last bit.
    X = np.ascontiguousarray(X[:, kept])
    return Data(X, y, [genes[i] for i in kept], network, time, names, C)


def _event_values(text: str | None) -> dict[str, int] | None:
    """Return what the values of the event mean."""
    if text is None:
        return None
    pairs = [pair.rpartition("=") for pair in text.split(",")]
    values = {name.strip(): int(code) for name, _, code in pairs if name and code.strip() in ("0", "1")}
    if len(values) != len(pairs) or set(values.values()) != {0, 1}:
        raise ValueError(f"--event-values must be like DECEASED=1,LIVING=0; got {text!r}")
    return values


def _network(arguments: argparse.Namespace, method: str, genes: list[str]) -> tuple[Network | None, np.ndarray]:
    """Return the network of a graph method (else None) and the positions of the genes to use."""
    if not find_method(method).uses_network:
        if arguments.network is not None:
            _note(f"method {method} does not use the network {arguments.network}; graph-{method} does")
        return None, np.arange(len(genes))
    if arguments.network is None:
        raise ValueError(f"--network must be given for method {method}")
    if re.fullmatch(r"[\w-]+", arguments.network) and not Path(arguments.network).exists():
        raise ValueError(
            f"--network {arguments.network}: no such file. Give a file of edges; networks that the repository ships, "
            f"like scnet, are for studies: `graphiht study --network {arguments.network}` in a clone"
        )
    edges, confidence, n_unknown = io.read_network(arguments.network, genes, print)
    costs = 1.01 - confidence if arguments.edge_costs == "confidence" else None
    network, kept = Network(edges, len(genes), costs, genes), np.arange(len(genes))
    print(f"{counted(len(edges), 'edge')}; left out {counted(n_unknown, 'edge')} to genes that are not measured")
    if arguments.n_components == 1:
        network, kept = network.largest_component()
        print(f"left out {counted(len(genes) - len(kept), 'gene')} outside the largest connected component")
    return network, kept


def _scaling(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return mean and standard deviation of the known values; a gene that does not vary stays zero and is never chosen
    for its weight.
    """
    deviation = np.nanstd(X, axis=0)
    return np.nanmean(X, axis=0), np.where(deviation > 0, deviation, 1.0)


def _fit(method: str, data: Data, rows: np.ndarray, arguments: argparse.Namespace, options: dict[str, Any]) -> Model:
    """Return the model of some patients; scaling and imputation, too, look at them alone."""
    mean, scale = _scaling(data.X[rows])
    Z = (data.X - mean) / scale
    # Missing values are filled in by the rows fitted to alone.
    Z = Z if arguments.missing == "stop" else imputer(Z[rows], arguments.missing)(Z)
    loss: Loss | CoxLoss = balanced_logistic(Z[rows], data.y[rows], LAM)
    if data.time is not None:
        loss = CoxLoss(Z[rows], data.y[rows], data.time[rows])
    centre, spread = _scaling(data.C[rows])
    C = np.nan_to_num((data.C - centre) / spread)
    options = options | {"covariates": C[rows]} if data.covariates else options
    result = fit(method, loss, network=data.network, rng=np.random.default_rng(arguments.seed), **options)
    scores = np.array([Z @ result.weights + result.intercept, np.zeros(len(Z))])
    if isinstance(result, PursuitResult) and data.covariates:
        scores[0] += C @ result.covariate_weights
        columns = free_columns(len(C), data.time is None, C)
        scores[1] = columns @ refit_free(loss, columns[rows]).free
    # A signature with such weights could not be read.
    if not all(abs(value) < LARGEST for value in (result.intercept, *result.weights)):
        raise ValueError("the weights of the fit grew beyond all bounds; use a smaller --lambda")
    return Model(result, np.append(mean, centre), np.append(scale, spread), scores)


def _held_out_scores(
    method: str, data: Data, arguments: argparse.Namespace, options: dict[str, Any]
) -> np.ndarray | None:
    """Return the two scores of each patient by a fit that left her out; None without folds.

    On patients that a fit has seen, the best cut-off follows its overfitting.
    """
    if arguments.folds == 0:
        return None
    if arguments.folds < 2:
        raise ValueError(f"--folds must be 0 or at least 2; got {arguments.folds}")
    n_folds = min(arguments.folds, int(np.bincount(data.y).min()))
    if n_folds < 2:
        print("too few patients for folds: no cross-validation")
        return None
    # Imported when needed: it takes longer than most fits.
    from sklearn.model_selection import StratifiedKFold

    scores = np.empty((2, len(data.y)))
    folds = StratifiedKFold(n_folds, shuffle=True, random_state=arguments.seed)
    for fitting, held_out in folds.split(data.X, data.y):
        # Fewer patients than the whole: a batch cannot be larger, nor can there be more blocks.
        limited = ("n_blocks", "batch_size", "mini_batch")
        fewer = {key: min(value, len(fitting)) for key in limited if (value := options[key])}
        scores[:, held_out] = _fit(method, data, fitting, arguments, options | fewer).scores[:, held_out]
    return scores


def _judged(data: Data, scores: np.ndarray, held_out: np.ndarray | None) -> tuple[float, dict[str, float | None]]:
    """Return the cut-off, and how good the score is in patients held out.

    A risk is high above the median, of patients held out if possible.
    """
    if data.time is not None:
        judged = scores if held_out is None else held_out
        value = None if held_out is None else concordance(data.y, data.time, held_out)
        return float(np.median(judged)), {"cross_validated_concordance": value}
    cut_off = 0.0 if held_out is None else best_threshold(data.y, held_out)
    return cut_off, {"cross_validated_error": None if held_out is None else balanced_error(data.y, held_out, cut_off)}


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
    epochs = counted(result.epochs, "epoch")
    print(f"{signature.method}: {result.status} after {epochs}{early}, loss {result.loss_trace[-1]:.4f}")
    if result.n_line_searches_failed:
        print(f"{result.n_line_searches_failed} of {result.n_line_searches} line searches failed")
    if result.status == DIVERGED:
        _note("the fit diverged: its weights mean nothing")
    if result.status == REFIT_LIMIT:
        _note("the refit did not reach the minimum of the loss; use a larger --lambda")
    if len(result.support) < arguments.sparsity:
        _note(
            f"{counted(len(result.support), 'gene')} selected where --sparsity asks for {arguments.sparsity}: no other "
            "varies with the outcome and can be connected"
        )
    if data.time is None:
        what, fitted = "balanced error", balanced_error(data.y, scores)
        key, chosen = "cross_validated_error", ", which was chosen there"
    else:
        what, fitted = "concordance", concordance(data.y, data.time, scores)
        key, chosen = "cross_validated_concordance", ", the median score there"
    crossed, alone = (signature.training.get(each) for each in (key, f"{key}_of_covariates"))
    print(f"{what} on the patients fitted to, which is no estimate of the {what.split()[-1]} on others: {fitted:.3f}")
    if crossed is not None:
        optimism = ", so that this is a little optimistic" if data.time is None else ""
        print(
            f"in cross-validation at these settings: {crossed:.3f}; cut-off {signature.cut_off:.4f}{chosen}{optimism}"
        )
    if alone is not None:
        print(f"the same of {', '.join(data.covariates)} without any gene: {alone:.3f}")
    neighbours = {gene: sum(gene in edge for edge in signature.edges) for gene in signature.symbol}
    width = max(len("gene"), *(len(gene) for gene in signature.symbol))
    print(f"\n{'gene':<{width}}  {'weight':>9}  neighbours")
    for gene, weight in zip(signature.symbol, signature.weights, strict=True):
        print(f"{gene:<{width}}  {weight:>9.4f}  {neighbours[gene]:>10}")
    print()


def _note(text: str) -> None:
    print(f"graphiht: note: {text}.", file=sys.stderr)
