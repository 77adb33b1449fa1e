"""What a section of the page shows: figures, tables, numbers for its template, and what has not been run."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field

import pandas as pd
from markupsafe import Markup
from matplotlib import figure as matplotlib_figure

from study.figures.style import to_svg


@dataclass(frozen=True)
class Missing:
    """What has not been run, the command that runs it, and what it would tell."""

    what: str
    command: str
    why: str = ""


@dataclass(frozen=True)
class Column:
    """A column: its head, how to show a cell (its value, or its row), and whether it is a number."""

    key: str
    head: str
    show: Callable[[object], str | Markup] = str
    numeric: bool = True
    of_row: Callable[[dict], str | Markup] | None = None
    wide: bool = False


@dataclass(frozen=True)
class Cell:
    """A shown cell and the value it sorts by."""

    shown: str | Markup
    value: str
    numeric: bool


@dataclass(frozen=True)
class Table:
    """A table that a reader can sort, filter and save; `csv` is the file to save, at full precision."""

    columns: list[Column]
    rows: list[list[Cell]]
    csv: str
    limit: int = 25

    @property
    def embedded(self) -> Markup:
        """The file to save, as JSON text, because a script element decodes no entities."""
        return Markup(as_json(self.csv))


@dataclass
class Section:
    """Content of a section by id; its template, of the same name if none is given, arranges it and adds the words."""

    figures: dict[str, str] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    numbers: dict = field(default_factory=dict)
    missing: list[Missing] = field(default_factory=list)
    template: str = ""

    @property
    def is_empty(self) -> bool:
        """Whether it has nothing to show."""
        return not (self.figures or self.tables or self.numbers)

    def draw(self, name: str, figure: matplotlib_figure.Figure) -> None:
        """Add a figure."""
        self.figures[name] = to_svg(figure, name)

    def tabulate(self, name: str, frame: pd.DataFrame | None, columns: list[Column], **options) -> None:
        """Add a table, if the run has it, see `make_table`."""
        if frame is not None:
            self.tables[name] = make_table(frame, columns, **options)


def is_blank(value: object) -> bool:
    """Return whether a cell has nothing to show."""
    return value is None or value is pd.NA or (isinstance(value, float) and value != value) or value == ""


def _sortable(value: object) -> str:
    """Return what a cell is sorted by; the file to save has every digit."""
    return f"{value:.7g}" if isinstance(value, float) else str(value)


def make_table(frame: pd.DataFrame, columns: list[Column], limit: int = 25, whole: pd.DataFrame | None = None) -> Table:
    """Return a table of the columns of `frame`; the file to save holds every column, and the rows of `whole`."""
    rows = []
    for record in frame.to_dict("records"):
        cells = []
        for column in columns:
            value = record[column.key]
            blank = is_blank(value)
            shown = "–" if blank else column.of_row(record) if column.of_row else column.show(value)
            cells.append(Cell(shown, "" if blank else _sortable(value), column.numeric))
        rows.append(cells)
    return Table(columns, rows, (frame if whole is None else whole).to_csv(index=False), limit)


def as_json(value: object) -> str:
    """Return compact JSON that may stand inside a script element."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
