"""`graphiht predict`: the scores of new patients by a signature."""

import argparse
import sys
from pathlib import Path

import numpy as np

from graphiht import io
from graphiht.signature import SCALINGS, Scored, Signature, SignatureError, write_whole
from graphiht.tables import counted, shown, some

EXAMPLES = """\
examples:
  graphiht predict --signature signature.json --expression new.csv

  patients measured on another platform, or in another unit: scale every gene within them
    graphiht predict --signature signature.json --expression new.csv --scale within

A missing gene counts as average, and the command names it; genes that are not in the signature do not matter, and
neither does their order. The table written has patient, score and risk: high above the signature's cut-off.
"""


def add_to(commands: argparse._SubParsersAction) -> None:
    """Declare the command."""
    command = commands.add_parser(
        "predict",
        help="score new patients by a signature",
        description="Score new patients by the signature that `graphiht fit` or a study wrote.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = command.add_argument
    add("--signature", required=True, metavar="FILE", help="the signature's .json file")
    add("--expression", required=True, metavar="FILE", help="expression matrix of the new patients")
    add("--clinical", metavar="FILE", help="table of the new patients with the covariates of the signature")
    add("--genes-in-rows", action="store_true", help="the matrix has genes in rows")
    add(
        "--scale",
        choices=SCALINGS,
        help="genes by mean and standard deviation of the training patients (default), or within the new ones",
    )
    add("--missing", choices=["average", "stop"], default="average", help="what a missing gene does (%(default)s)")
    add("--output", default="predictions.tsv", metavar="FILE", help="table of scores (%(default)s)")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Read, score, write, print."""
    signature = Signature.read(arguments.signature)
    # Read new patients as the training patients; a missing value counts as a missing gene of that patient.
    transform = signature.settings.get("transform", "none")
    if transform not in ("none", "log2"):
        raise SignatureError(f"{arguments.signature}: has the transform {shown(transform)}, not none or log2")
    remedies = io.Remedies("auto", transform, missing="keep", constant="keep")
    X, patients, genes = io.read_expression(
        arguments.expression, arguments.genes_in_rows, (), remedies, print, None, signature.covariates
    )
    if arguments.clinical:
        absent = [name for name in signature.covariates if name not in genes]
        X = np.column_stack([X, *(io.read_covariate(arguments.clinical, name, patients) for name in absent)])
        genes = [*genes, *absent]
    for name in signature.covariates:
        unknown = np.flatnonzero(np.isnan(X[:, genes.index(name)])) if name in genes else ()
        if len(unknown):
            _note(f"{name} of {some([patients[i] for i in unknown])} is missing and counts as average")
    try:
        scored = signature.score(X, genes, arguments.scale)
    except SignatureError as error:
        raise SignatureError(f"{arguments.expression}: {error}") from None
    if scored.missing and arguments.missing == "stop":
        raise SignatureError(
            f"{arguments.expression}: lacks {', '.join(scored.missing)} of the signature. Without --missing stop they "
            "count as average"
        )
    write_whole(Path(arguments.output), _table(patients, scored))
    for note in scored.notes:
        _note(f"{arguments.expression}: {note}")
    others = f" and {', '.join(signature.covariates)}" if signature.covariates else ""
    n_genes = len(signature.symbol) - len(signature.covariates)
    print(
        f"{signature.method}, {counted(n_genes, 'gene')}{others}, cut-off {signature.cut_off:.4f}: "
        f"{counted(len(patients), 'patient')}, {int(scored.high.sum())} of high risk"
    )
    width = max(len("patient"), *(len(patient) for patient in patients))
    print(f"\n{'patient':<{width}}  {'score':>9}  risk")
    for patient, score, high in zip(patients, scored.scores, scored.high, strict=True):
        print(f"{patient:<{width}}  {score:>9.4f}  {_risk(high)}")
    print(f"\nwritten to {arguments.output}")


def _note(text: str) -> None:
    print(f"graphiht: note: {text}.", file=sys.stderr)


def _risk(high: bool) -> str:
    return "high" if high else "low"


def _table(patients: list[str], scored: Scored) -> str:
    rows = zip(patients, scored.scores.tolist(), scored.high, strict=True)
    lines = [f"{patient}\t{score!r}\t{_risk(high)}" for patient, score, high in rows]
    return "\n".join(["patient\tscore\trisk", *lines]) + "\n"
