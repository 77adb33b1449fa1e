"""The results folder is a Workflow Run RO-Crate, says the validator of its community, without the internet."""

import json
import re
import shutil
from types import SimpleNamespace

from rocrate_validator import services
from rocrate_validator.models import ValidationSettings
from rocrate_validator.utils.http import HttpRequester

from study.io import sha256, write_json
from study.run.crate import describe
from study.run.manifest import make_manifest

# The validator would fetch these lists of terms; it refuses a term that is not in them.
TERMS = """
    ComputerLanguage CreateAction CreativeWork Dataset PropertyValue SoftwareApplication SoftwareSourceCode about
    actionStatus additionalType alternateName contentSize datePublished description encodingFormat endTime
    exampleOfWork hasPart identifier instrument license mainEntity mentions name object programmingLanguage result
    softwareRequirements url value valueRequired version workExample
"""
CONTEXT = {term: f"http://schema.org/{term}" for term in TERMS.split()} | {
    "File": "http://schema.org/MediaObject",
    "conformsTo": "http://purl.org/dc/terms/conformsTo",
    "sha256": "https://w3id.org/ro/terms/workflow-run#sha256",
    **{term: f"https://bioschemas.org/{term}" for term in ("ComputationalWorkflow", "FormalParameter")},
    **{term: f"https://bioschemas.org/ComputationalWorkflow#{term}" for term in ("input", "output")},
}


def test_crate_has_all_that_the_profile_requires(repository, tmp_path, monkeypatch):
    shutil.copytree(repository / "workflow/rules", tmp_path / "workflow/rules")
    (tmp_path / "workflow/Snakefile").write_bytes((repository / "workflow/Snakefile").read_bytes())
    (tmp_path / "metrics.csv").write_text("method\niht\n")
    config = {"seed": 3, "methods": ["iht"], "results": "/a/folder", "own": {"expression": "/secret"}}
    manifest = make_manifest(repository, [str(tmp_path / "metrics.csv")], config)
    workflow = [tmp_path / "workflow/Snakefile", *sorted((tmp_path / "workflow/rules").glob("*.smk"))]
    crate = describe(tmp_path, workflow, [tmp_path / "metrics.csv"], manifest, "two patients")
    graph = {entity["@id"]: entity for entity in crate["@graph"]}
    values = {graph[item["@id"]]["name"]: graph[item["@id"]]["value"] for item in graph["#run"]["object"]}
    digest = sha256(tmp_path / "metrics.csv")
    assert values == {"sha256 of metrics.csv": digest, "seed": "3", "methods": '["iht"]'}
    assert graph["metrics.csv"]["sha256"] == digest
    assert not re.search("/a/folder|/secret", json.dumps(crate))
    text = json.dumps({"@context": CONTEXT})
    reply = SimpleNamespace(status_code=200, text=text, content=text.encode(), json=lambda: json.loads(text))
    reply.headers, reply.raise_for_status = {"Content-Type": "application/ld+json"}, lambda: None
    monkeypatch.setattr(HttpRequester, "get", lambda *_, **__: reply, raising=False)
    required = {"profile_identifier": "workflow-run-crate-0.5", "requirement_severity": "REQUIRED"}
    settings = ValidationSettings(rocrate_uri=str(tmp_path), skip_availability_check=True, **required)
    write_json(tmp_path / "ro-crate-metadata.json", crate)
    assert [issue.message for issue in services.validate(settings).get_issues()] == []
    graph["#run"].pop("instrument")
    write_json(tmp_path / "ro-crate-metadata.json", crate)
    assert services.validate(settings).get_issues()
