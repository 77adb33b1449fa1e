"""Describe the folder of a run as a Workflow Run RO-Crate (https://w3id.org/ro/wfrun/workflow/0.5)."""

import json
from datetime import datetime
from pathlib import Path

from rocrate.model.contextentity import ContextEntity
from rocrate.rocrate import ROCrate

from study.io import sha256

PROFILES = (
    "https://w3id.org/ro/wfrun/process/0.5",
    "https://w3id.org/ro/wfrun/workflow/0.5",
    "https://w3id.org/workflowhub/workflow-ro-crate/1.0",
)
BIOSCHEMAS = "https://bioschemas.org/profiles/ComputationalWorkflow/1.0-RELEASE"
LICENCE = "https://spdx.org/licenses/MIT"
# Keys of the configuration that name folders of this machine.
PRIVATE = ("results", "reports", "own", "published")


def describe(run: Path, workflow: list[Path], files: list[Path], manifest: dict, about: str) -> dict:
    """Return the content of ro-crate-metadata.json.

    `workflow` (the Snakefile first) and the results `files` lie in the folder `run`, which is the crate; `about` is one
    sentence on the study.
    """
    crate = ROCrate(version="1.1")
    # Defines `sha256`.
    crate.metadata.extra_contexts.append("https://w3id.org/ro/terms/workflow-run/context")

    def entity(identifier, kind, **properties):
        return crate.add(ContextEntity(crate, identifier, properties={"@type": kind, **properties}))

    def file(path, **properties):
        name = path.relative_to(run).as_posix()
        return crate.add_file(dest_path=name, properties={"name": name, "encodingFormat": "text/plain", **properties})

    finished = datetime.fromisoformat(manifest["finished"]).isoformat()
    crate.name, crate.description = f"Results of the workflow graphiht: {run.parent.name} on {run.name}", about
    crate.datePublished = finished
    crate.license = entity(LICENCE, "CreativeWork", name="MIT License", description="of the workflow", url=LICENCE)
    crate.root_dataset["conformsTo"] = [
        entity(url, "CreativeWork", name=url.split("/")[-2], version=url.split("/")[-1]) for url in PROFILES
    ]
    main = crate.add_workflow(dest_path=workflow[0].relative_to(run).as_posix(), main=True, lang="snakemake")
    main["name"], main["license"] = "Nested cross-validation of sparse methods on a gene network", crate.license
    main["encodingFormat"] = "text/plain"
    main["conformsTo"] = entity(BIOSCHEMAS, "CreativeWork", name="ComputationalWorkflow", version="1.0-RELEASE")
    main["version"] = manifest["commit"] or f"sources {manifest['sources_sha256'][:16]}"
    main["programmingLanguage"]["version"] = manifest["packages"]["snakemake"]
    main["hasPart"] = [file(path) for path in workflow[1:]]
    main["softwareRequirements"] = [
        entity(f"#package-{name}", "SoftwareApplication", name=name, version=version)
        for name, version in manifest["packages"].items()
        if version
    ]
    # Inputs lie outside the crate: their hashes and the settings stand for them.
    values = {f"sha256 of {name}": digest for name, digest in manifest["data_sha256"].items()}
    values |= {key: _text(value) for key, value in manifest["config"].items() if key not in PRIVATE}
    inputs = []
    for name, value in sorted(values.items()):
        slug = "".join(character if character.isalnum() else "-" for character in name)
        parameter = crate.add_formal_parameter(name, "Text", f"#parameter-{slug}", name, valueRequired=True)
        inputs.append(entity(f"#value-{slug}", "PropertyValue", name=name, value=value, exampleOfWork=parameter))
    results = [file(path, contentSize=str(path.stat().st_size), sha256=sha256(path)) for path in files]
    action = crate.add_action(main, identifier="#run", object=inputs, result=results)
    action["name"], action["endTime"] = f"Run of the workflow: {about}", finished
    action["actionStatus"] = "http://schema.org/CompletedActionStatus"
    crate.root_dataset["mentions"] = action
    return crate.metadata.generate()


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True)
