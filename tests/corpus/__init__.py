"""Tables and configurations that are not as they should be: what is done, and what a check must say.

A refusal is one sentence; what is accepted reaches the report; of some cases (None) either is right.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

REFUSED, ACCEPTED = "refused", "accepted"


@dataclass(frozen=True)
class Case:
    """A file, what spoils it, what is said of it, and what becomes of it."""

    file: str
    spoil: Callable[[Path], object]
    says: str = ""
    end: str | None = REFUSED
