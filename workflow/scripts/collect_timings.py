"""Gather what every fold cost, and say where the time of the run went: fits, start-up of jobs, everything between
them.
"""

import time
from pathlib import Path

import pandas as pd

from study import tables
from study.run.command import command, say
from study.run.cost import breakdown, cost_table, read_benchmark
from study.run.files import read_json, write_json


def main(timings, benchmarks, progress, run, cost):
    """Write the table and the breakdown."""
    table = pd.DataFrame([read_json(path) for path in timings])
    tables.write(run, "timings", table)
    start = read_json(progress) if Path(progress).is_file() else {"before": 1, "cores": 1}
    # A run that found fits already done cannot say what they took, nor one that shared the machine with others.
    wall = time.time() - start["started"] if start["before"] == 0 and len(start["timings"]) == 1 else None
    methods = cost_table(table, {str(path): read_benchmark(path) for path in sorted(Path(benchmarks).rglob("*.tsv"))})
    whole = breakdown(methods, wall, start["cores"])
    write_json(cost, {"run": whole, "methods": methods})
    if wall is not None:
        say(
            f"{wall / 60:.1f} min on {start['cores']} cores so far; {whole['seconds_in_fits']:.0f} s inside fits, "
            f"overhead {whole['overhead']:.0%}"
        )


if __name__ == "__main__":
    command(
        main,
        timings=["timing file of every method, trial and fold"],
        benchmarks="folder of Snakemake's benchmark files of the fit jobs",
        cost="file for the breakdown",
    )
