"""A hash of the source files behind a script: Snakemake does not follow imports."""

import hashlib
import re
from functools import cache
from pathlib import Path


def _files_of(name: str, src: Path) -> list[Path]:
    """Return the file of the module `name` under `src` and those of the packages around it."""
    parts = name.split(".")
    found = [src.joinpath(*parts[:depth], "__init__.py") for depth in range(1, len(parts) + 1)]
    return [path for path in (*found, src.joinpath(*parts).with_suffix(".py")) if path.is_file()]


# Three times as fast as parsing. An import in a docstring costs a re-run at most.
_IMPORT = re.compile(r"^[ \t]*(?:from ([\w.]+) import (\([^)]*\)|.*)|import ([\w.]+(?:, ?[\w.]+)*))", re.MULTILINE)


@cache
def _imports(path: Path, src: Path) -> frozenset[Path]:
    names = set()
    for package, members, modules in _IMPORT.findall(path.read_text(encoding="utf-8")):
        names.update(modules.replace(" ", "").split(",") if modules else [package])
        names.update(f"{package}.{member}" for member in re.findall(r"\w+", members))
    return frozenset(file for name in names for file in _files_of(name, src))


# A registry lists everything there is. A rule that depends on some rows has them as a param instead of the file, so
# that a new method or another label re-runs no fit.
REGISTRIES = {"study/methods.py", "study/data/registry.py", "study/tables.py"}
LEARNERS = "study/cv/learners.py"
# Its templates, styles and scripts are no imports.
REPORT = "study/report"


def source_files(script: Path, src: Path, learner: str = "") -> list[Path]:
    """Return a script and every file under `src` that it imports, directly or not; of the learners only one."""
    found, to_read = {script}, [script]
    while to_read:
        path = to_read.pop()
        imports = _imports(path, src)
        if learner and path == src / LEARNERS:
            imports = {src / f"study/cv/{learner}.py"}
        to_read += imports - found
        found |= imports
    if any(path.is_relative_to(src / REPORT) for path in found):
        found |= {path for path in (src / REPORT).rglob("*.*") if path.suffix in (".j2", ".css", ".js", ".txt")}
    return sorted(found)


@cache
def code_hash(script: Path, src: Path, rows: str = "", learner: str = "") -> str:
    """Return a hash of the content of `source_files`, independent of where the repository lies.

    Parameters
    ----------
    script, src : Path
    rows : str
        The rows that a job depends on, as text, in place of the whole `REGISTRIES`.
    learner : str
        The module of the learner that a job uses.
    """
    digest = hashlib.sha256(rows.encode())
    for path in source_files(script, src, learner):
        name = path.relative_to(src).as_posix() if path.is_relative_to(src) else path.name
        if not (rows and name in REGISTRIES):
            digest.update(name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]
