"""The table of methods, the path, paired draws, and what bad input gets."""

import numpy as np
import pytest

from graphiht import methods
from graphiht.gradients import SCSG, SVRG, BlockGradient, FullGradient
from graphiht.losses import balanced_logistic
from graphiht.network import Network
from synthetic import grid_edges, noisy_classes

NETWORK = Network(grid_edges(10), 100)
ESTIMATORS = {"": FullGradient, "sto-": BlockGradient, "svrg-": SVRG, "scsg-": SCSG}


@pytest.fixture(scope="module")
def data():
    return noisy_classes(60, 100, seed=7)


def run(method, data, seed=0, **options):
    options = {"sparsity": 8, "lam": 0.1, "network": NETWORK, "n_blocks": 2, "max_epochs": 10, **options}
    return methods.fit(method, *data, rng=np.random.default_rng(seed), **options)


def test_table_has_every_estimator_with_and_without_the_network(data):
    assert set(methods.METHODS) == {f"{g}{e}iht" for g in ("", "graph-") for e in ESTIMATORS}
    loss = balanced_logistic(*data)
    for name, row in methods.METHODS.items():
        made = row.estimator(loss, methods.Sampling(n_blocks=2), np.random.default_rng(0))
        middle = name.removeprefix("graph-").removesuffix("iht")
        assert type(made) is ESTIMATORS[middle]
        assert row.uses_network == name.startswith("graph-")


def test_default_sizes_are_those_of_the_study(data):
    loss = balanced_logistic(data[0][:59], data[1][:59])
    scsg = methods.METHODS["scsg-iht"].estimator(loss, methods.Sampling(n_blocks=2), np.random.default_rng(0))
    # B = ceil(59/2), b = ceil(B/4), K = ceil(B/b).
    assert (scsg.outer.size, scsg.inner.size, scsg.n_steps) == (30, 8, 4)
    svrg = methods.METHODS["svrg-iht"].estimator(loss, methods.Sampling(n_blocks=2), np.random.default_rng(0))
    assert svrg.n_steps == 2
    assert sorted(len(block) for block in svrg.inner.blocks) == [29, 30]


@pytest.mark.parametrize("estimator", ["sto", "svrg", "scsg"])
def test_draws_depend_on_the_estimator_only(data, estimator):
    """The same generator state after both projections: they drew the same, so comparisons are paired."""
    states = []
    for prefix in ("", "graph-"):
        rng = np.random.default_rng(3)
        methods.fit(
            f"{prefix}{estimator}-iht",
            *data,
            sparsity=8,
            lam=0.1,
            network=NETWORK,
            n_blocks=3,
            rng=rng,
            max_epochs=5,
            tol=-1.0,
        )
        states.append(rng.bit_generator.state["state"]["state"])
    assert states[0] == states[1]
    assert states[0] != np.random.default_rng(3).bit_generator.state["state"]["state"]


def test_block_and_svrg_see_the_same_blocks(data):
    loss = balanced_logistic(*data)
    sampling = methods.Sampling(n_blocks=3)
    block = methods.METHODS["sto-iht"].estimator(loss, sampling, np.random.default_rng(3))
    svrg = methods.METHODS["svrg-iht"].estimator(loss, sampling, np.random.default_rng(3))
    for _ in range(20):
        np.testing.assert_array_equal(block.draw(), svrg.inner.draw())


@pytest.mark.parametrize("method", list(methods.METHODS))
def test_seed_decides_the_result_of_methods_that_sample(data, method):
    first, again, other = run(method, data), run(method, data), run(method, data, seed=1)
    np.testing.assert_array_equal(first.weights, again.weights)
    samples = "sto" in method or "svrg" in method or "scsg" in method
    assert np.array_equal(first.weights, other.weights) != samples


@pytest.mark.parametrize("method", list(methods.METHODS))
def test_equivalent_method_computes_the_same_bits(data, method):
    for n_blocks in (1, 2):
        other = methods.equivalent(method, n_blocks)
        a, b = run(method, data, n_blocks=n_blocks), run(other, data, n_blocks=n_blocks)
        np.testing.assert_array_equal(a.weights, b.weights)
        assert a.intercept == b.intercept
    assert methods.equivalent("graph-svrg-iht", 1) == "graph-iht"
    assert methods.equivalent("sto-iht", 1) == "iht"
    assert methods.equivalent("scsg-iht", 1) == "scsg-iht"


