"""Score the fits that several methods have in common: the full gradient, one block, on one trial."""

from study.catalogue import score_shared
from study.cv.splits import Splits
from study.data.studyfile import Study
from study.run.command import add_settings, parser, run
from study.run.files import write_json
from study.run.jobs import start_numba_without_scipy
from study.run.progress import report


def main() -> None:
    start_numba_without_scipy()
    made = parser(
        __doc__,
        study="the study file",
        splits="the folds",
        output="file for the out-of-fold scores",
        timing="file for the seconds taken",
    )
    made.add_argument("--part", required=True, choices=["top", "graph"], help="projection of the shared fits")
    made.add_argument("--trial", required=True, type=int, help="number of the trial, from 1")
    add_settings(made)
    arguments = made.parse_args()
    study, splits = Study.load(arguments.study), Splits.load(arguments.splits)
    took = score_shared(arguments.part, study, splits, arguments.trial, arguments.settings, arguments.output)
    write_json(arguments.timing, took)
    report()


if __name__ == "__main__":
    run(main)
