"""The progress line."""

import json

from study.methods import METHODS, n_fits
from study.run.progress import fits_done, line


def test_fits_are_counted_from_the_timing_files(tmp_path):
    for name, fits in (("iht", 41), ("ridge", 66)):
        (tmp_path / name / "trial-01").mkdir(parents=True)
        for fold in (1, 2):
            (tmp_path / name / f"trial-01/fold-{fold}.json").write_text(json.dumps({"fits": fits}))
    (tmp_path / "ridge/trial-01/fold-3.json").write_text("{half")
    assert fits_done([str(tmp_path)]) == 2 * 41 + 2 * 66


def test_time_left_follows_the_speed_of_this_run():
    start = {"total": 1000, "before": 400, "started": 0.0}
    assert line(start, 700, now=300.0) == "fits: 700 of 1,000 (70%), about 5 min left"
    assert line(start, 990, now=590.0) == "fits: 990 of 1,000 (99%), about 10 s left"
    assert line(start, 1000, now=600.0) == "fits: 1,000 of 1,000 (100%)"


def test_plan_adds_up():
    """Per outer fold and inner fold: 10 x 4 points, once more per further block; one refit each."""
    config = {
        "trials": 20,
        "folds": 5,
        "inner_folds": 5,
        "sparsities": list(range(10, 101, 10)),
        "lambdas": [0.001, 0.1, 0.3, 1],
        "n_blocks": [1, 2],
    }
    assert n_fits("shared-top", config) == 100 * 5 * 40
    assert n_fits("iht", config) == 100
    assert n_fits("sto-iht", config) == 100 * (5 * 40 + 1)
    assert n_fits("graph-scsg-iht", config) == 100 * (5 * 80 + 1)
    assert n_fits("ridge", config) == 100 * (5 * METHODS["ridge"].C[2] + 1)
    assert n_fits("walk-t", config) == 100 * (5 * 40 * 3 + 1)
    assert n_fits("mean-top", config) == 100 * (5 * 10 + 1)
