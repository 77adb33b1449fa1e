"""A hash of the source files behind a script: Snakemake does not follow imports."""

from __future__ import annotations

import ast
import hashlib
from functools import cache
from pathlib import Path


def _files_of(name: str, src: Path) -> list[Path]:
    """Return the file of the module `name` under `src` and those of the packages around it."""
    parts = name.split(".")
    found = [src.joinpath(*parts[:depth], "__init__.py") for depth in range(1, len(parts) + 1)]
    return [path for path in (*found, src.joinpath(*parts).with_suffix(".py")) if path.is_file()]


@cache
def _imports(path: Path, src: Path) -> frozenset[Path]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return frozenset(file for name in names for file in _files_of(name, src))


def source_files(script: Path, src: Path) -> list[Path]:
    """Return a script and every file under `src` that it imports, directly or not."""
    found, to_read = {script}, [script]
    while to_read:
        new = _imports(to_read.pop(), src) - found
        found |= new
        to_read += new
    return sorted(found)


@cache
def code_hash(script: Path, src: Path) -> str:
    """Return a hash of the content of `source_files`, independent of where the repository lies."""
    digest = hashlib.sha256()
    for path in source_files(script, src):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]
