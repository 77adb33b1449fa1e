"""The table of methods; fits and paths of them: paired draws, equal bits, and what bad input gets."""

import numpy as np
import pytest

from graphiht.fitting import fit, fit_path
from graphiht.losses import balanced_logistic
from graphiht.methods import STEP_METHODS, equivalent
from graphiht.network import Network
from synthetic import assert_same_fit, grid_edges, noisy_classes

NETWORK = Network(grid_edges(10), 100)


@pytest.fixture(scope="module")
def data():
    return noisy_classes(60, 100, seed=7)


def run(method, data, seed=0, **options):
    options = {"sparsity": 8, "lam": 0.1, "network": NETWORK, "n_blocks": 2, "max_epochs": 10, **options}
    return fit(method, *data, rng=np.random.default_rng(seed), **options)


@pytest.mark.parametrize(
    ("method", "n_blocks", "same"),
    [
        ("graph-svrg-iht", 1, "graph-iht"),
        ("sto-iht", 1, "iht"),
        ("scsg-iht", 1, "scsg-iht"),
        ("sto-iht", 2, "sto-iht"),
        ("graph-iht", 1, "graph-iht"),
    ],
)
def test_with_one_block_blocks_and_svrg_are_the_full_gradient(method, n_blocks, same):
    assert equivalent(method, n_blocks) == same


@pytest.mark.parametrize("estimator", ["sto", "svrg", "scsg"])
def test_draws_depend_on_the_estimator_only(data, estimator):
    """Both projections leave the generator in the same state: they drew the same, so comparisons are paired."""
    states = []
    for method in (f"{estimator}-iht", f"graph-{estimator}-iht"):
        rng = np.random.default_rng(3)
        fit(method, *data, sparsity=8, lam=0.1, network=NETWORK, n_blocks=3, rng=rng, max_epochs=5, tol=-1.0)
        states.append(rng.bit_generator.state["state"]["state"])
    assert states[0] == states[1]
    assert states[0] != np.random.default_rng(3).bit_generator.state["state"]["state"]


@pytest.mark.parametrize("method", list(STEP_METHODS))
def test_seed_decides_the_result_of_methods_that_sample(data, method):
    first, again, other = run(method, data), run(method, data), run(method, data, seed=1)
    np.testing.assert_array_equal(first.weights, again.weights)
    assert np.array_equal(first.weights, other.weights) == (STEP_METHODS[method].gradient == "full")


@pytest.mark.parametrize("method", list(STEP_METHODS))
def test_equivalent_method_computes_the_same_bits(data, method):
    for n_blocks in (1, 2):
        other = equivalent(method, n_blocks)
        a, b = run(method, data, n_blocks=n_blocks), run(other, data, n_blocks=n_blocks)
        np.testing.assert_array_equal(a.weights, b.weights)
        assert a.intercept == b.intercept


@pytest.mark.parametrize("method", ["iht", "graph-iht", "graph-sto-iht"])
def test_path_members_are_single_fits_from_zero(data, method):
    """To the bit, although the lambdas share their first projection and a prepared loss; all draw from one seed."""
    options, grid = {"network": NETWORK, "n_blocks": 2}, {"sparsities": [12, 4, 8], "lambdas": [0.1, 1.0]}
    path = fit_path(method, balanced_logistic(*data), **grid, rng=np.random.default_rng(3), **options)
    seed = int(np.random.default_rng(3).integers(2**63))
    assert set(path) == {(lam, sparsity) for lam in (0.1, 1.0) for sparsity in (4, 8, 12)}
    for (lam, sparsity), result in path.items():
        rng = np.random.default_rng(seed)
        single = fit(method, *data, sparsity=sparsity, lam=lam, rng=rng, **options)
        np.testing.assert_array_equal(result.weights, single.weights)
        assert result.loss_trace == single.loss_trace


def test_lambdas_of_a_path_share_the_first_projection(data):
    # Lambdas so close that the line search takes the same first step.
    path = fit_path("graph-iht", *data, sparsities=[8], lambdas=[0.11, 0.1], network=NETWORK)
    single = fit("graph-iht", *data, sparsity=8, lam=0.1, network=NETWORK)
    assert path[0.1, 8].n_solves < single.n_solves


@pytest.mark.parametrize("option", [1, 2])
@pytest.mark.parametrize("method", list(STEP_METHODS))
def test_checkpoints_are_the_fits_that_stop_there(data, method, option):
    numbers = [30, 1, 3, 100]
    for lam, stop in ((1.0, "converged"), (1e-3, "epoch limit")):
        # SCSG's noise keeps supports from settling, so in the first case there is but one.
        early = {"sparsity": 100, "tol": 0.1} if stop == "converged" else {"tol": -1.0}
        options = {"lam": lam, "option": option, **early}
        result = run(method, data, max_epochs=100, checkpoints=numbers, **options)
        assert list(result.checkpoints) == numbers
        assert result.status == stop
        for number in numbers:
            single = run(method, data, max_epochs=number, **options)
            assert single.checkpoints == {}
            assert_same_fit(result.checkpoints[number], single)
        assert_same_fit(result, single, "checkpoints")
        assert not np.array_equal(result.checkpoints[1].weights, result.checkpoints[3].weights)


def test_checkpoints_of_a_diverged_fit_are_its_end(data):
    result = run("iht", data, max_epochs=40, checkpoints=[1, 40], step=1e200, intercept="none")
    assert result.status == result.checkpoints[40].status == "diverged"
    assert_same_fit(result.checkpoints[1], run("iht", data, max_epochs=1, step=1e200, intercept="none"))


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
        ({"checkpoints": [3, 11]}, ["checkpoints", "max_epochs = 10", "11"]),
        ({"checkpoints": [0]}, ["checkpoints", "between 1", "0"]),
        ({"lam": float("nan")}, ["lambda", "at least 0", "nan"]),
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


def test_defaults_are_one_set(data):
    from graphiht import GraphIHTClassifier

    result = fit("graph-iht", *data, sparsity=20, network=NETWORK)
    model = GraphIHTClassifier(NETWORK, sparsity=20, standardize=False).fit(*data)
    np.testing.assert_array_equal(model.coef_[0], result.weights)
    assert model.intercept_[0] == result.intercept
    (path,) = fit_path("graph-iht", *data, sparsities=[20], network=NETWORK).values()
    np.testing.assert_array_equal(path.weights, result.weights)
