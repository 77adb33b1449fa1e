"""Templates: they hold the words of the page, and write numbers with filters."""

import re
from functools import cache
from pathlib import Path

import jinja2
from markupsafe import Markup

from graphiht.tables import counted
from study.figures.style import WIDTH
from study.methods import label
from study.metrics import MARGIN, METRICS
from study.report import show
from study.report.blocks import as_json, is_blank

ASSETS = Path(__file__).parent / "assets"
# A figure wider than this, in points, is scrolled on a phone, because its letters would be too small.
WIDEST = 1.1 * 72 * WIDTH


def term_id(word: str) -> str:
    """Return the id of a glossary entry."""
    return "term-" + word.lower().replace(" ", "-")


def term(word: str, shown: str = "") -> Markup:
    """Return a glossary word as a link to its entry; the page shows the entry on hover and on focus."""
    return Markup('<a class="term" href="#{}">{}</a>').format(term_id(word), shown or word)


def tidy(html: str) -> Markup:
    """Return HTML with every run of white space as a single space."""
    return Markup(re.sub(r"\s+", " ", html).strip())


def svg_width(svg: str) -> float:
    """Return how wide a figure is, in points."""
    found = re.search(r'viewBox="[-\d.]+ [-\d.]+ ([\d.]+)', svg)
    return float(found[1]) if found else 0.0


FILTERS = {
    "d": lambda value, digits=3: show.fixed(digits)(value),
    "signed": lambda value, digits=3: show.signed(digits)(value),
    "g": lambda value, digits=3: f"{value:.{digits}g}",
    "p": show.probability,
    "percent": show.percent,
    "count": show.count,
    "counted": counted,
    "listed": show.listed,
    "label": label,
    "trained_on": lambda name: "all other cohorts" if name == "all" else f"all other cohorts {name}",
    "metric": lambda name: METRICS[name].label,
    "term": term,
    "term_id": term_id,
    "tidy": tidy,
    "svg_width": svg_width,
    "json": lambda value: Markup(as_json(value)),
}


@cache
def environment() -> jinja2.Environment:
    """Return the environment of the templates of the page and its sections."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader([ASSETS, Path(__file__).parent / "sections"]),
        autoescape=lambda name: not name.endswith(".md.j2"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= FILTERS
    made.tests["blank"] = is_blank
    made.globals |= {"margin": MARGIN, "widest": WIDEST}
    return made


def render(name: str, /, **values: object) -> Markup:
    """Return a template with these values."""
    return Markup(environment().get_template(name).render(values))
