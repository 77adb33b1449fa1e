"""Write the report of a run: the page, a summary in Markdown and figures."""

from pathlib import Path

from study.command import command
from study.data.sources import open_wheel
from study.report.inputs import read_inputs
from study.report.page import read_library, report_files, write_files


def main(
    config: dict,
    study: str,
    summary: str,
    manifest: str,
    tables: list,
    experiments: list,
    sources: str,
    wheel: str,
    page: str,
    text: str,
    figures: str,
) -> None:
    simulations = [path for path in experiments if "simulations" in Path(path).parts]
    of_run = [*tables, *(path for path in experiments if path not in simulations)]
    inputs = read_inputs(config, study, summary, manifest, of_run, simulations)
    write_files(report_files(inputs, read_library(open_wheel(wheel, sources))), page, figures, text)


command(main)
