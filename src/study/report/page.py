"""The page: sections in order, styles and scripts inlined."""

from __future__ import annotations

import zipfile
from pathlib import Path

import jinja2
from markupsafe import Markup

from study.data.sources import Source, open_member
from study.figures import report as figures
from study.report.blocks import GLOSSARY, Section, as_json, term_id
from study.report.inputs import Inputs
from study.report.methods_text import methods_section
from study.report.outputs import FIGURES
from study.report.sections.accuracy import answer_section, paper_section
from study.report.sections.chance import chance_section
from study.report.sections.differences import differences_section
from study.report.sections.external import elsewhere_section
from study.report.sections.genes import genes_section, network_section
from study.report.sections.patients import patients_section
from study.report.sections.work import cost_section, synthetic_section
from study.run.errors import StudyError

BUILDERS = (
    answer_section,
    paper_section,
    differences_section,
    genes_section,
    network_section,
    chance_section,
    patients_section,
    elsewhere_section,
    synthetic_section,
    cost_section,
    methods_section,
)
SCRIPTS = ("tables.js", "charts.js", "viewer.js", "page.js")
LIBRARY = "ipycytoscape/labextension/static/58."


def sections(inputs: Inputs) -> list[Section]:
    """Return the eleven sections of the page."""
    return [build(inputs) for build in BUILDERS]


def read_library(wheel: str | Path, source: Source) -> str:
    """Return cytoscape.js as it lies in the pinned wheel."""
    with zipfile.ZipFile(wheel) as archive:
        names = [name for name in archive.namelist() if name.startswith(LIBRARY) and name.endswith(".js")]
    if len(names) != 1:
        raise StudyError(f"{wheel}: expected one file {LIBRARY}*.js, found {len(names)}.")
    with open_member(wheel, source, names[0]) as stream:
        return stream.read().decode("utf-8")


def figure_files(inputs: Inputs, parts: list[Section]) -> dict[str, str]:
    """Return the figures that are also files, by name; a figure the run has no data for says so."""
    drawn = {block.id: block.svg for part in parts for block in part.blocks if block.kind == "figure"}
    drawn["convergence"] = figures.convergence(inputs.traces, inputs.methods)
    drawn["cost"] = drawn["cost-figure"]
    return {
        name: str(drawn[name] if name in drawn else figures.message(f"No {label} in this run.", name)) + "\n"
        for name, label in FIGURES.items()
    }


def _inline_script(text: str) -> Markup:
    """Return a script that may stand inside a script element."""
    return Markup(text.replace("</script", "<\\/script").replace("<!--", "<\\!--"))


def render(inputs: Inputs, parts: list[Section], assets: Path, library: str) -> str:
    """Return the page as HTML.

    Parameters
    ----------
    inputs : Inputs
    parts : list of Section
    assets : Path
        The folder of the template, the styles and the scripts.
    library : str
        The source of cytoscape.js.
    """
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(assets),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    scripts = "\n".join((assets / name).read_text(encoding="utf-8") for name in SCRIPTS)
    return environment.get_template("page.html.j2").render(
        config=inputs.config,
        sections=parts,
        css=Markup((assets / "page.css").read_text(encoding="utf-8")),
        scripts=_inline_script(scripts),
        library=_inline_script(library),
        licences=(assets / "licences.txt").read_text(encoding="utf-8"),
        glossary=Markup(as_json({term_id(word): meaning for word, meaning in GLOSSARY.items()})),
        complete=not inputs.missing,
    )
