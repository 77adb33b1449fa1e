"""The workflow's scripts as commands."""

from __future__ import annotations

import argparse
import inspect
import json
import sys
from collections.abc import Callable

from study.run.errors import StudyError

# Options that mean the same in several scripts.
COMMON = {
    "cohort": "the cohort file",
    "folds": ["the fold files"],
    "known_genes": "table entrez, symbol of known breast-cancer genes",
    "pathways": ["the wheels with gene sets; none: no pathways"],
    "progress": "what the progress is measured against",
    "published": "table of the published files",
    "run": "folder of the run's results",
    "settings": (json.loads, "part of the configuration, as JSON"),
    "sources": "table of pinned wheels",
    "splits": "the folds",
    "study": "the study file",
}


def command(main: Callable[..., None], **options) -> None:
    """Call `main` with its parameters from the command line; bad input becomes one sentence and exit code 1.

    An option is given by its help (one value, required), by [help] (any number of values), or by (type, help); those
    in `COMMON` need not be. The description is the first line of the script.
    """
    parser = argparse.ArgumentParser(description=inspect.getmodule(main).__doc__)
    for name in inspect.signature(main).parameters:
        option, flag = (COMMON | options)[name], f"--{name.replace('_', '-')}"
        if isinstance(option, list):
            parser.add_argument(flag, nargs="*", default=[], help=option[0])
        elif isinstance(option, tuple):
            parser.add_argument(flag, required=True, type=option[0], help=option[1])
        else:
            parser.add_argument(flag, required=True, help=option)
    try:
        main(**vars(parser.parse_args()))
    except StudyError as error:
        sys.exit(f"error: {error}")


def say(text: str) -> None:
    """Print a line of progress."""
    print(text, file=sys.stderr, flush=True)
