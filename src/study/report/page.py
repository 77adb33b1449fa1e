"""The page: sections in order, styles and scripts inlined."""

from __future__ import annotations

import re
from pathlib import Path

import jinja2
from markupsafe import Markup, escape

from study.data.registry import COHORTS
from study.data.sources import Wheel
from study.figures.style import message, to_svg
from study.report.blocks import GLOSSARY, Section, as_json, term_id
from study.report.files import figures_of
from study.report.inputs import Inputs
from study.report.sections import (
    answer,
    chance,
    cost,
    differences,
    external,
    genes,
    left_out,
    methods,
    network,
    paper,
    patients,
    settings,
    signature,
    synthetic,
)
from study.run.configuration import again
from study.run.errors import StudyError

SECTIONS = (
    answer,
    paper,
    differences,
    settings,
    genes,
    network,
    chance,
    patients,
    external,
    signature,
    synthetic,
    cost,
    methods,
)
# Of pooled cohorts, where folds are cohorts.
POOLED = (left_out, settings, genes, network, signature, cost, methods)
SCRIPTS = ("tables.js", "charts.js", "viewer.js", "page.js")
# Commands in sentences, which are written for the configuration at hand.
COMMAND = re.compile(r"<code>(make (?:study|report)|snakemake [a-z_]+)</code>")
LIBRARY = "ipycytoscape/labextension/static/58."


def sections(inputs: Inputs) -> list[Section]:
    """Return the sections of the page."""
    modules = POOLED if inputs.study.is_pooled else SECTIONS
    # The paper, its figures and other cohorts are of breast cancer.
    absent = (paper, external, synthetic) if COHORTS[inputs.config["cohort"]].is_own else ()
    return [module.section(inputs) for module in modules if module not in absent]


def read_library(wheel: Wheel) -> str:
    """Return cytoscape.js as it lies in the pinned wheel."""
    names = [name for name in wheel.names() if name.startswith(LIBRARY) and name.endswith(".js")]
    if len(names) != 1:
        raise StudyError(f"{wheel.path}: expected one file {LIBRARY}*.js, found {len(names)}.")
    with wheel.open(names[0]) as stream:
        return stream.read().decode("utf-8")


def figure_files(parts: list[Section], is_pooled: bool) -> dict[str, str]:
    """Return the figures of the page that are also files, by name; a figure the run has no data for says so."""
    drawn = {block.id: block.svg for part in parts for block in part.blocks if block.kind == "figure"}
    return {
        name: str(drawn[name]) if name in drawn else to_svg(message(f"No {label} in this run."), name)
        for name, label in figures_of(is_pooled).items()
    }


def _inline_script(text: str) -> Markup:
    """Return a script that may stand inside a script element."""
    return Markup(text.replace("</script", "<\\/script").replace("<!--", "<\\!--"))


def render(inputs: Inputs, parts: list[Section], assets: Path, library: str) -> str:
    """Return the page of a run as HTML; `library` is the source of cytoscape.js."""
    about = f"Cohort {inputs.config['cohort']}, network {inputs.config['network']}"
    return as_page(about, inputs.config, parts, assets, library, complete=not inputs.missing)


def as_page(
    about: str, config: dict, parts: list[Section], assets: Path, library: str = "", complete: bool = True
) -> str:
    """Return sections as a page.

    Parameters
    ----------
    about : str
        Stands in the title and under it.
    config : dict
    parts : list of Section
    assets : Path
        The folder of the template, the styles and the scripts.
    library : str
        The source of cytoscape.js, for a page with a network.
    complete : bool
        Whether nothing is missing.
    """
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(assets),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    scripts = "\n".join((assets / name).read_text(encoding="utf-8") for name in SCRIPTS)
    page = environment.get_template("page.html.j2").render(
        about=about,
        config=config,
        sections=parts,
        css=Markup((assets / "page.css").read_text(encoding="utf-8")),
        scripts=_inline_script(scripts),
        library=_inline_script(library),
        licences=(assets / "licences.txt").read_text(encoding="utf-8"),
        glossary=Markup(as_json({term_id(word): meaning for word, meaning in GLOSSARY.items()})),
        complete=complete,
    )
    return COMMAND.sub(lambda found: f"<code>{escape(again(config, found[1]))}</code>", page)
