"""What the workflow's scripts have in common as commands."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable

from study.run.errors import StudyError


def parser(description: str, **paths: str) -> argparse.ArgumentParser:
    """Return an argument parser with one required option per keyword: its name, and its help as the value."""
    made = argparse.ArgumentParser(description=description)
    for name, text in paths.items():
        made.add_argument(f"--{name.replace('_', '-')}", required=True, help=text)
    return made


def add_settings(made: argparse.ArgumentParser) -> None:
    """Add --settings, a JSON object with a part of the configuration."""
    made.add_argument("--settings", required=True, type=json.loads, help="part of the configuration, as JSON")


def run(main: Callable[[], None]) -> None:
    """Call `main`; bad input becomes one sentence on stderr and exit code 1, not a traceback."""
    try:
        main()
    except StudyError as error:
        sys.exit(f"error: {error}")
