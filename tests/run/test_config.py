"""The configuration: complete, documented, and helpful when mistyped."""

import re

import pandas as pd
import pytest
import yaml

from graphiht.estimator import GraphIHTClassifier
from graphiht.gradients import SCSG_INNER_STEPS
from graphiht.solver import HEAD, N_COMPONENTS, SLACK, Settings
from study.config import cohort_name, complete, load_schema, runnable, runs
from study.data.registry import COHORTS, NETWORKS
from study.errors import StudyError
from study.methods import METHODS, OF_LIBRARY, STUDY


@pytest.fixture(scope="module")
def schema(repository):
    return load_schema(repository)


def documented(schema, prefix=""):
    for key, rule in schema["properties"].items():
        yield prefix + key, rule
        if rule.get("type") == "object":
            yield from documented(rule, f"{prefix}{key}: ")


def test_shipped_configurations_are_valid(repository, schema):
    base = yaml.safe_load((repository / "config/config.yaml").read_text())
    assert complete(base, schema)["trials"] == 20
    smoke = base | yaml.safe_load((repository / "config/smoke.yaml").read_text())
    assert complete(smoke, schema)["trials"] == 2
    published = complete(base | yaml.safe_load((repository / "config/published.yaml").read_text()), schema)
    assert (published["cohort"], published["network"], published["trials"]) == ("published", "published", 20)


def test_defaults_are_filled_in_at_every_level(schema):
    filled = complete({}, schema)
    assert filled["sparsities"] == list(range(10, 101, 10))
    assert filled["own"]["genes_in"] == "auto"


def test_defaults_of_the_study_are_the_librarys(schema):
    filled, loop = complete({}, schema), Settings()
    assert loop.max_epochs in filled["epochs"]
    assert filled["tolerance"] == loop.tol
    assert filled["n_components"] == N_COMPONENTS
    assert filled["head"] == HEAD == GraphIHTClassifier().head
    assert filled["slack"] == SLACK == GraphIHTClassifier().slack
    assert loop.intercept == GraphIHTClassifier().intercept == "gradient"


def test_the_picked_defaults_are_in_force(repository, schema):
    """docs/defaults.md says which values the comparison picked."""
    table = pd.read_csv(repository / "data/defaults.csv").query("picked").set_index("choice")
    config = complete({}, schema) | {"intercept": Settings().intercept, "cut_off": "least error"}
    config["scsg_inner_steps"] = SCSG_INNER_STEPS
    assert {choice: str(config[choice]) for choice in table.index} == table["variant"].to_dict()


def test_the_studys_configuration_spells_out_the_defaults(repository, schema):
    written = yaml.safe_load((repository / "config/config.yaml").read_text())
    assert complete(written, schema) == complete({}, schema)


def test_a_method_whose_package_is_missing_is_left_out_with_one_sentence(schema, monkeypatch):
    monkeypatch.setattr("study.methods.find_spec", lambda name: None)
    config = complete({"methods": ["iht", "abess"]}, schema)
    possible, note = runnable(config)
    assert note == "config: methods: abess is left out: abess is not installed."
    assert possible["methods"] == ["iht"]
    assert "abess" in config["planted"]["methods"]
    assert "abess" not in possible["planted"]["methods"]
    with pytest.raises(StudyError, match=r"abess is left out: abess is not installed, and no other method is named"):
        runnable(complete({"methods": ["abess"]}, schema))
    monkeypatch.setattr("study.methods.find_spec", lambda name: name)
    assert runnable(config) == (config, "")


def test_every_key_is_described(schema):
    for key, rule in documented(schema):
        assert rule["description"].strip(), key


def test_there_are_at_most_55_keys(schema):
    assert sum(rule.get("type") != "object" for _, rule in documented(schema)) <= 55


def test_the_schema_lists_what_the_registries_have(schema):
    keys = dict(documented(schema))
    assert keys["cohort"]["else"]["enum"] == keys["cohort"]["then"]["items"]["enum"] == list(COHORTS)
    assert keys["network"]["else"]["enum"] == keys["network"]["then"]["items"]["enum"] == list(NETWORKS)
    poolable = {name for name, row in COHORTS.items() if row.unit and not row.is_pooled}  # times in a known unit
    for key in ("pooled: cohorts", "pooled: without"):
        assert set(keys[key]["items"]["enum"]) == poolable
    assert keys["methods"]["default"] == STUDY
    assert keys["controls: methods"]["items"]["enum"] == OF_LIBRARY
    for key in ("methods", "permuted: methods", "planted: methods"):
        assert keys[key]["items"]["enum"] == list(METHODS)


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"own": {"expresion": "a.csv"}}, "unknown key expresion under own; did you mean expression?"),
        ({"head": "hald"}, "head: unknown value hald; did you mean half? Allowed: identity, half, 2s."),
        ({"slack": -1}, "slack: -1 is less than the minimum of 0."),
        ({"zzz": 1}, "unknown key zzz. Allowed: cohort, "),
        ({"folds": "five"}, "folds: 'five' is not of type 'integer'."),
        ({"cohort": "nki", "network": "own"}, "network: own does not go with cohort nki. Use one of scnet, "),
        ({"published": {"url": "x"}}, "unknown key url under published; did you mean base_url?"),
        ({"simulations": {"side": 5}}, "unknown key side under simulations. Allowed: seeds."),
    ],
)
def test_mistakes_are_named(schema, config, message):
    with pytest.raises(StudyError, match=re.escape("config: ") + message.replace("?", r"\?")):
        complete(config, schema)


def several(schema, **config):
    own = {"name": "mine", "expression": "x", "outcome": "y", "edges": "z"}
    return complete({"own": own} | config, schema)


def test_every_cohort_of_a_list_runs_on_every_network(schema):
    found = runs(several(schema, cohort=["nki", "own"], network=["coexpression", "scnet"]))
    assert [run.folder for run in found] == [
        f"results/{cohort}/{network}" for cohort in ("nki", "mine") for network in ("coexpression", "scnet")
    ]
    assert [run.cohort for run in found] == [cohort_name(run.config) for run in found]
    assert found[0].report == "reports/nki-coexpression/report.html"
    assert [(run.config["cohort"], run.config["network"]) for run in found[1:3]] == [
        ("nki", "scnet"),
        ("own", "coexpression"),
    ]


def test_a_list_of_one_is_that_one(schema):
    assert complete({"cohort": ["nki"], "network": ["bioplex"]}, schema) == complete({"network": "bioplex"}, schema)


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"cohort": ["nki", "nkl"]}, "cohort: 1: unknown value nkl; did you mean nki? Allowed: nki, "),
        ({"network": ["scnet", "scnet"]}, "network: .* has non-unique elements."),
        (
            {"cohort": ["nki", "own"], "network": ["coexpression", "scnet", "own"]},
            "network: own does not go with cohort nki. Use one of scnet, ",
        ),
        (
            {
                "cohort": ["nki", "own"],
                "network": "coexpression",
                "own": {"name": "nki", "expression": "x", "outcome": "y"},
            },
            "own: name: nki is a shipped cohort",
        ),
    ],
)
def test_mistakes_in_lists_are_named(schema, config, message):
    with pytest.raises(StudyError, match=re.escape("config: ") + message.replace("?", r"\?")):
        several(schema, **config)
