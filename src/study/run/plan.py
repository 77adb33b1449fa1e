"""What a configuration will take: jobs, core-hours, memory and time on some cores (`make plan`, `graphiht plan`).

Snakemake says which jobs there are and what waits for what; `study.run.costs` what each costs; a simulated schedule says
how long that takes.
"""

from __future__ import annotations

import argparse
import contextlib
import heapq
import io
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from study.run import costs
from study.run.config import Part, cohorts, runs
from study.run.configuration import load
from study.run.errors import StudyError

# What a submitted job of the cluster profiles takes before and after its work: two Snakemakes start, and the one that
# submitted it looks every now and then whether it has ended.
SECONDS_PER_SUBMISSION = 30.0
MANY_CORES = (64, 512, 4096)


class Job(NamedTuple):
    """A job, or several that are submitted together: processor seconds, megabytes, cores, and what it waits for."""

    name: str
    seconds: float
    mem_mb: float
    after: tuple[int, ...]
    cores: int = 1
    group: str | None = None


class Schedule(NamedTuple):
    """When jobs have ended, and the most memory and cores that are in use at one time."""

    wall: float
    mem_mb: float
    cores: int


def read_jobs(dag: Any, cost_of: Callable[[str, int], tuple[float, float]]) -> list[Job]:
    """Return the jobs of a Snakemake graph, with what they cost by the name of their rule and the number of its jobs."""
    jobs = list(dag.jobs)
    numbers = {job: number for number, job in enumerate(jobs)}
    counted = Counter(job.rule.name for job in jobs)
    return [
        Job(
            job.rule.name,
            *cost_of(job.rule.name, counted[job.rule.name]),
            tuple(numbers[other] for other in dag.dependencies[job] if other in numbers),
            group=job.rule.group,
        )
        for job in jobs
    ]


def graph_of(config: str | Path, repository: Path) -> Any:
    """Return Snakemake's graph of all jobs of a configuration, finished or not."""
    # Takes as long to load as Snakemake to start.
    from snakemake.api import SnakemakeApi
    from snakemake.settings import types

    quiet = types.OutputSettings(quiet={types.Quietness.ALL}, dryrun=True)
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said), SnakemakeApi(quiet) as api:
        workflow = api.workflow(
            resource_settings=types.ResourceSettings(cores=1),
            config_settings=types.ConfigSettings(configfiles=[Path(config)]),
            snakefile=repository / "Snakefile",
            workdir=repository,
        )
        workflow.dag(types.DAGSettings(forceall=True)).printd3dag()
        return workflow._workflow.dag


def costs_of(parts: list[Part], table: dict[str, costs.Cost], sizes: dict[str, tuple]) -> Callable:
    """Return what a job of a rule costs; rules have the prefix of their run where there are several.

    `sizes` has patients and genes by the name of a run, as far as they are known.
    """
    work = {
        part.prefix: costs.sizes(part.config, *sizes.get(part.name, (None, None)))
        for part in sorted([*cohorts(parts), *parts], key=lambda part: -len(part.prefix))
    }

    def cost_of(rule: str, number: int) -> tuple[float, float]:
        prefix = next((prefix for prefix in work if rule.startswith(prefix)), "")
        name = rule.removeprefix(prefix)
        if name not in table:
            return 0.0, 0.0
        size = work.get(prefix, {}).get(name, costs.NOTHING)
        return costs.seconds_of(table[name], size, number) / number, table[name].mem_mb

    return cost_of


def schedule(jobs: list[Job], cores: int, dispatch: float = 0.0) -> Schedule:
    """Return how it goes when whoever waits longest is next, and Snakemake needs `dispatch` seconds to start a job.

    Snakemake takes these seconds from the same cores, so they also lengthen the job.
    """
    waiting = [len(set(job.after)) for job in jobs]
    followers = defaultdict(list)
    for number, job in enumerate(jobs):
        for other in set(job.after):
            followers[other].append(number)
    rest = _longest_way(jobs, followers)
    ready = [(-rest[number], number) for number, left in enumerate(waiting) if not left]
    heapq.heapify(ready)
    running: list[tuple[float, int]] = []
    now = free_dispatcher = 0.0
    used, memory, most_cores, most_memory = 0, 0.0, 0, 0.0
    while ready or running:
        while ready and used + min(jobs[ready[0][1]].cores, cores) <= cores:
            _, number = heapq.heappop(ready)
            job = jobs[number]
            start = max(now, free_dispatcher)
            free_dispatcher = start + dispatch
            heapq.heappush(running, (start + dispatch + job.seconds, number))
            used, memory = used + min(job.cores, cores), memory + job.mem_mb
            most_cores, most_memory = max(most_cores, used), max(most_memory, memory)
        now, number = heapq.heappop(running)
        used, memory = used - min(jobs[number].cores, cores), memory - jobs[number].mem_mb
        for other in followers[number]:
            waiting[other] -= 1
            if not waiting[other]:
                heapq.heappush(ready, (-rest[other], other))
    return Schedule(now, most_memory, most_cores)


