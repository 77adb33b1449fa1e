"""What a section of the page shows: figures, tables, numbers for its template, and what has not been run."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import pandas as pd
from markupsafe import Markup
from matplotlib import figure as matplotlib_figure

from study.figures.style import to_svg


@dataclass(frozen=True)
class Missing:
    """What has not been run, and the command that runs it."""

    what: str
    command: str


class Cell(NamedTuple):
    """A shown cell and the value it sorts by."""

    shown: str | Markup
    value: str


@dataclass(frozen=True)
class Column:
    """A column: its head, how to show a cell (its value, or its row), and whether it is a number."""

    key: str
    head: str
    show: Callable[[object], str | Markup] = str
    numeric: bool = True
    of_row: Callable[[dict], str | Markup] | None = None
    wide: bool = False

    def cell(self, row: dict) -> Cell:
        """Return a cell as it is shown, and what it sorts by; the file to save has every digit."""
        value = row[self.key]
        if is_blank(value):
            return Cell("–", "")
        shown = self.of_row(row) if self.of_row else self.show(value)
        return Cell(shown, f"{value:.7g}" if isinstance(value, float) else str(value))


@dataclass(frozen=True)
class Table:
    """A table that a reader can sort, filter and save; `csv` has its rows at full precision."""

    columns: list[Column]
    rows: list[list[Cell]]
    csv: str
    limit: int


@dataclass
class Section:
    """Content of a section by id; its template, of the section's name, arranges it and adds the words.

    `figures` are SVG; `drawn` holds those that were drawn here, for other formats.
    """

    figures: dict[str, str] = field(default_factory=dict)
    drawn: dict[str, matplotlib_figure.Figure] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    numbers: dict = field(default_factory=dict)
    missing: list[Missing] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        """Whether it has nothing to show."""
        return not (self.figures or self.tables or self.numbers)

    def draw(self, name: str, figure: matplotlib_figure.Figure) -> None:
        """Add a figure."""
        self.figures[name], self.drawn[name] = to_svg(figure, name), figure

    def tabulate(self, name: str, frame: pd.DataFrame | None, columns: list[Column], limit: int = 25) -> None:
        """Add a table if the run has it; the file to save holds every column of `frame`."""
        if frame is not None:
            rows = [[column.cell(row) for column in columns] for row in frame.to_dict("records")]
            self.tables[name] = Table(columns, rows, frame.to_csv(index=False), limit)


def is_blank(value: object) -> bool:
    """Return whether a cell has nothing to show."""
    return value is None or value is pd.NA or (isinstance(value, float) and value != value) or value == ""


def as_json(value: object) -> str:
    """Return compact JSON that may stand inside a script element."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
