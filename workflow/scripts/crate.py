"""Describe the results of a run as a Workflow Run RO-Crate, with a copy of the workflow."""

import shutil
from pathlib import Path

from study.command import command
from study.io import read_json, write_json
from study.run.crate import describe

ABOUT = "{n_patients} patients, {n_events} with the event, {n_genes} genes, {n_edges} edges"


def main(manifest: str, summary: str, results: list, rules: list, workflow: str, crate: str) -> None:
    copies = [Path(workflow) / ("rules" if path.endswith(".smk") else "") / Path(path).name for path in rules]
    for path, copy in zip(rules, copies, strict=True):
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    about = ABOUT.format(**read_json(summary))
    write_json(
        crate, describe(Path(crate).parent, copies, [Path(path) for path in results], read_json(manifest), about)
    )


command(main)
