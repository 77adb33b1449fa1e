"""When jobs end that wait for one another, on some cores: of one machine, or as the cluster profiles submit them.

Snakemake says which jobs there are and what waits for what, `study.run.costs` what each costs. Imports nothing heavy,
because the Snakefile reads it.
"""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Callable
from itertools import count
from typing import Any, NamedTuple

from study.run import costs
from study.run.config import Part, cohorts

# What a submitted job takes before and after its work: two Snakemakes start, and the one that submitted it looks every
# now and then whether it has ended.
SECONDS_PER_SUBMISSION = 30.0


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
