"""Read edges: two or three columns of any name, with or without a header, SIF, STRING, GraphML."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from graphiht.tables import (
    Table,
    TableError,
    check_lengths,
    check_names,
    number,
    read_table,
    read_text,
    shown,
    some,
)

# Names of the two columns of genes in databases and programs, the most specific first.
ENDS = (
    ("gene_a", "gene_b"),
    ("preferredname_a", "preferredname_b"),
    ("protein1", "protein2"),
    ("node1", "node2"),
    ("gene1", "gene2"),
    ("symbola", "symbolb"),
    ("official symbol interactor a", "official symbol interactor b"),
    ("source", "target"),
    ("from", "to"),
    ("a", "b"),
)
CONFIDENCES = ("confidence", "combined_score", "score", "weight", "probability", "pint")
# STRING writes a protein as taxon.protein.
STRING_ID = re.compile(r"\d+\.(ENS[A-Z]*P\d+)")


def read_edges(
    path: str | Path, is_gene: Callable[[str], bool], say: Callable[[str], None]
) -> tuple[list[str], np.ndarray, np.ndarray]:
    """Read the edges of a network.

    Parameters
    ----------
    path : path
        A table of edges (text, Excel, Parquet), SIF (gene, relation, gene), or GraphML.
    is_gene : callable
        Whether a name is that of a measured gene: a first line of such names is no header.
    say : callable
        Called with a line on how the file was read.

    Returns
    -------
    names : list of str
        Names of the genes, each once.
    pairs : ndarray of shape (n_edges, 2)
        Each edge as two positions in `names`.
    confidence : ndarray of shape (n_edges,)
        Confidence of each edge, in (0, 1].
    """
    path = str(path)
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    if ".graphml" in suffixes:
        names, pairs, confidence, column = _read_graphml(path)
    elif ".sif" in suffixes:
        names, pairs, confidence, column = _read_sif(path)
    else:
        names, pairs, confidence, column = _read_columns(read_table(path), is_gene, say)
    names = [STRING_ID.sub(r"\1", name) for name in names]
    check_names(path, "gene", names)
    return names, pairs, _confidence(path, names, pairs, confidence, column, say)


def _read_columns(
    table: Table, is_gene: Callable[[str], bool], say: Callable[[str], None]
) -> tuple[list[str], np.ndarray, np.ndarray | None, str]:
    for note in table.notes:
        say(note)
    if len(table.header) < 2:
        raise TableError(
            f"{table.path}: has one column ({shown(table.header[0])}). An edge needs two columns of genes."
        )
    lower = [name.lower() for name in table.header]
    first, second = next(((lower.index(a), lower.index(b)) for a, b in ENDS if a in lower and b in lower), (0, 1))
    named = (first, second) != (0, 1) or any(a == lower[0] and b == lower[1] for a, b in ENDS)
    third = next((lower.index(name) for name in CONFIDENCES if name in lower), None)
    has_header = named or third is not None or _is_header(table, is_gene)
    is_sif = not named and len(lower) == 3 and not _are_numbers(table.cells[2])
    if is_sif:
        second, third = 2, None
    elif third is None and len(lower) == 3 and _are_numbers(table.cells[2]):
        third = 2
    ends = [_texts(table, column, has_header) for column in (first, second)]
    names, codes = np.unique(np.concatenate(ends), return_inverse=True)
    pairs = codes.reshape(2, -1).T.astype(np.int64)
    called = [some([table.header[i]]) if has_header else f"{i + 1}" for i in (first, second)]
    confidence, column = None, ""
    if third is not None:
        column = some([table.header[third]]) if has_header else "3"
        confidence = _floats(_texts(table, third, has_header).tolist())
    header = "" if has_header else ", no header"
    say(f"{table.path}: {len(pairs):,} edges, genes in columns {called[0]} and {called[1]}{header}")
    return names.tolist(), pairs, confidence, column


def _is_header(table: Table, is_gene: Callable[[str], bool]) -> bool:
    """Return whether the first line is a header although no name of a column is known."""
    numeric = [i for i in range(2, len(table.header)) if _are_numbers(table.cells[i])]
    if numeric:
        return any(np.isnan(number(table.header[i])) for i in numeric)
    ends = table.header[:: len(table.header) - 1][:2] if len(table.header) == 3 else table.header[:2]
    elsewhere = {name for i in range(len(table.header)) for name in set(table.text(i))}
    return not any(is_gene(name) or name in elsewhere for name in ends)


def _texts(table: Table, column: int, has_header: bool) -> np.ndarray:
    """Return a column as text; without a header the first line belongs to it.

    Long cells are refused first, because every cell of an array of text has the size of the longest.
    """
    cells = table.cells[column]
    texts = [str(name).strip() for name in cells.cat.categories] if hasattr(cells, "cat") else table.text(column)
    check_lengths(table.path, "cell", [*texts, table.header[column]])
    values = np.array(texts, dtype=str)
    values = values[cells.cat.codes.to_numpy()] if hasattr(cells, "cat") else values
    return values if has_header else np.concatenate([[table.header[column]], values])


def _are_numbers(cells: Any) -> bool:
    known = cells.cat.categories if hasattr(cells, "cat") else cells.unique()
    return not np.isnan(_floats(list(known))).any()


def _floats(cells: list[Any]) -> np.ndarray:
    """Return cells as numbers, NaN where they are not; each distinct cell is parsed once."""
    known = {cell: number(cell) for cell in set(cells)}
    return np.array([known[cell] for cell in cells], dtype=float)


def _read_sif(path: str) -> tuple[list[str], np.ndarray, None, str]:
    """Return the edges of a SIF file: gene, relation, and one or more genes, separated by tabs or spaces."""
    ends: tuple[list[str], list[str]] = ([], [])
    for row, line in enumerate(read_text(path).split("\n"), start=1):
        words = [word.strip() for word in (line.split("\t") if "\t" in line else line.split())]
        if len(words) == 2:
            raise TableError(f"{path}: line {row} has two words. A line of a SIF file has gene, relation, gene.")
        for target in words[2:]:
            ends[0].append(words[0])
            ends[1].append(target)
    if not ends[0]:
        raise TableError(f"{path}: has no edges. A line of a SIF file has gene, relation, gene.")
    check_lengths(path, "gene", [*ends[0], *ends[1]])
    names, codes = np.unique(np.concatenate([np.array(side, dtype=str) for side in ends]), return_inverse=True)
    return names.tolist(), codes.reshape(2, -1).T.astype(np.int64), None, ""


def _read_graphml(path: str) -> tuple[list[str], np.ndarray, np.ndarray | None, str]:
    """Return the edges of a GraphML file; the name of a node is its attribute name or label, if all nodes have it."""
    try:
        import networkx
    except ImportError:
        raise TableError(
            f"{path}: GraphML needs the package networkx, which is not installed. Install it with "
            "`python -m pip install networkx`, or save the edges as text."
        ) from None
    try:
        graph = networkx.read_graphml(io.BytesIO(read_text(path).encode()))
    except TableError:
        raise
    except Exception as error:  # whatever a library makes of a damaged file
        raise TableError(f"{path}: networkx cannot read this GraphML file ({shown(error, 150)}).") from None
    if not graph.number_of_edges():
        raise TableError(f"{path}: the graph has {graph.number_of_nodes()} nodes and no edges.")
    called = next((key for key in ("name", "label") if all(key in data for _, data in graph.nodes(data=True))), None)
    names = [str(data[called] if called else node).strip() for node, data in graph.nodes(data=True)]
    position = {node: i for i, node in enumerate(graph)}
    ends = list(graph.edges(data=True))
    pairs = np.array([(position[a], position[b]) for a, b, _ in ends], np.int64)
    column = next((key for key in CONFIDENCES if all(key in data for *_, data in ends)), "")
    confidence = _floats([str(data[column]) for *_, data in ends]) if column else None
    return names, pairs, confidence, column


def _confidence(
    path: str,
    names: list[str],
    pairs: np.ndarray,
    found: np.ndarray | None,
    column: str,
    say: Callable[[str], None],
) -> np.ndarray:
    """Return confidences in (0, 1]: 1 without a column of them; scores to 1000 are divided by 1000."""
    if not len(pairs):
        raise TableError(f"{path}: has no edges.")
    if found is None:
        say(f"{path}: no confidences, so every edge counts as 1")
        return np.ones(len(pairs))
    whole = not np.isnan(found).any() and (found == np.round(found)).all()
    if whole and 100 <= found.max() <= 1000 and found.min() >= 0:
        say(f"{path}: scores up to {found.max():.0f} in column {column} are divided by 1000")
        found = found / 1000
    outside = np.flatnonzero(~((found > 0) & (found <= 1)))
    if len(outside):
        a, b = (names[i] for i in pairs[outside[0]])
        raise TableError(
            f"{path}: column {column} has the confidence {found[outside[0]]:g} for the edge {some([a])} - {some([b])} "
            f"({len(outside)} such edges). Use values in (0, 1], or scores to 1000."
        )
    return found
