"""The breakdown of a run's time, by hand."""

import pandas as pd
import pytest

from study.run.cost import breakdown, cost_table, read_benchmark


def test_breakdown_adds_up(tmp_path):
    rows = [
        ("iht", 10, 1.0),
        ("iht", 10, 2.0),
        ("iht", 10, 1.0),
        ("iht", 10, 1.0),
        ("ridge", 5, 4.0),
        ("ridge", 5, 1.0),
    ]
    timings = pd.DataFrame(rows, columns=["method", "fits", "seconds"])
    jobs = {"fit/iht/trial-01.tsv": 4.0, "fit/iht/trial-02.tsv": 3.0, "fit/ridge/trial-01.tsv": 7.0}
    table = cost_table(timings, jobs)
    assert table[0] == {
        "method": "iht",
        "jobs": 2,
        "fits": 40,
        "seconds_in_fits": 5.0,
        "seconds_in_jobs": 7.0,
        "milliseconds_per_fit": 125.0,
    }
    whole = breakdown(table, wall=10.0, cores=2)
    assert whole["seconds_in_fits"] == 10.0
    assert whole["seconds_starting_and_ending_jobs"] == 4.0
    assert whole["seconds_between_jobs"] == 6.0
    assert whole["overhead"] == pytest.approx(0.5)
    parts = ("seconds_in_fits", "seconds_starting_and_ending_jobs", "seconds_between_jobs")
    assert sum(whole[part] for part in parts) == pytest.approx(2 * 10.0)


def test_resumed_run_says_nothing_of_the_time_between_jobs():
    assert breakdown([], wall=None, cores=2)["overhead"] is None


def test_benchmark_file_is_read(tmp_path):
    file = tmp_path / "a.tsv"
    file.write_text("s\th:m:s\tmax_rss\n12.3456\t0:00:12\t1.0\n")
    assert read_benchmark(file) == 12.3456
