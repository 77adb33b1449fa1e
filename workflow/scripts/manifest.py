"""Write what a run was made with, the checksums of its results, and both as a Workflow Run RO-Crate."""

import shutil
from pathlib import Path

from study.command import command
from study.io import read_json, sha256, write_json, write_text
from study.run.crate import describe
from study.run.manifest import make_manifest

ABOUT = "{n_patients} patients, {n_events} with the event, {n_genes} genes, {n_edges} edges"


def main(
    config: dict,
    summary: str,
    sources: list,
    files: list,
    tables: list,
    rules: list,
    manifest: str,
    checksums: str,
    crate: str,
    workflow: str,
) -> None:
    made, folder = make_manifest(Path(__file__).parents[2], sources, config), Path(crate).parent
    write_json(manifest, made)
    lines = [f"{sha256(path)}  {Path(path).relative_to(folder)}\n" for path in sorted([*files, *tables])]
    write_text(checksums, "".join(lines))
    copies = [Path(workflow) / ("rules" if path.endswith(".smk") else "") / Path(path).name for path in rules]
    for path, copy in zip(rules, copies, strict=True):
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    about = ABOUT.format(**read_json(summary))
    write_json(crate, describe(folder, copies, [Path(path) for path in tables], made, about))


command(main)
