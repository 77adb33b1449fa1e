"""Run the workflow's scripts as commands."""

import argparse
import errno
import inspect
import json
import os
import signal
import sys
from collections.abc import Callable

from graphiht._files import UNFINISHED
from study.errors import StudyError

CANNOT_WRITE = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO)
# How an option is read, by the annotation of its parameter.
OPTIONS: dict = {str: {}, int: {"type": int}, dict: {"type": json.loads}, list: {"nargs": "*"}}


def command(main: Callable[..., None]) -> None:
    """Call `main` with its parameters from the command line.

    A parameter ``n_folds: int`` becomes the required option ``--n-folds``; a ``dict`` is read as JSON. Errors that a
    user can cause become one sentence and exit code 1.
    """
    parser = argparse.ArgumentParser(description=inspect.getmodule(main).__doc__)
    for name, parameter in inspect.signature(main).parameters.items():
        parser.add_argument(f"--{name.replace('_', '-')}", required=True, **OPTIONS[parameter.annotation])
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # in the background it is ignored
        signal.signal(signal.SIGINT, _end)
    try:
        main(**vars(parser.parse_args()))
    except StudyError as error:
        sys.exit(f"error: {error}")
    except OSError as error:
        if error.errno not in CANNOT_WRITE:
            raise
        sys.exit(
            f"error: {error.filename or 'results'}: cannot be written ({error.strerror}). Finished files stay. Make "
            "room and run the same command again."
        )


def _end(*_: object) -> None:
    """End at once. KeyboardInterrupt may become another error in an import, or be ignored in a callback."""
    for partial in list(UNFINISHED):
        partial.unlink(missing_ok=True)
    os.write(2, b"interrupted: no half-written file is kept\n")
    os._exit(130)
