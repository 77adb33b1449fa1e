"""The results folder as a Workflow Run RO-Crate: what ran, on what, with what result, for the tools of the field.

The profile is that of https://w3id.org/ro/wfrun/workflow/0.5. The folder itself is the crate: nothing is copied but the
workflow, because a crate must hold the workflow that it says was run.
"""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

from rocrate.model.contextentity import ContextEntity
from rocrate.model.entity import Entity
from rocrate.rocrate import ROCrate

from study.io import sha256

PROFILES = {
    "https://w3id.org/ro/wfrun/process/0.5": ("Process Run Crate", "0.5"),
    "https://w3id.org/ro/wfrun/workflow/0.5": ("Workflow Run Crate", "0.5"),
    "https://w3id.org/workflowhub/workflow-ro-crate/1.0": ("Workflow RO-Crate", "1.0"),
}
BIOSCHEMAS = "https://bioschemas.org/profiles/ComputationalWorkflow/1.0-RELEASE"
LICENCE = "https://spdx.org/licenses/MIT"
FORMATS = {
    ".csv": "text/csv",
    ".json": "application/json",
    ".md": "text/markdown",
    ".npz": "application/zip",
    ".tsv": "text/tab-separated-values",
}


def describe(run: Path, workflow: Path, files: list[Path], manifest: dict, about: str) -> dict:
    """Return the content of ro-crate-metadata.json.

    Parameters
    ----------
    run : Path
        The folder of the run, which is the crate.
    workflow : Path
        The Snakefile in that folder.
    files : list of Path
        Results in that folder.
    manifest : dict
        See `study.run.manifest`.
    about : str
        One sentence on the study.
    """
    # The profiles are of this version.
    crate = ROCrate(version="1.1")
    finished = datetime.fromisoformat(manifest["finished"]).isoformat()
    # Where `sha256` is defined.
    crate.metadata.extra_contexts.append("https://w3id.org/ro/terms/workflow-run/context")
    crate.name = f"Results of the workflow graphiht: {run.parent.name} on {run.name}"
    crate.description = about
    crate.datePublished = finished
    licence = _context(crate, LICENCE, "CreativeWork", name="MIT License", description="of the workflow", url=LICENCE)
    crate.license = licence
    crate.root_dataset["conformsTo"] = [
        _context(crate, address, "CreativeWork", name=name, version=version)
        for address, (name, version) in PROFILES.items()
    ]
    main = crate.add_workflow(dest_path=_inside(workflow, run), main=True, lang="snakemake")
    main["name"] = "Nested cross-validation of sparse methods on a gene network"
    main["license"] = licence
    main["encodingFormat"] = "text/plain"
    main["conformsTo"] = _context(
        crate, BIOSCHEMAS, "CreativeWork", name="ComputationalWorkflow", version="1.0-RELEASE"
    )
    main["version"] = manifest["commit"] or f"sources {manifest['sources_sha256'][:16]}"
    main["programmingLanguage"]["version"] = manifest["packages"]["snakemake"]
    main["hasPart"] = [
        crate.add_file(dest_path=_inside(path, run), properties={"name": path.name, "encodingFormat": "text/plain"})
        for path in sorted(workflow.parent.rglob("*.smk"))
    ]
    inputs, settings = _inputs(crate, manifest), _settings(crate, manifest["config"])
    main["input"] = [pair[0] for pair in (*inputs, *settings)]
    results = [_result(crate, path, run) for path in files]
    output = crate.add_formal_parameter(
        "results", "File", "#output", "tables and models", properties={"multipleValues": True}
    )
    main["output"] = output
    for entity in results:
        entity["exampleOfWork"] = output
    action = crate.add_action(
        main,
        identifier="#run",
        object=[pair[1] for pair in (*inputs, *settings)],
        result=results,
        properties={
            "name": f"Run of the workflow: {about}",
            "description": f"Python {manifest['python']} on {manifest['platform']}, {manifest['processor']}",
            "endTime": finished,
            "actionStatus": "http://schema.org/CompletedActionStatus",
        },
    )
    action["agent"] = _context(crate, "#agent", "Organization", name="whoever ran the workflow")
    crate.root_dataset["mentions"] = action
    main["softwareRequirements"] = [
        _context(crate, f"#package-{name}", "SoftwareApplication", name=name, version=version)
        for name, version in manifest["packages"].items()
        if version
    ]
    return crate.metadata.generate()


def _context(crate: ROCrate, identifier: str, kind: str, **properties: str) -> Entity:
    return crate.add(ContextEntity(crate, identifier, properties={"@type": kind, **properties}))


def _inside(path: Path, run: Path) -> str:
    return path.relative_to(run).as_posix()


def _inputs(crate: ROCrate, manifest: dict) -> list[tuple[Entity, Entity]]:
    """Return (parameter, value) of each file the numbers come from: by its hash, because it lies outside the crate."""
    return [
        _value(crate, f"sha256 of {name}", digest, f"the sha256 of the input file {name}")
        for name, digest in sorted(manifest["data_sha256"].items())
    ]


def _settings(crate: ROCrate, config: dict) -> list[tuple[Entity, Entity]]:
    """Return (parameter, value) of each key of the configuration, but for the folders of this machine."""
    return [
        _value(
            crate, key, value if isinstance(value, str) else json.dumps(value, sort_keys=True), f"configuration: {key}"
        )
        for key, value in sorted(config.items())
        if key not in ("results", "reports", "own", "published")
    ]


def _value(crate: ROCrate, name: str, value: str, description: str) -> tuple[Entity, Entity]:
    slug = "".join(character if character.isalnum() else "-" for character in name)
    parameter = crate.add_formal_parameter(name, "Text", f"#parameter-{slug}", description, valueRequired=True)
    properties = {"@type": "PropertyValue", "name": name, "value": value, "exampleOfWork": parameter}
    return parameter, crate.add(ContextEntity(crate, f"#value-{slug}", properties=properties))


def _result(crate: ROCrate, path: Path, run: Path) -> Entity:
    properties = {
        "name": _inside(path, run),
        "encodingFormat": FORMATS.get(path.suffix, "text/plain"),
        "contentSize": str(path.stat().st_size),
        "sha256": sha256(path),
    }
    return crate.add_file(dest_path=_inside(path, run), properties=properties)
