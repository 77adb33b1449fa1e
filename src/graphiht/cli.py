"""The `graphiht` command: its subcommands are in `graphiht.commands`, one per module."""

import argparse
import os
import sys
from collections.abc import Sequence

from graphiht import __version__
from graphiht.commands import fit, predict, workflow

COMMANDS = (fit, predict, workflow)


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
    for module in COMMANDS:
        module.add_to(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
