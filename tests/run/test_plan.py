"""The simulated schedule against what is known of any schedule, and the table of costs against made-up runs."""

import math
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import REPOSITORY
from study import methods
from study.run import costs, measured, plan
from study.run.configuration import load
from study.run.schedule import SECONDS_PER_SUBMISSION, Job, schedule, submissions


def job(seconds, *after, mem_mb=1.0, group=None):
    return Job("a", seconds, mem_mb, after, group=group)


@st.composite
def graphs(draw):
    """Jobs that wait for some of those before them."""
    n = draw(st.integers(1, 25))
    return [
        job(draw(st.floats(0.0, 10.0)), *draw(st.sets(st.integers(0, k - 1), max_size=3)) if k else (), mem_mb=k)
        for k in range(n)
    ]


def longest_chain(jobs):
    ends = []
    for one in jobs:
        ends.append(one.seconds + max((ends[other] for other in one.after), default=0.0))
    return max(ends)


@settings(max_examples=200, deadline=None)
@given(graphs(), st.integers(1, 8))
def test_schedule_is_between_the_bounds_of_list_scheduling(jobs, cores):
    """Nothing is faster than the longest chain or the work on all cores; no greedy schedule slower than their sum."""
    found, chain, work = schedule(jobs, cores), longest_chain(jobs), sum(one.seconds for one in jobs)
    assert max(chain, work / cores) - 1e-6 <= found.wall <= work / cores + (1 - 1 / cores) * chain + 1e-6
    assert found.cores <= min(cores, len(jobs))
    assert found.mem_mb <= sum(sorted((one.mem_mb for one in jobs), reverse=True)[:cores])


@pytest.mark.parametrize(("n", "cores"), [(1, 1), (7, 1), (7, 2), (8, 4), (3, 64)])
def test_equal_jobs_run_in_rounds(n, cores):
    found = schedule([job(2.0)] * n, cores)
    assert found.wall == 2.0 * math.ceil(n / cores)
    assert found.cores == found.mem_mb == min(n, cores)


def test_snakemake_starts_one_job_after_the_other():
    assert schedule([job(0.0)] * 50, 4096, dispatch=0.5).wall == 25.0
    assert schedule([job(100.0)] * 50, 4096, dispatch=0.5).wall == 125.0
    assert schedule([job(1.0)] * 50, 1, dispatch=0.5).wall == 75.0


@settings(max_examples=100, deadline=None)
@given(graphs(), st.integers(1, 4))
def test_submissions_hold_every_job_once(jobs, width):
    mixed = [one._replace(group=("x", "y", None)[number % 3]) for number, one in enumerate(jobs)]
    sent = submissions(mixed, width)
    assert len(sent) <= len(jobs)
    own = [one for one in sent if one.group is None]
    assert len(own) == sum(one.group is None for one in mixed)
    # One wide, nothing runs beside anything: all seconds are there.
    if width == 1:
        around = SECONDS_PER_SUBMISSION * (len(sent) - len(own))
        assert sum(one.seconds for one in sent) == pytest.approx(sum(one.seconds for one in jobs) + around)


def test_jobs_of_a_group_that_hang_together_are_one_submission():
    jobs = [job(1.0), job(2.0, 0, group="fit"), job(3.0, 1, group="fit"), job(4.0, 0, group="fit"), job(5.0, 2, 3)]
    first, pair, single, last = submissions(jobs, 1)
    assert (first.seconds, last.seconds) == (1.0, 5.0)
    assert (pair.seconds, single.seconds) == (SECONDS_PER_SUBMISSION + 5, SECONDS_PER_SUBMISSION + 4)
    assert (pair.after, single.after, set(last.after)) == ((0,), (0,), {1, 2})


def records(config, cost):
    """What jobs of one method would record, a job a trial."""
    name = "ridge"
    rule = methods.METHODS[name].rule
    size = costs.sizes(config)[rule]
    seconds = costs.seconds_of(cost, size, config["trials"]) / config["trials"]
    jobs = [{"script": "fit", "name": name, "seconds": seconds, "mem_mb": 200.0} for _ in range(config["trials"])]
    whole = {"script": "snakemake", "name": "", "seconds": config["trials"] * (seconds + 0.5) + 3.0, "mem_mb": 0.0}
    return [*jobs, whole]


def test_costs_are_found_again_from_what_was_recorded():
    true = costs.Cost(0.5, 0.02, 0.003, 200.0)
    smoke = load(REPOSITORY / "config/smoke.yaml", REPOSITORY)
    configs = [smoke | {"trials": 1}, smoke | {"trials": 4, "inner_folds": 3}, smoke | {"trials": 9, "folds": 10}]
    found = measured.table([(records(config, true), config, 295, 1894) for config in configs])
    assert found["fit_ridge"] == pytest.approx(true, rel=1e-6)
    assert found[costs.SNAKEMAKE][:2] == pytest.approx((0.5, 3.0), rel=1e-6)


def test_twice_the_trials_are_twice_the_fits():
    table = costs.read(REPOSITORY / costs.FILE)
    smoke = load(REPOSITORY / "config/smoke.yaml", REPOSITORY)
    for name in [*smoke["methods"], "shared-top"]:
        one, two = (costs.seconds_of_fits(table, name, smoke | {"trials": trials}, 295) for trials in (3, 6))
        assert two == pytest.approx(2 * one)
        assert one > 0


@pytest.fixture(scope="module")
def planned(wheels):
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(REPOSITORY)
        # In a thread: Snakemake starts an event loop, and in that of the tests the browser's may be running.
        with ThreadPoolExecutor(1) as thread:
            yield {"smoke": thread.submit(plan.plan, "config/smoke.yaml", REPOSITORY, 2).result()}


def test_every_rule_of_the_study_was_measured(planned, capsys):
    unknown = {one.name for one in planned["smoke"].jobs if not one.seconds}
    assert unknown <= {"study", "download"}
    assert {one.group for one in planned["smoke"].jobs} == {None, "fit", "results"}
