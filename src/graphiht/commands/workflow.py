"""The subcommands `check` and `study`: they need the workflow, so a bare wheel says where to get it."""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import os
from pathlib import Path
from typing import Any

from graphiht.commands.fit import _event_values
from graphiht.tables import TableError

STUDY_EXAMPLES = """\
examples:
  a study of your patients on the protein network that is shipped, in a folder of its own:
    graphiht study --expression counts.tsv.gz --outcome patients.csv --network scnet --transform log2 --out mine

  on a network of yours, with the column that holds the event named:
    graphiht study --expression X.csv --outcome y.csv --event relapsed --network string.txt.gz --out mine

The folder gets study.yaml (the configuration, to be edited), results/ and report/. Started again, it goes on
where it stopped; with more --trials it keeps the finished ones of methods that take more than a minute.
"""


def add_to(commands: Any) -> None:
    """Add the two subcommands to those of the command."""
    check = commands.add_parser(
        "check",
        help="look at a configuration and its files before a run, in seconds",
        description="Print patients, events, genes, edges kept and dropped, and warnings.",
    )
    check.add_argument("config", metavar="CONFIG", help="the configuration, a YAML file")
    _add_cores(check)
    check.set_defaults(run=run_check)
    study = commands.add_parser(
        "study",
        help="from two or three files to a report: write a configuration, check it, run it",
        description="Run the whole study, nested cross-validation and report, on patients of your own.",
        epilog=STUDY_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = study.add_argument
    add("--expression", required=True, metavar="FILE", help="matrix of patients and genes, in any layout")
    add("--outcome", required=True, metavar="FILE", help="patient, event (0 or 1) and maybe time")
    add("--network", default="scnet", metavar="NAME|FILE", help="a shipped network or a file of edges (%(default)s)")
    add("--out", default="graphiht-study", metavar="FOLDER", help="folder to make, anywhere (%(default)s)")
    add("--name", default="mine", help="name of the cohort (%(default)s)")
    add("--event", metavar="COLUMN", help="column of the event, if its name does not tell")
    add("--event-values", metavar="A=1,B=0", help="values of that column that mean 1 and 0")
    add("--event-means", metavar="TEXT", help="what the event is, for the report")
    add("--time", metavar="COLUMN", help="column of the time, if its name does not tell")
    add("--time-unit", metavar="UNIT", help="what times are counted in, for the report")
    add("--survival", action="store_true", help="learn Cox's model of event and time; htp, graph-htp and ridge")
    add("--horizon", type=float, metavar="T", help="learn the event by this time; patients lost before are weighed")
    add(
        "--covariates",
        type=lambda text: [name.strip() for name in text.split(",")],
        metavar="A,B",
        help="columns of either file that are in every model without penalty; htp and graph-htp",
    )
    add("--genes-in", choices=["rows", "columns"], help="where the genes are, if it cannot be told")
    add("--transform", choices=["none", "log2"], help="log2 for counts")
    add("--missing", choices=["stop", "mean", "knn"], help="what to do about missing values")
    add("--duplicates", choices=["stop", "mean", "variance"], help="what to do about genes in several columns")
    add("--min-confidence", type=float, metavar="C", help="leave out less confident edges (0.5)")
    add("--methods", nargs="+", metavar="METHOD", help="default: all")
    add("--trials", type=int, default=5, help="repetitions of the cross-validation (%(default)s)")
    add("--seed", type=int, help="master seed")
    _add_cores(study)
    study.set_defaults(run=run_study)


def _add_cores(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1, help="default: all, %(default)s")


def run_check(arguments: argparse.Namespace) -> None:
    """Check a configuration."""
    module, repository = _workflow("study.run.check")
    _called(module.check, os.path.abspath(arguments.config), repository, arguments.cores)


def run_study(arguments: argparse.Namespace) -> None:
    """Write a configuration, check it and run it."""
    module, repository = _workflow("study.run.start")
    arguments.event_values = _event_values(arguments.event_values)
    _called(module.start, vars(arguments), repository)


def _called(function: Any, *arguments: Any) -> None:
    errors = importlib.import_module("study.errors")
    try:
        function(*arguments)
    except errors.StudyError as error:
        raise TableError(str(error)) from None


def _workflow(module: str) -> tuple[Any, Path]:
    """Return a module of the workflow and the repository it is in, or say how to get one."""
    found = importlib.util.find_spec("study")
    repository = Path(found.origin).parents[2] if found is not None and found.origin else Path()
    if not (repository / "workflow/Snakefile").is_file():
        raise TableError(
            "check and study need the project's repository, not the installed library alone: clone it, run `make "
            "help` in it, and use its .venv/bin/graphiht."
        )
    return importlib.import_module(module), repository
