"""Say where the time of the run went: fits, start-up of jobs, and everything between them."""

import json
import os
import sys
import time

from study.run.command import parser, run
from study.run.cost import breakdown, cost_table, read_benchmark
from study.run.files import read_json, write_json
from study.run.progress import VARIABLE


def main() -> None:
    made = parser(__doc__, output="file for the breakdown")
    made.add_argument("--timings", required=True, nargs="+", help="timing file of every method and trial")
    made.add_argument(
        "--benchmarks", required=True, nargs="+", help="Snakemake's benchmark files, in the same order"
    )
    arguments = made.parse_args()
    timings = [read_json(path) for path in arguments.timings]
    jobs = {
        (timing["method"], timing["trial"]): read_benchmark(path)
        for timing, path in zip(timings, arguments.benchmarks, strict=True)
    }
    start = json.loads(os.environ.get(VARIABLE, '{"before": 1, "cores": 1}'))
    wall = time.time() - start["started"] if start["before"] == 0 else None
    table = cost_table(timings, jobs)
    whole = breakdown(table, wall, start["cores"])
    write_json(arguments.output, {"run": whole, "methods": table})
    if wall is not None:
        print(
            f"{wall / 60:.1f} min on {start['cores']} cores; {whole['seconds_in_fits']:.0f} s inside fits, "
            f"overhead {whole['overhead']:.0%}",
            file=sys.stderr,
        )


if __name__ == "__main__":
    run(main)
