"""Templates of the page: they hold the words, and write numbers from tables with filters."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import jinja2
from markupsafe import Markup

from study.methods import label
from study.report import show
from study.report.blocks import term

ASSETS = Path(__file__).parent / "assets"
FILTERS = {
    "d": lambda value, digits=3: show.fixed(digits)(value),
    "signed": lambda value, digits=3: show.signed(digits)(value),
    "g": lambda value, digits=3: f"{value:.{digits}g}",
    "p": show.probability,
    "percent": show.percent,
    "count": show.count,
    "listed": show.listed,
    "label": label,
    "term": term,
}


def tidy(html: str) -> Markup:
    """Return HTML with runs of white space, which a template has at the ends of lines, as single spaces."""
    return Markup(re.sub(r"\s+", " ", html).strip())


@cache
def environment() -> jinja2.Environment:
    """Return the environment of the templates of the page and its sections."""
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader([ASSETS, Path(__file__).parent / "sections"]),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= FILTERS | {"tidy": tidy}
    return made


def render(name: str, **values: object) -> Markup:
    """Return the template `name` as safe HTML, its white space tidied."""
    return tidy(environment().get_template(name).render(values))
