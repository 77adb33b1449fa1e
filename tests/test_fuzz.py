"""Draws of hypothesis over loaders, configuration, command and estimator: a sound result or one sentence, nothing else.

The short form has fixed draws; the long one (`make test-all`) draws anew, far more often.
"""

import io
import json
import tempfile
import warnings
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path

import numpy as np
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conftest import REPOSITORY, write_own_cohort
from graphiht import GraphIHTClassifier, GraphIHTRegressor
from graphiht.cli import main
from graphiht.io import TableError, read_expression, read_follow_up, read_network
from graphiht.methods import METHODS
from graphiht.signature import Signature
from graphiht.solver import DIVERGED
from study.config import load, load_schema
from study.errors import StudyError

LENIENT = {"deadline": None, "database": None, "suppress_health_check": list(HealthCheck)}


def fuzzed(*strategies, short, long=5000):
    """Return a decorator: a test in both of its forms, as the parameter `check` of one that calls it."""

    def decorate(check):
        few = settings(max_examples=short, derandomize=True, **LENIENT)(given(*strategies)(check))
        many = settings(max_examples=long, **LENIENT)(given(*strategies)(check))
        forms = [pytest.param(few, id="short"), pytest.param(many, id="long", marks=pytest.mark.long)]

        @pytest.mark.parametrize("form", forms)
        def test(form):
            form()

        return test

    return decorate


def result_or_refusal(kind, function, *arguments, **options):
    """Return (result, None), or (None, what an exception of this kind says); any other one is a fault."""
    try:
        return function(*arguments, **options), None
    except kind as error:
        return None, str(error)


@contextmanager
def cohort(n_patients, n_genes):
    """Yield a folder with the files of a small cohort, and their paths."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder), write_own_cohort(Path(folder), n_patients, n_genes)


WORDS = st.sampled_from(["", "NA", "007", "G1", "P1", '"', "'", "#", "$x$", "é"])
NUMBERS = st.sampled_from(["nan", "inf", "-1", "0", "1", "1e5", "1e308", "1e-320"]) | st.floats().map(repr)
BIG_NUMBERS = st.integers(-(10**30), 10**30).map(str)
CELLS = WORDS | NUMBERS | BIG_NUMBERS | st.text(st.characters(codec="utf-8"), max_size=6)


@st.composite
def spoiled(draw, kind):
    """One of the three files of a cohort of 12 patients and 5 genes, as bytes, with a few things done to it."""
    separator = "\t" if kind == "edges" else ","
    with cohort(12, 5) as (_, files):
        rows = [line.split(separator) for line in files[kind].read_text().splitlines()]
    for _ in range(draw(st.integers(0, 3))):
        row = draw(st.sampled_from(rows))
        row[draw(st.integers(0, len(row) - 1))] = draw(CELLS)
    content = "\n".join(draw(st.sampled_from([separator, ";", " "])).join(row) for row in rows).encode()
    for _ in range(draw(st.sampled_from([0, 0, 1, 3]))):
        place = draw(st.integers(0, len(content)))
        content = content[:place] + draw(st.binary(max_size=4)) + content[place + draw(st.integers(0, 5)) :]
    return content


def read(reader, content, name="table.csv", **options):
    """Return what a reader makes of a file, or None if it refuses in one short line that names it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(content)
        found, said = result_or_refusal(TableError, reader, path, **options)
    assert said is None or (said.startswith(f"{path}: ") and said.isprintable() and len(said) < 1000)
    return found


@fuzzed(spoiled("expression"), short=150)
def test_expression(content):
    """A finite matrix that can be squared, every patient and gene once."""
    found = read(read_expression, content)
    if found is not None:
        X, patients, genes = found
        assert X.shape == (len(patients), len(genes))
        assert np.isfinite(X**2).all()
        assert (X.max(axis=0) > X.min(axis=0)).all()
        for names in (patients, genes):
            assert len(set(names)) == len(names)
            assert all(name and name == name.strip() and name.isprintable() for name in names)


@fuzzed(spoiled("outcome"), short=150)
def test_outcome(content):
    """Both events, and times that are positive and finite."""
    found = read(read_follow_up, content)
    if found is not None:
        assert set(found.event.tolist()) == {0, 1}
        assert len(set(found.patients)) == len(found.patients) == len(found.event)
        assert found.time is None or (np.isfinite(found.time) & (found.time > 0)).all()


@fuzzed(spoiled("edges"), short=150)
def test_edges(content):
    """Edges between different genes, each once, with a confidence in (0, 1]."""
    found = read(read_network, content, "edges.tsv", genes=[f"G{i}" for i in range(5)])
    if found is not None:
        edges, confidence, _ = found
        assert (edges[:, 0] < edges[:, 1]).all()
        assert edges.min() >= 0
        assert edges.max() < 5
        assert len(np.unique(edges, axis=0)) == len(edges) == len(confidence)
        assert ((confidence > 0) & (confidence <= 1)).all()


SCHEMA = load_schema(REPOSITORY)
KEYS = [*SCHEMA["properties"], "own", "trails"]
NAMES = st.sampled_from(["", "own", "nki", "scnet", "iht", "/etc", "..", "a\nb", "trial", "fold", "a{b}"])
INNER_KEYS = st.sampled_from(["name", "trials", "seeds", "x"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 12) | st.integers() | st.floats() | st.text(max_size=8) | NAMES,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(INNER_KEYS, inner, max_size=3),
    max_leaves=8,
)


