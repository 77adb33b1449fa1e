"""The page: sections in order, styles and scripts inlined."""

from __future__ import annotations

import re
from pathlib import Path

import jinja2
from markupsafe import Markup, escape

from study.data.registry import COHORTS
from study.data.sources import Wheel
from study.errors import StudyError
from study.report.blocks import GLOSSARY, Section, as_json, term_id
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
from study.run.config import cohort_name
from study.run.configuration import again

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
SCRIPTS = ("tables.js", "viewer.js", "page.js")
# Commands in sentences, which are written for the configuration at hand.
COMMAND = re.compile(r"<code>(make (?:study|report)|snakemake [a-z_]+)</code>")
LIBRARY = "ipycytoscape/labextension/static/58."


def sections(inputs: Inputs) -> list[Section]:
    """Return the sections of the page: the answer, which says what was not run, and those with something to show."""
    first, *others = POOLED if inputs.study.is_pooled else SECTIONS
    # The paper, its figures and other cohorts are of breast cancer.
    absent = (paper, external, synthetic) if COHORTS[inputs.config["cohort"]].is_own else ()
    parts = [module.section(inputs) for module in others if module not in absent]
    missing = [one for part in parts for one in part.missing]
    return [first.section(inputs, missing), *(part for part in parts if not part.is_empty)]


def read_library(wheel: Wheel) -> str:
    """Return cytoscape.js as it lies in the pinned wheel."""
    names = [name for name in wheel.names() if name.startswith(LIBRARY) and name.endswith(".js")]
    if len(names) != 1:
        raise StudyError(f"{wheel.path}: expected one file {LIBRARY}*.js, found {len(names)}.")
    with wheel.open(names[0]) as stream:
        return stream.read().decode("utf-8")


def figure_files(parts: list[Section]) -> dict[str, str]:
    """Return the figures of the page by name: what its files hold."""
    blocks = [block for part in parts for block in (*part.figures, *part.blocks)]
    return {block.id: str(block.svg) for block in blocks if block.kind == "figure"}


def _inline_script(text: str) -> Markup:
    """Return a script that may stand inside a script element."""
    return Markup(text.replace("</script", "<\\/script").replace("<!--", "<\\!--"))


def render(inputs: Inputs, parts: list[Section], assets: Path, library: str) -> str:
    """Return the page of a run as HTML; `library` is the source of cytoscape.js."""
    return as_page(*subject(inputs), inputs.config, parts, assets, library, complete=not inputs.missing)


def subject(inputs: Inputs) -> tuple[str, str]:
    """Return what the page asks, and of whom."""
    cohort, data, config = inputs.cohort, inputs.data, inputs.config
    event = "the outcome" if cohort.event == "event" else cohort.event
    disease = f" in {cohort.disease}" if cohort.disease else ""
    horizon = config["outcome"]["horizon"]
    by = f" by {horizon:g} {cohort.unit}".rstrip() if horizon else ""
    about = [
        cohort.disease.capitalize(),
        f"cohort {cohort_name(config)}",
        f"outcome: {cohort.event_means or 'the event'}{by}",
        f"{data['n_patients']:,} patients, {data['n_events']:,} with the event",
        f"network {config['network']}: {data['n_genes']:,} genes, {data['n_edges']:,} interactions",
        f"{config['folds']} cohorts left out in turn"
        if inputs.study.is_pooled
        else f"{config['trials']} × {config['folds']} folds",
    ]
    return f"Which small, connected set of genes predicts {event}{disease}, and how sure are we?", " · ".join(
        filter(None, about)
    )


def as_page(
    question: str,
    about: str,
    config: dict,
    parts: list[Section],
    assets: Path,
    library: str = "",
    complete: bool = True,
) -> str:
    """Return sections as a page.

    Parameters
    ----------
    question, about : str
        The title, and what stands under it.
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
        question=question,
        about=about,
        sections=parts,
        css=Markup((assets / "page.css").read_text(encoding="utf-8")),
        scripts=_inline_script(scripts),
        library=_inline_script(library),
        licences=(assets / "licences.txt").read_text(encoding="utf-8"),
        glossary=Markup(as_json({term_id(word): meaning for word, meaning in GLOSSARY.items()})),
        complete=complete,
    )
    return COMMAND.sub(lambda found: f"<code>{escape(again(config, found[1]))}</code>", page)
