"""What a job knows of the run that started it: how to go on, and whether it still lives.

A job that has outlived its run must not write into the next one.
"""

from __future__ import annotations

import os
import signal
import threading
import time

from graphiht._files import life

# The shell of a job has here the process that started it, and the command that makes the study.
VARIABLE, AGAIN = "STUDY_SCHEDULER", "STUDY_AGAIN"
EVERY = 1.0

_watched: tuple[int, str | None] | None = None


def again() -> str:
    """Return the command that goes on with the run."""
    return os.environ.get(AGAIN, "make study")


def watch() -> None:
    """Remember who started this job, and end it soon after that process has ended.

    Told to end, a job takes away what is half-written, and says so in a line.
    """
    global _watched
    pid = os.environ.get(VARIABLE, "")
    if not pid.isdecimal():
        return
    _watched = int(pid), life(int(pid))
    signal.signal(signal.SIGTERM, signal.default_int_handler)

    def look() -> None:
        while is_there():
            time.sleep(EVERY)
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=look, daemon=True).start()


def is_there() -> bool:
    """Return whether the process that started this job lives; True outside of jobs."""
    if _watched is None:
        return True
    pid, started = _watched
    return started is not None and life(pid) == started


def stop_without() -> None:
    """Raise KeyboardInterrupt when the run is over: what this job has made is not wanted any more."""
    if not is_there():
        raise KeyboardInterrupt
