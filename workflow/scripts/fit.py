"""Run the nested cross-validation of one method on the folds of one trial."""

import platform
import time

from study.command import add_settings, parser, run
from study.files import write_json
from study.nested import grid_size, score_fold
from study.splits import Splits
from study.studyfile import Study


def main() -> None:
    made = parser(
        __doc__,
        study="the study file",
        splits="the folds",
        method="name of the method",
        timing="file for the seconds taken",
    )
    made.add_argument("--trial", required=True, type=int, help="number of the trial, from 1")
    made.add_argument("--output", required=True, nargs="+", help="a file per fold, in their order")
    add_settings(made)
    arguments = made.parse_args()
    study, splits, settings = Study.load(arguments.study), Splits.load(arguments.splits), arguments.settings
    seconds = []
    for fold, output in enumerate(arguments.output, start=1):
        start = time.perf_counter()
        write_json(
            output, score_fold(arguments.method, study.X, study.y, splits, arguments.trial, fold, settings)
        )
        seconds.append(time.perf_counter() - start)
    fits = grid_size(arguments.method, settings) * splits.n_inner + 1
    timing = {
        "method": arguments.method,
        "trial": arguments.trial,
        "fits_per_fold": fits,
        "seconds": seconds,
        "host": platform.node(),
        "finished": time.strftime("%Y-%m-%dT%H:%M:%S%z"),
    }
    write_json(arguments.timing, timing)


if __name__ == "__main__":
    run(main)
