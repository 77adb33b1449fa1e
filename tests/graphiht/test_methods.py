"""The table of methods: every gradient with every projection, and what is equivalent."""

import pytest

from graphiht.gradients import ESTIMATORS
from graphiht.methods import METHODS, STEP_METHODS, equivalent, same_estimator

GRADIENTS = {"full": "", "block": "sto-", "svrg": "svrg-", "scsg": "scsg-"}


def test_table_has_every_gradient_with_and_without_the_network():
    assert set(GRADIENTS) == set(ESTIMATORS)
    expected = {
        (f"{prefix}{middle}iht", gradient, projection, projection == "graph")
        for prefix, projection in (("", "top"), ("graph-", "graph"))
        for gradient, middle in GRADIENTS.items()
    }
    assert {(name, row.gradient, row.projection, row.uses_network) for name, row in STEP_METHODS.items()} == expected
    refits = {name: row[2:] for name, row in METHODS.items() if name not in STEP_METHODS}
    assert refits == {"htp": ("full", "top", "refit"), "graph-htp": ("full", "graph", "refit")}
    assert all(row.label.lower().replace("-", "") == name.replace("-", "") for name, row in METHODS.items())


@pytest.mark.parametrize(
    ("method", "n_blocks", "same"),
    [
        ("graph-svrg-iht", 1, "graph-iht"),
        ("sto-iht", 1, "iht"),
        ("scsg-iht", 1, "scsg-iht"),
        ("sto-iht", 2, "sto-iht"),
        ("graph-iht", 1, "graph-iht"),
        ("graph-htp", 1, "graph-htp"),
    ],
)
def test_with_one_block_blocks_and_svrg_are_the_full_gradient(method, n_blocks, same):
    assert equivalent(method, n_blocks) == same


def test_every_graph_method_has_a_partner_without_the_network():
    for method in METHODS:
        partner = same_estimator(method, "top")
        assert partner == method.removeprefix("graph-")
        assert same_estimator(partner, "graph") == f"graph-{partner}"
