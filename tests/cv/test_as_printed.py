"""Algorithms 1 and 2 to the letter: the fits that config/paper.yaml asks for, against the library told every size."""

import numpy as np
import pytest

from conftest import REPOSITORY
from graphiht.fitting import fit
from graphiht.losses import balanced_logistic
from graphiht.network import Network
from small import learner_of, study_of
from study.config import load
from study.cv.model import GridPoint
from study.methods import GROUPS, METHODS, PARTS

ALGORITHM_1, OPTION_1, OPTION_2 = "graph-svrg-iht-printed", "graph-scsg-iht-option-1", "graph-scsg-iht-option-2"
EPOCHS = 6


@pytest.fixture(scope="module")
def settings():
    return load("config/paper.yaml", REPOSITORY) | {"sparsities": [4], "epochs": [EPOCHS], "tolerance": 1e-12}


@pytest.fixture(scope="module")
def patients():
    rng = np.random.default_rng(8)
    X = rng.normal(size=(31, 24))
    y = (X[:, :4].sum(axis=1) + rng.normal(size=31) > 0.3).astype(np.int8)
    return study_of((X - X.mean(axis=0)) / X.std(axis=0), y)


def model_of(method, settings, patients, n_blocks=1):
    point = GridPoint(0.0, 4, n_blocks, epochs=EPOCHS)
    return learner_of(method, settings, patients).fit(patients.X, patients.y, point, np.random.default_rng(1))


@pytest.mark.parametrize(
    ("method", "n_blocks", "sizes"),
    [
        (ALGORITHM_1, 1, {"mini_batch": 1, "inner_steps": 31}),
        (OPTION_1, 1, {"batch_size": 31, "mini_batch": 1, "option": 1}),
        (OPTION_1, 2, {"batch_size": 16, "mini_batch": 1, "option": 1}),
        (OPTION_2, 1, {"batch_size": 31, "mini_batch": 1, "option": 2}),
        (OPTION_2, 2, {"batch_size": 16, "mini_batch": 1, "option": 2}),
        ("graph-sto-iht", 2, {"n_blocks": 2}),
    ],
)
def test_a_fit_of_the_protocol_has_the_sizes_head_tail_and_penalty_of_the_paper(
    settings, patients, method, n_blocks, sizes
):
    found = model_of(method, settings, patients, n_blocks)
    # A learner seeds the path with its first draw, and the path its rows with the first draw from that.
    path = np.random.default_rng(int(np.random.default_rng(1).integers(2**63)))
    oracle = fit(
        METHODS[method].fits or method,
        balanced_logistic(patients.X, patients.y, dtype=np.float32),
        sparsity=4,
        lam=0.0,
        network=Network(patients.edges, 24, names=patients.symbol),
        n_components=1,
        head="2s",
        slack=0.0,
        rng=np.random.default_rng(int(path.integers(2**63))),
        max_epochs=EPOCHS,
        tol=1e-12,
        **sizes,
    )
    np.testing.assert_array_equal(found.genes, oracle.support)
    np.testing.assert_array_equal(found.weights, oracle.weights[oracle.support])
    assert len(found.genes) == 4
    for name in ("data_points", "n_line_searches", "n_line_searches_failed"):
        assert found.details[name] == getattr(oracle, name)


def test_the_number_of_inner_steps_is_the_printed_one(settings, patients):
    def steps(method, n_blocks=1):
        details = model_of(method, settings, patients, n_blocks).details
        assert details["epochs"] == EPOCHS
        return details["n_line_searches"]

    assert steps(ALGORITHM_1) == EPOCHS * 31
    assert [steps(OPTION_2, blocks) for blocks in (1, 2)] == [EPOCHS * 31, EPOCHS * 16]
    assert steps(OPTION_1) not in (0, EPOCHS * 31)


def test_option_2_over_all_rows_is_algorithm_1_and_option_1_is_not(settings, patients):
    first, *others = (model_of(method, settings, patients) for method in (ALGORITHM_1, OPTION_2, OPTION_1))
    np.testing.assert_array_equal(first.weights, others[0].weights)
    assert not np.array_equal(first.genes, others[1].genes) or not np.array_equal(first.weights, others[1].weights)


def test_only_scsg_has_block_sizes_and_what_is_the_same_is_fitted_once(settings):
    rows = [METHODS[name] for name in (ALGORITHM_1, OPTION_1, OPTION_2)]
    assert [row.blocks(settings["n_blocks"]) for row in rows] == [[1], [1, 2], [1, 2]]
    assert [row.shared_part(settings["n_blocks"]) for row in rows] == ["printed", None, "printed"]
    assert [row.own_blocks(settings["n_blocks"]) for row in rows] == [[], [1, 2], [2]]
    assert PARTS["printed"] == ALGORITHM_1
    assert not {row.name for row in rows} & {*GROUPS["graph methods"], *GROUPS["baselines"]}


def test_the_protocol_is_the_papers(settings):
    whole = load("config/paper.yaml", REPOSITORY)
    assert (whole["trials"], whole["folds"], whole["scoring"]) == (20, 5, "balanced_error")
    assert (whole["head"], whole["slack"], whole["lambdas"], whole["n_components"]) == ("2s", 0, [0], 1)
    assert whole["sparsities"] == list(range(10, 101, 10))
    assert whole["n_blocks"] == [1, 2]