@pytest.mark.parametrize("method", ["iht", "graph-iht", "graph-svrg-iht"])
def test_path_reaches_what_cold_fits_reach_on_a_convex_problem(data, method):
    """With every feature allowed the minimum is unique, so warm and cold must agree."""
    X, y = data[0][:, :10], data[1]
    network = Network([(i, i + 1) for i in range(9)], 10)
    options = {"network": network, "max_epochs": 3000, "tol": 1e-14}
    path = methods.fit_path(method, X, y, sparsities=[10], lambdas=[0.05, 0.5], warm="stronger", **options)
    assert set(path) == {(0.05, 10), (0.5, 10)}
    for (lam, sparsity), warm in path.items():
        cold = methods.fit(method, X, y, sparsity=sparsity, lam=lam, **options)
        np.testing.assert_allclose(warm.weights, cold.weights, atol=1e-5)
    assert path[0.05, 10].loss_trace[0] < np.log(2) * 2 * np.mean(y) * np.mean(1 - y), "a warm start"


def started_at(result, other, data, lam):
    """Return whether a fit's first loss is that of another fit's result under the penalty of the first."""
    loss = balanced_logistic(*data, lam)
    return result.loss_trace[0] == loss.value(loss.iterate(other.weights, other.support, other.intercept))


def test_path_starts_each_fit_where_it_says(data):
    options = {"sparsities": [12, 4, 8], "lambdas": [0.1, 1.0]}
    cold = methods.fit_path("iht", *data, warm=None, **options)
    assert len({result.loss_trace[0] for result in cold.values()}) == 1
    path = methods.fit_path("iht", *data, warm="stronger", **options)
    for sparsity in (4, 8, 12):
        np.testing.assert_array_equal(path[1.0, sparsity].weights, cold[1.0, sparsity].weights)
        assert started_at(path[0.1, sparsity], path[1.0, sparsity], data, 0.1)
        assert len(path[0.1, sparsity].support) == sparsity
    for warm, order in (("smaller", [4, 8, 12]), ("larger", [12, 8, 4])):
        path = methods.fit_path("iht", *data, warm=warm, **options)
        for lam in (0.1, 1.0):
            assert started_at(path[lam, order[1]], path[lam, order[0]], data, lam)
            assert started_at(path[lam, order[2]], path[lam, order[1]], data, lam)
        assert started_at(path[0.1, order[0]], path[1.0, order[0]], data, 0.1)
    with pytest.raises(ValueError, match=r"warm must be one of None, 'stronger'.*got 'hot'"):
        methods.fit_path("iht", *data, warm="hot", **options)


def test_path_members_do_not_depend_on_other_sparsities(data):
    short = methods.fit_path(
        "sto-iht", *data, sparsities=[8], lambdas=[0.1, 1.0], warm="stronger", n_blocks=2
    )
    long = methods.fit_path(
        "sto-iht", *data, sparsities=[4, 8, 12], lambdas=[0.1, 1.0], warm="stronger", n_blocks=2
    )
    for cell, result in short.items():
        np.testing.assert_array_equal(result.weights, long[cell].weights)


def test_prepared_loss_gives_the_same_as_arrays(data):
    loss = balanced_logistic(*data)
    for lam in (0.1, 1.0):
        a = methods.fit("iht", loss, sparsity=8, lam=lam)
        b = methods.fit("iht", *data, sparsity=8, lam=lam)
        np.testing.assert_array_equal(a.weights, b.weights)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"method": "lasso"}, ["method", "graph-scsg-iht", "'lasso'"]),
        ({"sparsity": 0}, ["sparsity", "at least 1", "0"]),
        ({"sparsity": 101}, ["sparsity", "n_features = 100", "101"]),
        ({"sparsity": 2.5}, ["sparsity", "integer", "2.5"]),
        ({"n_blocks": 61}, ["n_blocks", "n_samples = 60", "61"]),
        ({"batch_size": 61}, ["batch_size", "n_samples = 60", "61"]),
        ({"mini_batch": 0}, ["mini_batch", "at least 1", "0"]),
        ({"inner_steps": 0}, ["inner_steps", "at least 1", "0"]),
        ({"option": 3}, ["option", "3"]),
        ({"network": None}, ["network", "None"]),
        ({"network": Network([(0, 1)], 99)}, ["network", "100", "99"]),
        ({"n_components": 9}, ["n_components", "sparsity = 8", "9"]),
        ({"head": "third"}, ["head", "identity", "'third'"]),
        ({"head": 101}, ["head", "100", "101"]),
        ({"step": -1.0}, ["step", "-1.0"]),
        ({"shrink": 1.0}, ["shrink", "1.0"]),
        ({"intercept": "closed"}, ["intercept", "newton", "'closed'"]),
        ({"max_epochs": 0}, ["max_epochs", "0"]),
    ],
)
def test_bad_input_is_named_with_what_was_expected_and_what_came(data, options, words):
    options = {"method": "graph-scsg-iht", **options}
    method = options.pop("method")
    with pytest.raises(ValueError, match="must") as caught:
        run(method, data, **options)
    for word in words:
        assert word in str(caught.value)


def test_unknown_option_is_refused_with_the_list(data):
    with pytest.raises(TypeError, match=r"'max_iter'.*max_epochs"):
        run("iht", data, max_iter=3)
