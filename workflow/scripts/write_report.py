"""Write the report: the page, a summary in Markdown, LaTeX tables and figures."""

from pathlib import Path

from study.command import command
from study.data.sources import open_wheel
from study.io import say, write_text
from study.report.inputs import read_inputs
from study.report.latex import latex_tables
from study.report.page import figure_files, read_library, render, sections
from study.report.summary import summary as summarise


def main(
    config: dict,
    study: str,
    summary: str,
    manifest: str,
    tables: list,
    experiments: list,
    published: str,
    sources: str,
    wheel: str,
    page: str,
    text: str,
    latex: str,
    figures: str,
) -> None:
    of_run = [*tables, *(path for path in experiments if Path(path).parent.name == "evidence")]
    simulations = [path for path in experiments if path not in of_run]
    inputs = read_inputs(config, study, summary, manifest, published, of_run, simulations)
    parts = sections(inputs)
    for folder, files in (
        (latex, {f"{name}.tex": table for name, table in latex_tables(inputs).items()}),
        (figures, {f"{name}.svg": svg for name, svg in figure_files(parts).items()}),
    ):
        Path(folder).mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            write_text(Path(folder) / name, content)
    write_text(text, summarise(inputs))
    write_text(page, render(inputs, parts, read_library(open_wheel(wheel, sources))))
    say(f"wrote {page}")


command(main)
