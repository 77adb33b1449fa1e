"""Describe the results of a run as a Workflow Run RO-Crate, with a copy of the workflow."""

import shutil
from pathlib import Path

from study.command import command
from study.io import read_json, write_json
from study.run.crate import describe

WORKFLOW = Path(__file__).parents[1]


def main(manifest: str, summary: str, results: list, crate: str) -> None:
    folder = Path(crate).parent
    rules = [path.relative_to(WORKFLOW) for path in [WORKFLOW / "Snakefile", *sorted(WORKFLOW.glob("rules/*.smk"))]]
    for path in rules:
        (folder / "workflow" / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(WORKFLOW / path, folder / "workflow" / path)
    about = "{n_patients} patients, {n_events} with the event, {n_genes} genes, {n_edges} edges".format(
        **read_json(summary)
    )
    files = [folder / "workflow" / path for path in rules]
    write_json(crate, describe(folder, files, [Path(path) for path in results], read_json(manifest), about))


command(main)
