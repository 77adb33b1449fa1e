"""Describe the results of a run as a Workflow Run RO-Crate, with a copy of the workflow."""

from pathlib import Path

from study.command import command
from study.run.crate import describe
from study.io import read_json, write_json, write_text


def main(run: str, workflow: list, files: list, manifest: str, summary: str, crate: str) -> None:
    """Copy the workflow's files beside the results and write ro-crate-metadata.json."""
    folder = Path(run)
    for path in map(Path, workflow):
        write_text(folder / path, path.read_text(encoding="utf-8"))
    data = read_json(summary)
    about = "{n_patients} patients, {n_events} with the event, {n_genes} genes, {n_edges} edges".format(**data)
    results = [Path(path) for path in (*files, manifest, summary)]
    write_json(crate, describe(folder, folder / "workflow/Snakefile", results, read_json(manifest), about))


if __name__ == "__main__":
    command(main)
