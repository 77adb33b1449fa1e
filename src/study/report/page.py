"""The report page and its files: sections in order, styles and scripts inlined."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from markupsafe import Markup, escape
from matplotlib.figure import Figure

from study.config import cohort_name, resume_command
from study.data.registry import COHORTS
from study.data.sources import Wheel
from study.errors import StudyError
from study.figures.style import to_pdf
from study.io import write_bytes, write_text
from study.report.blocks import Section, as_json
from study.report.glossary import GLOSSARY
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
from study.report.templates import ASSETS, render, term_id, tidy
from study.tables import markdown

# By id, which is the name of the template, too: module, title, and title in the contents.
SECTIONS = {
    "answer": (answer, "The answer", "Answer"),
    "paper": (paper, "Against the paper", "Paper"),
    "differences": (differences, "Are the differences real?", "Differences"),
    "settings": (settings, "What was chosen inside", "Settings"),
    "genes": (genes, "Which genes, and how sure", "Genes"),
    "network": (network, "The network of stable genes", "Network"),
    "chance": (chance, "What chance would give", "Chance"),
    "patients": (patients, "What it means for patients", "Patients"),
    "external": (external, "In other cohorts", "Other cohorts"),
    "signature": (signature, "The signature, for new patients", "Signature"),
    "synthetic": (synthetic, "The paper's synthetic experiments", "Synthetic"),
    "cost": (cost, "What it cost", "Cost"),
    "methods": (methods, "Methods", "Methods"),
}
# For pooled cohorts, where folds are cohorts.
POOLED = {"left-out": (left_out, "The answer: in a cohort left out", "Answer")} | {
    name: SECTIONS[name] for name in ("settings", "genes", "network", "signature", "cost", "methods")
}
# The paper, its figures and other cohorts are about breast cancer.
BREAST_CANCER = ("paper", "external", "synthetic")
SCRIPTS = ("tables.js", "viewer.js", "page.js")
LIBRARY = "ipycytoscape/labextension/static/58."


def sections(inputs: Inputs) -> dict[str, Section]:
    """Return the sections with something to show, by id. The first one also lists what has not been run."""
    rows = POOLED if inputs.study.is_pooled else SECTIONS
    left_out = BREAST_CANCER if COHORTS[inputs.config["cohort"]].is_own else ()
    parts = {name: module.section(inputs) for name, (module, _, _) in rows.items() if name not in left_out}
    first = next(iter(parts.values()))
    first.numbers["not_run"] = list(dict.fromkeys(one for part in parts.values() for one in part.missing))
    first.missing = []
    return {name: part for name, part in parts.items() if not part.is_empty}


def report_files(inputs: Inputs, library: str) -> dict[str, str | Figure]:
    """Return the content of every file of a report by its path: the page, a summary, figures.

    `library` is the source of cytoscape.js, see `read_library`.
    """
    parts = sections(inputs)
    command = partial(resume_command, inputs.config)
    titles = {name: (title, short) for name, (_, title, short) in (SECTIONS | POOLED).items()}
    page = as_page(*subject(inputs), parts, titles, command, library, inputs=inputs)
    return {"report.html": page, "summary.md": summary(inputs, next(iter(parts.values())))} | figure_files(parts)


def summary(inputs: Inputs, first: Section) -> str:
    """Return the answer and the main table of the first section in Markdown."""
    is_pooled = inputs.study.is_pooled
    screen, name = ("left_out_screen", "left-out-summary") if is_pooled else ("first_screen", "summary")
    answer = render(f"{screen}.html.j2", inputs=inputs, **first.numbers)
    table = first.tables[name]
    heads = [column.head for column in table.columns]
    rows = [dict(zip(heads, (escape(cell.shown).striptags() for cell in row), strict=True)) for row in table.rows]
    question, about = subject(inputs)
    return render(
        "summary.md.j2",
        question=question,
        about=about,
        answer=Markup(str(answer).replace("</p>", " ")).striptags(),
        table=markdown(rows),
        is_pooled=is_pooled,
    )


def figure_files(parts: dict[str, Section]) -> dict[str, str | Figure]:
    """Return the figures of sections by the paths of their files; those of PDF files are yet to be converted."""
    svg = {f"figures/{name}.svg": svg for part in parts.values() for name, svg in part.figures.items()}
    return svg | {f"figures/{name}.pdf": figure for part in parts.values() for name, figure in part.drawn.items()}


def write_files(files: dict[str, str | Figure], page: str, figures: str, text: str = "") -> None:
    """Write the files of a report: the page, the summary and the folder of figures."""
    places = {"report.html": page, "summary.md": text}
    for name, content in files.items():
        path = places.get(name) or Path(figures) / Path(name).name
        if isinstance(content, str):
            write_text(path, content)
        else:
            write_bytes(path, to_pdf(content))


def read_library(wheel: Wheel) -> str:
    """Return cytoscape.js from the pinned wheel."""
    names = [name for name in wheel.names() if name.startswith(LIBRARY) and name.endswith(".js")]
    if len(names) != 1:
        raise StudyError(f"{wheel.path}: the wheel has {len(names)} files {LIBRARY}*.js instead of one.")
    with wheel.open(names[0]) as stream:
        return stream.read().decode("utf-8")


def subject(inputs: Inputs) -> tuple[str, str]:
    """Return the question of the page, and the patients it is about."""
    values = {"cohort": inputs.cohort, "name": cohort_name(inputs.config), "is_pooled": inputs.study.is_pooled}
    question, about = render("subject.html.j2", config=inputs.config, data=inputs.data, **values).split("\n", 1)
    return tidy(question), tidy(about)


def _inline_script(text: str) -> Markup:
    """Return a script that may stand inside a script element."""
    return Markup(text.replace("</script", "<\\/script").replace("<!--", "<\\!--"))


def section_html(name: str, part: Section, command: Callable[[str], str], **values: object) -> str:
    """Return a section as HTML; `command` turns a command into that for the configuration at hand."""
    values |= {"id": name, "figures": part.figures, "tables": part.tables, "missing": part.missing, "command": command}
    return render(f"{name}.html.j2", **values, **part.numbers)


def as_page(
    question: str,
    about: str,
    parts: dict[str, Section],
    titles: dict[str, tuple[str, str]],
    command: Callable[[str], str] = str,
    library: str = "",
    **values: object,
) -> str:
    """Return sections as a page: `question` is its title, and `about` the line under it.

    `titles` has the title and short title of each section; `library` is the source of cytoscape.js; `values` are for
    the templates of all sections. For `command` see `section_html`.
    """
    shown = []
    for number, (name, part) in enumerate(parts.items(), 1):
        title, short = titles[name]
        html = section_html(name, part, command, number=number, title=title, **values)
        shown.append({"id": name, "short": short, "html": html})
    return render(
        "page.html.j2",
        question=question,
        about=about,
        sections=shown,
        css=Markup((ASSETS / "page.css").read_text(encoding="utf-8")),
        scripts=_inline_script("\n".join((ASSETS / name).read_text(encoding="utf-8") for name in SCRIPTS)),
        library=_inline_script(library),
        licences=(ASSETS / "licences.txt").read_text(encoding="utf-8"),
        glossary=Markup(as_json({term_id(word): meaning for word, meaning in GLOSSARY.items()})),
    )
