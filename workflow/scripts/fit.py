"""Run the nested cross-validation of one method on the folds of one trial."""

from study.catalogue import make_learner, read_shared
from study.cv.splits import Splits
from study.cv.trials import score_trial
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
        method="name of the method",
        timing="file for the seconds taken",
    )
    made.add_argument("--trial", required=True, type=int, help="number of the trial, from 1")
    made.add_argument("--shared", nargs="*", default=[], help="scores of the fits that methods share")
    made.add_argument("--output", required=True, nargs="+", help="a file per fold, in their order")
    add_settings(made)
    arguments = made.parse_args()
    study, settings = Study.load(arguments.study), arguments.settings
    if not arguments.method.endswith("iht"):
        settings["refit"] = False
    took = score_trial(
        arguments.method,
        make_learner(arguments.method, study, settings),
        study,
        Splits.load(arguments.splits),
        arguments.trial,
        settings,
        arguments.output,
        read_shared(arguments.shared[0]) if arguments.shared else None,
    )
    write_json(arguments.timing, took)
    report()


if __name__ == "__main__":
    run(main)
