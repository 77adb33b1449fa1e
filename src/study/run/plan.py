"""What a configuration will take: jobs, core-hours, memory and time on some cores (`make plan`, `graphiht plan`)."""

from __future__ import annotations

import contextlib
import io
import os
from pathlib import Path
from typing import Any

from study.run import costs
from study.run.check import check_run
from study.run.command import on_configuration
from study.run.config import runs
from study.run.configuration import load
from study.run.schedule import SECONDS_PER_SUBMISSION, Plan, costs_of, read_jobs

# Cores of a submission, as in the profiles.
WIDTH = 1
MANY_CORES = (64, 512, 4096)


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


if __name__ == "__main__":
    on_configuration(plan, "Say what a configuration will take.")
