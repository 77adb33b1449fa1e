"""The style of all static figures, and how they become files: text stays text, equal numbers give equal bytes; in SVG
ink follows the page.
"""

import io
import re
from collections.abc import Sequence

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from study.methods import colour, label

INK, FAINT = "#1c2431", "#8893a0"
# What goes with more events, and with fewer: of genes, and of groups of patients.
MORE, FEWER = "#b2182b", "#2166ac"
# The border of a gene whose weight in the model has the opposite sign.
DASHED = (0, (3, 1.5))
# A figure that a phone shows whole is so many inches wide; wider ones are scrolled there.
WIDTH = 5.6
STYLE = {
    "svg.fonttype": "none",
    # Journals refuse others.
    "pdf.fonttype": 42,
    # A gene may be called anything: a dollar sign in its name begins no formula.
    "text.parse_math": False,
    "font.family": "sans-serif",
    # First the font that matplotlib brings along: text is measured the same on every machine.
    "font.sans-serif": ["DejaVu Sans", "Arial", "sans-serif"],
    "font.size": 10,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "grid.color": FAINT,
    "grid.alpha": 0.35,
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
}
# For functions that draw: whatever they make is made in this style.
styled = matplotlib.rc_context(STYLE)


def to_svg(figure: Figure, name: str) -> str:
    """Return a figure as an SVG element of a page that has several, see `inline`."""
    stream = io.StringIO()
    with matplotlib.rc_context({**STYLE, "svg.hashsalt": name}):
        figure.savefig(stream, format="svg", metadata={"Date": None, "Creator": None}, bbox_inches="tight")
    return inline(stream.getvalue(), name)


def to_pdf(figure: Figure) -> bytes:
    """Return a figure as a PDF file."""
    stream = io.BytesIO()
    with matplotlib.rc_context(STYLE):
        metadata = dict.fromkeys(("CreationDate", "Creator", "Producer"))
        figure.savefig(stream, format="pdf", metadata=metadata, bbox_inches="tight")
    return stream.getvalue()


TELLS = "tells:"


def _short(path: str) -> str:
    """Return the commands of a path to a tenth of a point, which is as much as one sees."""
    return re.sub(r"\s*([A-Za-z])\s*", r"\1", re.sub(r"(\d+\.\d)\d+", r"\1", path)).strip()


def tell(artist: Artist, text: str) -> None:
    """Let what is drawn say a text under the pointer: `inline` makes it the title of its element."""
    artist.set_gid(TELLS + text)


def inline(svg: str, name: str) -> str:
    """Return an SVG file's element, scaled to the page's width, its ids made unique to `name`, its ink the page's."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(rf'<g id="{TELLS}([^"]*)">', r"<g><title>\1</title>", svg)
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.S)
    # Most of a figure is in numbers and repeated words.
    svg = re.sub(r' (d|x|y)="([^"]*)"', lambda path: f' {path[1]}="{_short(path[2])}"', svg)
    svg = re.sub(r' transform="rotate\(-0 [^"]*"', "", svg)
    svg = re.sub(r">\s+<(?!/?(text|tspan|title))", "><", svg)
    family = re.search(r"font-family: [^;]*; ", svg)
    if family:
        svg = svg.replace(family[0], "").replace("<svg ", f'<svg style="{family[0].strip()}" ', 1)
    ids = {old: f"{name}-{i}" for i, old in enumerate(dict.fromkeys(re.findall(r'(?:url\(|href=")#([^")]+)', svg)))}
    svg = re.sub(r' id="([^"]+)"', lambda found: f' id="{ids[found[1]]}"' if found[1] in ids else "", svg)
    svg = re.sub(r"url\(#([^)]+)\)", lambda found: f"url(#{ids[found[1]]})", svg)
    svg = re.sub(r'(?:xlink:)?href="#([^"]+)"', lambda found: f'href="#{ids[found[1]]}"', svg)
    opening, rest = svg[: svg.index(">")], svg[svg.index(">") :]
    if "viewBox" in opening:
        opening = re.sub(r'\s(width|height)="[^"]*"', "", opening)
    return (opening + rest).replace(INK, "currentColor").strip() + "\n"


def panels(count: int, across: int, width: float, height: float, room: float, **options) -> tuple[Figure, list[Axes]]:
    """Return a figure and so many panels, `across` in a row; a row is `height` inches high, all else `room`."""
    rows = -(-count // across)
    figure = Figure(figsize=(width, height * rows + room), layout="constrained")
    places = figure.subplots(rows, across, sharey=True, squeeze=False, **options).ravel()
    for place in places[count:]:
        place.set_visible(False)
    return figure, list(places[:count])


def plot(height: float) -> tuple[Figure, Axes]:
    """Return a figure of the usual width with one pair of axes; `height` is in inches."""
    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    return figure, figure.subplots()


def chart(names: Sequence[str], height: float, room: float, size: float = 8.5) -> tuple[Figure, Axes]:
    """Return a figure and axes with a named row per item, the first on top; a row is `height` inches high."""
    figure, axes = plot(height * len(names) + room)
    name_rows(axes, names, size)
    return figure, axes


def name_rows(axes: Axes, names: Sequence[str], size: float) -> None:
    """Name the rows of a chart, the first on top."""
    axes.set_yticks(range(len(names)), names, fontsize=size)
    axes.set_ylim(len(names) - 0.4, -0.6)


def lines(axes: Axes, table: pd.DataFrame, x: str, y: str, layout: str = "-", **options) -> None:
    """Draw a line per method and a legend on the right."""
    for method, part in table.groupby("method", sort=False):
        (line,) = axes.plot(part[x], part[y], layout, color=colour(method), label=label(method), **options)
        tell(line, label(method))
    axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), fontsize=7.5, labelspacing=0.35)


@styled
def heat_map(
    values: pd.DataFrame, bar: str, height: float, text: np.ndarray | None = None, width: float = 10, **options
) -> Figure:
    """Return a matrix as colours, with `text` in its cells and a colour bar; options are seaborn's."""
    import seaborn

    figure = Figure(figsize=(width, height))
    axes = figure.subplots()
    seaborn.heatmap(
        values, annot=text, fmt="", annot_kws={"size": 8.5}, cbar_kws={"label": bar}, linewidths=0.5,
        linecolor=FAINT, xticklabels=True, yticklabels=True, ax=axes, **options,
    )  # fmt: skip
    axes.set(xlabel="", ylabel="")
    axes.tick_params(axis="y", rotation=0)
    for tick in axes.get_xticklabels():
        tick.set(rotation=35, ha="right")
    return figure


def directions(gene) -> str:
    """Return how a gene goes with events on its own and, if that is opposite, in the model; a row of frequencies."""
    own, other = ("more", "fewer") if gene.more else ("fewer", "more")
    return f"higher goes with {own} events" + (f", in the model with {other}" if gene.opposite else "")