def _longest_way(jobs: list[Job], followers: dict[int, list[int]]) -> list[float]:
    """Return for each job the seconds from its start to the end of all that wait for it."""
    rest: dict[int, float] = {}

    def of(number: int) -> float:
        if number not in rest:
            rest[number] = jobs[number].seconds + max((of(other) for other in followers[number]), default=0.0)
        return rest[number]

    for number in range(len(jobs)):
        of(number)
    return [rest[number] for number in range(len(jobs))]


def submissions(jobs: list[Job], width: int) -> list[Job]:
    """Return the jobs as the cluster profiles submit them: those of a group that hang together as one, `width` wide.

    Jobs without a group stay as they are: they run where Snakemake does.
    """
    parent = list(range(len(jobs)))

    def root(number: int) -> int:
        while parent[number] != number:
            number = parent[number]
        return number

    for number, job in enumerate(jobs):
        for other in job.after:
            if job.group is not None and jobs[other].group == job.group:
                parent[root(number)] = root(other)
    members = defaultdict(list)
    for number in range(len(jobs)):
        members[root(number)].append(number)
    place = {number: index for index, numbers in enumerate(members.values()) for number in numbers}
    return [_submission(jobs, numbers, place, width) for numbers in members.values()]


def _submission(jobs: list[Job], numbers: list[int], place: dict[int, int], width: int) -> Job:
    first = jobs[numbers[0]]
    after = tuple({place[other] for number in numbers for other in jobs[number].after} - {place[numbers[0]]})
    if first.group is None:
        return first._replace(after=after)
    renumbered = dict(zip(numbers, count()))
    inside = [
        jobs[number]._replace(after=tuple(renumbered[o] for o in jobs[number].after if o in renumbered))
        for number in numbers
    ]
    found = schedule(inside, width)
    return Job(first.group, SECONDS_PER_SUBMISSION + found.wall, found.mem_mb, after, found.cores, first.group)


class Plan(NamedTuple):
    """What a configuration takes, and its schedules by number of cores: on one machine, and as submitted jobs."""

    jobs: list[Job]
    dispatch: float
    width: int

    @property
    def core_seconds(self) -> float:
        """Processor time of all jobs and of Snakemake."""
        return sum(job.seconds + self.dispatch for job in self.jobs)

    def on_a_machine(self, cores: int) -> Schedule:
        """Return the schedule of `snakemake --cores`."""
        return schedule(self.jobs, cores, self.dispatch)

    def on_a_cluster(self, cores: int) -> Schedule:
        """Return the schedule of the cluster profiles with so many cores free."""
        return schedule(submissions(self.jobs, self.width), cores)


def as_lines(plan: Plan, cores: int) -> list[str]:
    """Return what is said of a plan."""
    sent = [job for job in submissions(plan.jobs, plan.width) if job.group is not None]
    largest = max(job.mem_mb for job in plan.jobs)
    lines = [
        f"{len(plan.jobs):,} jobs, {plan.core_seconds / 3600:.2f} core-hours; the largest takes {largest:,.0f} MB",
        f"on a cluster {len(sent)} submissions of {plan.width} core{'s' if plan.width > 1 else ''}, the shortest "
        f"{_time(min(job.seconds for job in sent))}, the longest {_time(max(job.seconds for job in sent))}",
        "",
        f"{'cores':>6}  {'one machine':>12}  {'its memory':>10}  {'a cluster':>10}  cores in use there",
    ]
    for number in sorted({1, 2, cores, *MANY_CORES}):
        here, there = plan.on_a_machine(number), plan.on_a_cluster(number)
        memory = f"{here.mem_mb / 1000:,.1f} GB"
        lines.append(f"{number:>6,}  {_time(here.wall):>12}  {memory:>10}  {_time(there.wall):>10}  {there.cores:,}")
    return lines


def _time(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.1f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
