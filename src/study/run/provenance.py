"""What a result was made from: the source files behind a script."""

from __future__ import annotations

import ast
import hashlib
from functools import cache
from pathlib import Path


def _resolve(name: str, src: Path) -> list[Path]:
    """Return the file of the module `name` under `src` and those of the packages around it."""
    parts = name.split(".")
    if not (src / parts[0]).is_dir():
        return []
    found = [src.joinpath(*parts[:depth], "__init__.py") for depth in range(1, len(parts) + 1)]
    found.append(src.joinpath(*parts).with_suffix(".py"))
    return [path for path in found if path.is_file()]


@cache
def _imports(path: Path, src: Path) -> frozenset[Path]:
    names = set()
    package = path.parent.relative_to(src).parts if path.is_relative_to(src) else ()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*base, *([node.module] if node.module else [])])
            names.add(module)
            names.update(f"{module}.{alias.name}" for alias in node.names)
    return frozenset(file for name in names for file in _resolve(name, src))


def source_files(roots: list[Path], src: Path) -> list[Path]:
    """Return `roots` and every file under `src` that they import, directly or not."""
    found, open_ = set(roots), list(roots)
    while open_:
        new = _imports(open_.pop(), src) - found
        found |= new
        open_ += new
    return sorted(found)


# Tables of everything there is: a new row or another label is no reason to fit anything again. Rules that fit or read
# have what they use of a row as a parameter of their own.
REGISTRIES = (
    "study/methods.py",
    "study/metrics.py",
    "study/tables.py",
    "study/data/registry.py",
    "study/run/command.py",
)


def source_hash(roots: list[Path], src: Path, registries: bool = True) -> str:
    """Return a hash of the content of `source_files`, independent of where the repository lies.

    With or without the `REGISTRIES` among them.
    """
    digest = hashlib.sha256()
    for path in source_files(roots, src):
        name = path.relative_to(src).as_posix() if path.is_relative_to(src) else path.name
        if name in REGISTRIES and not registries:
            continue
        digest.update(f"{name}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()[:16]


def content_hash(paths: list[str | Path]) -> str:
    """Return a hash of the names and contents of files; one that is just being made again counts as empty."""
    digest = hashlib.sha256()
    for path in paths:
        content = Path(path).read_bytes() if Path(path).is_file() else b""
        digest.update(f"{path}\0{hashlib.sha256(content).hexdigest()}\n".encode())
    return digest.hexdigest()[:16]