@fuzzed(st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=4), st.booleans(), short=150)
def test_configuration(values, as_json):
    """One short line, or every key of the schema with whole and finite numbers."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / ("mine.json" if as_json else "mine.yaml")
        path.write_text(json.dumps(values) if as_json else yaml.safe_dump(values, allow_unicode=True))
        config, said = result_or_refusal(StudyError, load, path, REPOSITORY)
    if said is not None:
        assert said.isprintable()
        assert len(said) < 3000
        return
    assert set(SCHEMA["properties"]) <= set(config)
    for key in ("trials", "folds", "inner_folds", "seed"):
        assert type(config[key]) is int
    assert np.isfinite([config["tie_tolerance"], config["slack"], *config["lambdas"]]).all()


ODD = ["0", "-1", "1", "2", "5", "99", "nan", "inf", "1e300", "1e-300", "x", "", "2.0", "9" * 30]
OPTIONS = ("sparsity", "slack", "n-components", "lambda", "n-blocks", "batch-size", "mini-batch", "folds", "seed")


def run(*arguments):
    """Return the exit status of the command and what it said on stderr; anything that is raised is a fault."""
    said = io.StringIO()
    with redirect_stdout(io.StringIO()), redirect_stderr(said), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            status = main([str(argument) for argument in arguments])
        except SystemExit as error:
            # argparse has said what it expected.
            status = error.code
    assert status in (0, 2), said.getvalue()
    assert "Traceback" not in said.getvalue()
    return status, said.getvalue()


@fuzzed(
    st.sampled_from(list(METHODS)),
    st.dictionaries(st.sampled_from(OPTIONS), st.sampled_from(ODD), max_size=3),
    short=60,
    long=1000,
)
def test_command(method, options):
    """A fit whose signature is finite and can be applied, or exit status 2 and a line."""
    with cohort(24, 8) as (folder, files):
        signature = folder / "signature.json"
        asked = {"expression": files["expression"], "outcome": files["outcome"], "network": files["edges"]}
        asked |= {"method": method, "output": signature, "sparsity": "3", "folds": "2", "max-epochs": "3"} | options
        # With = because a value may begin with a minus.
        status, said = run("fit", *(f"--{name}={value}" for name, value in asked.items()))
        assert signature.exists() == (status == 0)
        if status:
            assert len(said.strip().splitlines()[-1]) < 500
        else:
            assert np.isfinite(Signature.read(signature).weights).all()


@st.composite
def signatures(draw):
    """The JSON of a signature in which values are others."""
    good = Signature("iht", ["G0", "G1"], [0, 0], [1.0, -1.0], [0.0, 0.0], [1.0, 2.0], 0.5, 0.0, [["G0", "G1"]])
    stored = json.loads(good.to_json())
    for key in draw(st.lists(st.sampled_from(list(stored)), max_size=3)):
        stored[key] = draw(VALUES)
    text = json.dumps(stored)
    place = draw(st.integers(0, len(text)))
    return text if draw(st.booleans()) else text[:place] + draw(st.text(max_size=3)) + text[place:]


@fuzzed(signatures(), short=100)
def test_signature(text):
    """Finite scores, or a line."""
    with cohort(6, 3) as (folder, files):
        signature, table = folder / "signature.json", folder / "predictions.tsv"
        signature.write_text(text)
        options = ("--signature", signature, "--expression", files["expression"], "--output", table)
        status, said = run("predict", *options)
        if status == 0:
            scores = [float(line.split("\t")[1]) for line in table.read_text().splitlines()[1:]]
            assert np.isfinite(scores).all()
        else:
            assert said.rstrip("\n").isprintable()
            assert len(said) < 1000


WEIRD = st.sampled_from(
    [0, -1, 1, 2, 3, 100, 2.0, 0.5, np.nan, np.inf, None, "x", True, 1e300, 1e-300, [1], np.int64(2), 10**30]
)
# Epochs and steps are left out: a million of them is what one may ask for.
PARAMETERS = sorted(set(GraphIHTRegressor().get_params()) - {"max_epochs", "inner_steps"})
RING = [(i, (i + 1) % 6) for i in range(6)]


@fuzzed(
    st.sampled_from([GraphIHTClassifier, GraphIHTRegressor]),
    st.sampled_from(list(METHODS)),
    st.dictionaries(st.sampled_from(PARAMETERS), WEIRD, max_size=2),
    st.integers(2, 14),
    st.integers(0, 10**6),
    st.sampled_from([1.0, 1e-300, 1e-12, 1e12, 1e80, 1e154, 1e300]),
    short=200,
)
def test_estimator(kind, method, parameters, n_rows, seed, scale):
    """Finite coefficients, a fit that says it diverged, or a ValueError."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n_rows, 6))
    X[:, 2] *= scale
    y = rng.integers(0, 2, n_rows)
    model = kind(**{"network": RING, "sparsity": 2, "max_epochs": 3, "method": method} | parameters)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        _, said = result_or_refusal(ValueError, model.fit, X, y)
    if said is not None:
        assert 0 < len(said) < 1000
    elif model.status_ != DIVERGED:
        assert np.isfinite(model.coef_).all()
        assert np.isfinite(model.intercept_).all()
        assert np.isfinite(model.predict(X).astype(float)).all()
