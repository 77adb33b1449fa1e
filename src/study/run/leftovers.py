"""What killed runs have left half-written, and how the next one clears it away."""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Iterable
from pathlib import Path

from graphiht._files import life

# See `graphiht._files.temporary_suffix`.
NAME = re.compile(r"\..+\.(?P<host>[^.]+)\.(?P<pid>\d+)-(?P<started>\d*)\.part", flags=re.S)
# Of another machine nothing is known but that nobody writes one file for so long.
LONG_AGO = 24 * 3600


def leftovers(folders: Iterable[str | Path]) -> list[Path]:
    """Return unfinished files and folders, in these folders and below, whose writer is gone."""
    found = {path for folder in folders for path in Path(folder).rglob(".*.part") if _is_left(path)}
    return sorted(found)


def _is_left(path: Path) -> bool:
    named = NAME.fullmatch(path.name)
    if not named:
        return False
    if named["host"] == os.uname().nodename.partition(".")[0]:
        return life(int(named["pid"])) != named["started"]
    try:
        return time.time() - path.stat().st_mtime > LONG_AGO
    except OSError:
        return False


def remove(folders: Iterable[str | Path]) -> int:
    """Remove them and return how many there were."""
    found = leftovers(folders)
    for path in found:
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
    return len(found)
