"""Tables of what was chosen: counts by hand, the ends of grids, and the path of early stopping."""

import numpy as np
import pandas as pd
import pytest

from study.cv.model import GridPoint
from study.cv.nested import inner_path
from study.cv.results import chosen_table, paths_table
from study.methods import METHODS

CONFIG = {"sparsities": [10, 20], "lambdas": [0.1, 1, 10], "epochs": [1, 10], "n_blocks": [1, 2]}


def metrics(method, **columns):
    empty = dict.fromkeys(("sparsity", "lambda", "max_epochs", "n_blocks", "C", "smoothing"))
    return pd.DataFrame({"method": method, **empty, **columns})


def test_chosen_values_are_counted_and_ends_of_penalties_marked():
    table = chosen_table(metrics("iht", sparsity=[10, 10, 20, 10], **{"lambda": [1, 10, 1, 0.1]}), CONFIG)
    rows = {(row.setting, row.value): row for row in table.itertuples()}
    assert rows["sparsity", 10].folds == 3
    assert rows["sparsity", 10].share == 0.75
    assert [rows["lambda", value].folds for value in (0.1, 1, 10)] == [1, 2, 1]
    assert [rows["lambda", value].is_end for value in (0.1, 1, 10)] == [1, 0, 1]
    assert not any(rows[key].is_end for key in rows if key[0] == "sparsity")
    assert {row.setting for row in table.itertuples()} == {"sparsity", "lambda"}


def test_a_value_beyond_the_grid_is_listed_where_it_was_chosen_and_the_last_that_can_be_reached_is_an_end():
    config = CONFIG | {"extend_lambdas": 2}
    table = chosen_table(metrics("iht", **{"lambda": [1, 10, 100, 0.001]}), config)
    assert dict(zip(table["value"], table["is_end"], strict=True)) == {0.001: 1, 0.1: 0, 1: 0, 10: 0, 100: 0}
    assert table["folds"].tolist() == [1, 0, 1, 1, 1]


def test_grids_of_a_methods_own_are_its_rows():
    grid = np.logspace(*METHODS["ridge"].C)
    table = chosen_table(metrics("ridge", C=[grid[0], grid[3], grid[3]]), CONFIG)
    assert table["value"].tolist() == grid.tolist()
    assert table.loc[table["is_end"] == 1, "share"].tolist() == pytest.approx([1 / 3, 0])


def test_the_path_has_the_least_error_over_other_settings():
    points = [GridPoint(1.0, s, 1, epochs=e) for s in (10, 20) for e in (1, 10)] + [GridPoint(0.1, 10, 1, epochs=1)]
    errors = np.array([0.4, 0.2, 0.3, 0.5, 0.1])
    assert inner_path(points, errors) == [(0.1, 1, 0.1), (1.0, 1, 0.3), (1.0, 10, 0.2)]


def test_paths_are_means_over_folds_of_penalties_that_all_of_them_tried():
    folds = [
        {"method": "iht", "inner_path": [(1.0, 1, 0.2)]},
        {"method": "iht", "inner_path": [(0.1, 1, 0.1), (1.0, 1, 0.4)], "lambdas_beyond": [0.1]},
        {"method": "ridge"},
    ]
    assert paths_table(folds)[["lambda", "inner_error", "folds"]].values.tolist() == [[1.0, pytest.approx(0.3), 2.0]]
