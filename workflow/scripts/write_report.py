"""Write the report: the page, a summary in Markdown, LaTeX tables and figures."""

from pathlib import Path

from study.data.sources import read_sources
from study.report.inputs import read_inputs
from study.report.latex import latex_tables
from study.report.page import figure_files, read_library, render, sections
from study.report.summary import summary
from study.run.command import add_settings, parser, run
from study.run.files import write_text


def main() -> None:
    made = parser(
        __doc__,
        run="folder of the run's results",
        data="folder of the published tables",
        assets="folder of the page's template, styles and scripts",
        sources="table of the page's pinned wheels",
        wheel="the wheel that holds cytoscape.js",
        output="folder for the report",
    )
    made.add_argument("--simulations", help="folder of the synthetic experiments' results")
    made.add_argument(
        "--partial",
        action="store_true",
        help="write from the fold files that are there, and say what is missing",
    )
    add_settings(made)
    arguments = made.parse_args()
    output = Path(arguments.output)
    inputs = read_inputs(
        Path(arguments.run),
        arguments.settings,
        Path(arguments.data),
        Path(arguments.simulations) if arguments.simulations else None,
        arguments.partial,
    )
    library = read_library(arguments.wheel, read_sources(arguments.sources)["ipycytoscape"])
    parts = sections(inputs)
    page = render(inputs, parts, Path(arguments.assets), library)
    for name, text in latex_tables(inputs).items():
        write_text(output / f"tables/{name}.tex", text)
    for name, text in figure_files(inputs, parts).items():
        write_text(output / f"figures/{name}.svg", text)
    write_text(output / "summary.md", summary(inputs))
    write_text(output / "report.html", page)
    print(f"wrote {output / 'report.html'} ({len(page.encode()) / 1e6:.1f} MB)")


if __name__ == "__main__":
    run(main)
