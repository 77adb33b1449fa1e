"""The workflow's scripts as commands."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable

from study.run.errors import StudyError

# What every script that reads a part of the configuration takes.
SETTINGS = (json.loads, "part of the configuration, as JSON")


def command(main: Callable[..., None], description: str | None, **options) -> None:
    """Parse the command line and call `main` with the options by name; bad input becomes one sentence and exit code 1.

    An option is given by its help (one value, required), by [help] (any number of values), or by (type, help).
    """
    parser = argparse.ArgumentParser(description=description)
    for name, option in options.items():
        flag = f"--{name.replace('_', '-')}"
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
