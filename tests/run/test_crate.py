"""The results folder is a Workflow Run RO-Crate, says the validator of its community, without the internet."""

import json
import shutil
from types import SimpleNamespace

import pytest
from rocrate_validator import services
from rocrate_validator.models import ValidationSettings
from rocrate_validator.utils.http import HttpRequester

from conftest import REPOSITORY
from sandbox import RUN
from study.run.crate import describe
from study.io import read_json, write_json
from study.run.manifest import make_manifest, sha256

# Where the terms that a crate of ours uses are defined; the validator would fetch the whole lists. A term that is not
# here is one that nobody would understand: the validator refuses it.
SCHEMA = """
    ComputerLanguage CreateAction CreativeWork Dataset Organization PropertyValue SoftwareApplication SoftwareSourceCode
    about actionStatus additionalType agent alternateName contentSize datePublished description encodingFormat endTime
    exampleOfWork hasPart identifier instrument license mainEntity mentions multipleValues name object
    programmingLanguage result softwareRequirements url value valueRequired version workExample
"""
TERMS = {term: f"http://schema.org/{term}" for term in SCHEMA.split()}
TERMS |= {"File": "http://schema.org/MediaObject", "conformsTo": "http://purl.org/dc/terms/conformsTo"}
TERMS |= {term: f"https://bioschemas.org/{term}" for term in ("ComputationalWorkflow", "FormalParameter")}
TERMS |= {term: f"https://bioschemas.org/ComputationalWorkflow#{term}" for term in ("input", "output")}
CONTEXTS = {
    "https://w3id.org/ro/crate/1.1/context": {"@context": TERMS},
    "https://w3id.org/ro/terms/workflow-run/context": {
        "@context": {"sha256": "https://w3id.org/ro/terms/workflow-run#sha256"}
    },
}


@pytest.fixture
def complaints(monkeypatch):
    """What the validator finds missing of what the profile requires."""

    def get(self, url, **options):
        text = json.dumps(CONTEXTS[url])
        return SimpleNamespace(
            status_code=200,
            text=text,
            content=text.encode(),
            headers={"Content-Type": "application/ld+json"},
            json=lambda: CONTEXTS[url],
            raise_for_status=lambda: None,
        )

    monkeypatch.setattr(HttpRequester, "get", get, raising=False)

    def of(folder):
        settings = ValidationSettings(
            rocrate_uri=str(folder),
            profile_identifier="workflow-run-crate-0.5",
            requirement_severity="REQUIRED",
            skip_availability_check=True,
        )
        return [f"{issue.check.identifier}: {issue.message}" for issue in services.validate(settings).get_issues()]

    return of


@pytest.fixture
def crate(tmp_path):
    """A crate of one table, with everything a real one has."""
    run = tmp_path / "results/cohort/network"
    shutil.copytree(REPOSITORY / "workflow/rules", run / "workflow/rules")
    shutil.copy2(REPOSITORY / "workflow/Snakefile", run / "workflow")
    (run / "metrics.csv").write_text("method\niht\n")
    (tmp_path / "data.csv").write_text("data")
    config = {"seed": 3, "methods": ["iht"], "results": "/a/folder/of/this/machine", "own": {"expression": "/secret"}}
    manifest = make_manifest(REPOSITORY, [str(tmp_path / "data.csv")], config)
    write_json(
        run / "ro-crate-metadata.json",
        describe(run, run / "workflow/Snakefile", [run / "metrics.csv"], manifest, "two patients"),
    )
    return run


def entities(run):
    return {entity["@id"]: entity for entity in read_json(run / "ro-crate-metadata.json")["@graph"]}


def test_crate_has_all_that_the_profile_requires(crate, complaints):
    assert complaints(crate) == []


def test_crate_names_inputs_settings_and_results(crate, tmp_path):
    found = entities(crate)
    action = found["#run"]
    values = {found[item["@id"]]["name"]: found[item["@id"]]["value"] for item in action["object"]}
    assert values == {"sha256 of data.csv": sha256(tmp_path / "data.csv"), "seed": "3", "methods": '["iht"]'}
    assert action["instrument"] == {"@id": "workflow/Snakefile"}
    assert action["result"] == {"@id": "metrics.csv"} or action["result"] == [{"@id": "metrics.csv"}]
    assert found["metrics.csv"]["sha256"] == sha256(crate / "metrics.csv")
    assert "/a/folder" not in json.dumps(found)
    assert "/secret" not in json.dumps(found)


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (lambda graph: graph["./"].pop("license"), "license"),
        (lambda graph: graph["#run"].pop("instrument"), "instrument"),
        (lambda graph: graph["workflow/Snakefile"].pop("programmingLanguage"), "programmingLanguage"),
        (lambda graph: graph["#run"].update(nonsense="1"), "nonsense"),
    ],
)
def test_validator_sees_what_is_missing(crate, complaints, damage, words):
    graph = entities(crate)
    damage(graph)
    stored = read_json(crate / "ro-crate-metadata.json")
    write_json(crate / "ro-crate-metadata.json", stored | {"@graph": list(graph.values())})
    assert words in " ".join(complaints(crate))


@pytest.mark.workflow
def test_the_folder_of_a_finished_study_is_a_crate(finished, complaints, tmp_path):
    # The validator takes no path with spaces.
    assert complaints(shutil.copytree(finished / RUN, tmp_path / "ring/own")) == []
    found = entities(finished / RUN)
    for name in ("metrics.csv", "evidence/frequencies.csv", "signatures/graph-svrg-iht.json", "manifest.json"):
        assert found[name]["sha256"] == sha256(finished / RUN / name)
    listed = {item["@id"] for item in found["#run"]["result"]}
    assert {f"signatures/{method}.json" for method in ("iht", "ridge")} <= listed
