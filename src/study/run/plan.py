"""What a configuration will take: jobs, core-hours, memory and time on some cores (`make plan`, `graphiht plan`).

Snakemake says which jobs there are and what waits for what; `study.run.costs` what each costs; a simulated schedule
says how long that takes.
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
from study.run.check import check_run
from study.run.config import Part, cohorts, runs
from study.run.configuration import load
from study.run.errors import StudyError

# What a submitted job of the cluster profiles takes before and after its work: two Snakemakes start, and the one that
# submitted it looks every now and then whether it has ended.
SECONDS_PER_SUBMISSION = 30.0
# Cores of a submission, as in the profiles.
WIDTH = 1
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
    """Return the jobs of a Snakemake graph that are to be run.

    They cost what `cost_of` says of their rule and the number of its jobs, run or not.
    """
    jobs = [job for job in dag.jobs if dag.needrun(job)]
    numbers = {job: number for number, job in enumerate(jobs)}
    counted = Counter(job.rule.name for job in dag.jobs)
    return [
        Job(
            job.rule.name,
            *cost_of(job.rule.name, counted[job.rule.name]),
            tuple(numbers[other] for other in dag.dependencies[job] if other in numbers),
            group=job.rule._group,  # the property hides it from runs on one machine
        )
        for job in jobs
    ]


def graph_of(config: str | Path, repository: Path, more: dict) -> Any:
    """Return Snakemake's graph of all jobs of a configuration, finished or not; `more` goes over the configuration."""
    # Takes as long to load as Snakemake to start.
    from snakemake.api import SnakemakeApi
    from snakemake.settings import types

    quiet = types.OutputSettings(quiet={types.Quietness.ALL}, dryrun=True)
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said), SnakemakeApi(quiet) as api:
        workflow = api.workflow(
            resource_settings=types.ResourceSettings(cores=1),
            config_settings=types.ConfigSettings(config=more, configfiles=[Path(config)]),
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
    """The jobs of a configuration, by a table of costs."""

    jobs: list[Job]
    table: dict[str, costs.Cost]

    @property
    def snakemake(self) -> costs.Cost:
        """What Snakemake itself takes."""
        return self.table.get(costs.SNAKEMAKE, costs.NO_COST)

    @property
    def core_seconds(self) -> float:
        """Processor time of all jobs and of Snakemake."""
        return self.snakemake.per_fold + sum(job.seconds + self.snakemake.per_job for job in self.jobs)

    def on_a_machine(self, cores: int) -> Schedule:
        """Return the schedule of `snakemake --cores`."""
        found = schedule(self.jobs, cores, self.snakemake.per_job)
        return found._replace(wall=self.snakemake.per_fold + found.wall)

    def submissions(self, width: int) -> list[Job]:
        """Return what the cluster profiles submit; they are `width` wide."""
        return [job for job in submissions(self.jobs, width) if job.group is not None]

    def on_a_cluster(self, cores: int, width: int) -> Schedule:
        """Return the schedule of the cluster profiles with so many cores free."""
        found = schedule(submissions(self.jobs, width), cores, self.snakemake.per_job)
        return found._replace(wall=self.snakemake.per_fold + found.wall)


def as_lines(plan: Plan, grouped: Plan, cores: int) -> list[str]:
    """Return what is said of a plan, and of the same configuration in jobs as cluster profiles submit them."""
    sent = grouped.submissions(WIDTH)
    lines = [
        f"{len(plan.jobs):,} jobs, {plan.core_seconds / 3600:.2f} core-hours ({_time(plan.core_seconds)}), of which "
        f"Snakemake takes {_time(plan.snakemake.per_fold + plan.snakemake.per_job * len(plan.jobs))}; the largest job "
        f"needs {max(job.mem_mb for job in plan.jobs):,.0f} MB",
        f"on a cluster {len(sent)} submissions, the shortest {_time(min(job.seconds for job in sent))}, the longest "
        f"{_time(max(job.seconds for job in sent))}, with {SECONDS_PER_SUBMISSION:.0f} s around each",
        "",
        f"{'cores':>6}  {'one machine':>12}  {'its memory':>10}  {'a cluster':>10}  {'cores in use':>12}",
    ]
    for number in sorted({1, 2, cores, *MANY_CORES}):
        here, there = plan.on_a_machine(number), grouped.on_a_cluster(number, WIDTH)
        memory = f"{here.mem_mb / 1000:,.1f} GB"
        lines.append(f"{number:>6,}  {_time(here.wall):>12}  {memory:>10}  {_time(there.wall):>10}  {there.cores:>12,}")
    return lines


def _time(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.1f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def plan(path: str | Path, repository: Path, cores: int) -> Plan:
    """Print what a configuration takes, and return it."""
    config = load(path, repository)
    os.chdir(repository)
    parts, table = runs(config), costs.read(costs.FILE)
    # What a run is made of is read as it would be, because the number of genes is known to nobody else.
    cost_of = costs_of(parts, table, {part.name: check_run(part).study.X.shape for part in parts})
    found, grouped = (
        Plan(read_jobs(graph_of(path, repository, more), cost_of), table) for more in ({}, {"jobs": "trial"})
    )
    print("\n".join(as_lines(found, grouped, cores)), flush=True)
    return found


def main() -> None:
    """Plan the configuration named on the command line."""
    parser = argparse.ArgumentParser(description="Say what a configuration will take.")
    parser.add_argument("config", help="the configuration")
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1, help="of your machine (%(default)s)")
    arguments = parser.parse_args()
    try:
        plan(arguments.config, Path(__file__).parents[3], arguments.cores)
    except StudyError as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
