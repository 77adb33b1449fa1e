"""Write the report: the page, a summary in Markdown, LaTeX tables and figures."""

from pathlib import Path

from study.data.sources import open_wheel
from study.report.inputs import read_inputs
from study.report.latex import latex_tables
from study.report.page import figure_files, read_library, render, sections
from study.report.summary import pooled_summary, summary
from study.command import command
from study.io import say
from study.io import write_text


def main(run: str, published: str, assets: str, sources: str, wheel: str, simulations: str, folds: list, settings: dict, folder: str) -> None:
    """Write everything into the folder of the report."""
    folder = Path(folder)
    inputs = read_inputs(Path(run), settings, Path(published), Path(simulations), folds == "finished")
    parts = sections(inputs)
    page = render(inputs, parts, Path(assets), read_library(open_wheel(wheel, sources)))
    is_pooled = inputs.study.is_pooled
    for name, text in ({} if is_pooled else latex_tables(inputs)).items():
        write_text(folder / f"tables/{name}.tex", text)
    figures = figure_files(parts)
    for name, text in figures.items():
        write_text(folder / f"figures/{name}.svg", text)
    # Of a page written before, which had others.
    for file in (folder / "figures").glob("*.svg"):
        if file.stem not in figures:
            file.unlink()
    write_text(folder / "summary.md", pooled_summary(inputs) if is_pooled else summary(inputs))
    write_text(folder / "report.html", page)
    say(f"wrote {folder / 'report.html'} ({len(page.encode()) / 1e6:.1f} MB)")


if __name__ == "__main__":
    command(main)
