"""What a section of the page is made of: a sentence, a figure, what folds under them, and what has not been run."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field

import pandas as pd
from markupsafe import Markup, escape
from matplotlib import figure as matplotlib_figure

from study.figures.style import WIDTH, to_svg

# In points.
WIDEST = 1.1 * 72 * WIDTH

GLOSSARY = {
    "balanced error": "The mean of two shares: events that were missed, and false alarms among the "
    "others, at probability one half. 0 is perfect, 0.5 is guessing, whatever the share of events.",
    "AUC": "The probability that a random patient with the event gets a higher score than a random one "
    "without. 1 is perfect, 0.5 is guessing.",
    "head projection": "Given a gradient, a connected set of genes that holds at least a fixed share of "
    "the gradient's energy that any such set could hold.",
    "tail projection": "Given a vector of weights, a connected set of genes so that what is cut off is at "
    "most a fixed multiple of the least that must be cut off.",
    "stability": "How alike the gene sets of different folds are, corrected for chance (Nogueira et al. "
    "2018): 1 means the same genes every time, 0 means as alike as random sets of that size. Folds share "
    "patients, so that fits to permuted outcomes, which have nothing to find, are above 0 too.",
}


def term(word: str, shown: str | None = None) -> Markup:
    """Return a glossary word as a link to its entry; the page shows the entry on hover and on focus."""
    return Markup('<a class="term" href="#{}">{}</a>').format(term_id(word), shown or word)


def term_id(word: str) -> str:
    """Return the id of a glossary entry."""
    return "term-" + word.lower().replace(" ", "-")


def paragraph(text: str, /, **values: object) -> Markup:
    """Return a paragraph; values are escaped, `text` is ours."""
    return Markup("<p>{}</p>").format(Markup(text).format(**values))


@dataclass(frozen=True)
class Text:
    """Sentences under a title, as safe HTML."""

    title: str
    html: Markup
    kind: str = "text"


def with_commands(sentence: str) -> Markup:
    """Return a sentence as safe HTML, what stands between backticks as code."""
    parts = sentence.split("`")
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if i % 2 else escape(part) for i, part in enumerate(parts)
    )


@dataclass(frozen=True)
class Missing:
    """What has not been run, the command that runs it, and what it would say."""

    what: str
    command: str
    why: str = ""
    kind: str = "missing"

    @property
    def html(self) -> Markup:
        """A sentence of it."""
        why = f", {self.why}" if self.why else ""
        return with_commands(f"Not run: {self.what}{why}; run `{self.command}`.")


@dataclass(frozen=True)
class Column:
    """A column: its head, how a cell is shown (from its value, or from its row), and whether it is a number."""

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
    """A table that can be sorted, filtered and saved: `csv` is what is saved, at full precision."""

    id: str
    title: str
    caption: Markup
    columns: list[Column]
    rows: list[list[Cell]]
    csv: str
    limit: int = 25
    kind: str = "table"

    @property
    def embedded(self) -> Markup:
        """The file to save, as JSON text, because a script element decodes no entities."""
        return Markup(as_json(self.csv))


@dataclass(frozen=True)
class Figure:
    """A figure as inline SVG, the same that its file holds."""

    id: str
    caption: Markup
    title: str
    svg: Markup
    kind: str = "figure"

    @property
    def width(self) -> float:
        """How wide it is drawn, in points."""
        found = re.search(r'viewBox="[-\d.]+ [-\d.]+ ([\d.]+)', self.svg)
        return float(found[1]) if found else 0.0

    @property
    def is_wide(self) -> bool:
        """Whether a phone shows it in parts, because its letters would be too small."""
        return self.width > WIDEST


@dataclass(frozen=True)
class Viewer:
    """The network viewer and its data."""

    data: str
    caption: Markup
    title: str = "The network, to drag and zoom"
    kind: str = "viewer"


@dataclass(frozen=True)
class Section:
    """A numbered part of the page: a sentence or two and a figure to look at; `blocks` fold under them."""

    id: str
    title: str
    short: str
    lead: Markup = field(default_factory=Markup)
    figures: list = field(default_factory=list)
    blocks: list = field(default_factory=list)

    @property
    def folds(self) -> list:
        """What is folded."""
        return [block for block in self.blocks if block.kind != "missing"]

    @property
    def missing(self) -> list[Missing]:
        """What has not been run."""
        return [block for block in self.blocks if block.kind == "missing"]

    @property
    def is_empty(self) -> bool:
        """Whether it has nothing to show."""
        return not (self.lead or self.figures or self.folds)


def is_blank(value: object) -> bool:
    """Return whether a cell has nothing to show."""
    return value is None or value is pd.NA or (isinstance(value, float) and value != value) or value == ""


def _sortable(value: object) -> str:
    """Return what a cell is sorted by; the file to save has every digit."""
    return f"{value:.7g}" if isinstance(value, float) else str(value)


def make_table(
    id_: str,
    title: str,
    caption: str | Markup,
    frame: pd.DataFrame,
    columns: list[Column],
    limit: int = 25,
    whole: pd.DataFrame | None = None,
) -> Table:
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
    return Table(
        id_,
        title,
        Markup(escape(caption)),
        columns,
        rows,
        (frame if whole is None else whole).to_csv(index=False),
        limit,
    )


def draw(id_: str, title: str, caption: str | Markup, figure: matplotlib_figure.Figure) -> Figure:
    """Return a drawn figure as a block."""
    return Figure(id_, Markup(escape(caption)), title, Markup(to_svg(figure, id_)))


def as_json(value: object) -> str:
    """Return compact JSON that may stand inside a script element."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
