"""The workflow's scripts as commands."""

from __future__ import annotations

import argparse
import errno
import inspect
import json
import os
import resource
import sys
from collections.abc import Callable
from pathlib import Path

from study.run import scheduler
from study.run.errors import StudyError

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO)
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
    arguments = vars(parser.parse_args())
    scheduler.watch()
    try:
        main(**arguments)
    except StudyError as error:
        sys.exit(f"error: {error}")
    except OSError as error:
        if error.errno not in FULL:
            raise
        sys.exit(
            f"error: {error.filename or 'a result'}: expected to write it, found no way to ({error.strerror}). What is "
            f"finished stays; make room, then go on: {scheduler.again()}"
        )
    except KeyboardInterrupt:
        sys.exit("interrupted: nothing half-written is kept")
    record(Path(sys.argv[0]).stem, arguments.get("name", arguments.get("method", "")))


def record(script: str, name: str) -> None:
    """Add what this job cost to the file that STUDY_COSTS names, if it does: `study.run.costs` makes its table of it.

    Snakemake's benchmarks look every few seconds, which is too seldom for most jobs.
    """
    if file := os.environ.get("STUDY_COSTS"):
        used = resource.getrusage(resource.RUSAGE_SELF)
        cost = {"seconds": used.ru_utime + used.ru_stime, "mem_mb": used.ru_maxrss / 1024}
        with open(file, "a", encoding="utf-8") as stream:
            stream.write(json.dumps({"script": script, "name": name} | cost) + "\n")


def on_configuration(act: Callable[[str, Path, int], object], description: str) -> None:
    """Call `act` with a configuration, the repository and a number of cores from the command line."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("config", help="the configuration")
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1, help="of your machine (%(default)s)")
    arguments = parser.parse_args()
    try:
        act(arguments.config, Path(__file__).parents[3], arguments.cores)
    except StudyError as error:
        sys.exit(f"error: {error}")


def say(text: str) -> None:
    """Print a line of progress."""
    print(text, file=sys.stderr, flush=True)
