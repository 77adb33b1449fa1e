"""Run the nested cross-validation of one of scikit-learn's models on the folds of one trial."""

from study.cv.penalised import Peer
from study.cv.splits import Splits
from study.cv.trials import score_trial
from study.data.studyfile import Study
from study.run.command import add_settings, parser, run
from study.run.files import write_json
from study.run.progress import report


def main() -> None:
    made = parser(
        __doc__,
        study="the study file",
        splits="the folds",
        method="ridge, l1 or elastic-net",
        timing="file for the seconds taken",
    )
    made.add_argument("--trial", required=True, type=int, help="number of the trial, from 1")
    made.add_argument("--output", required=True, nargs="+", help="a file per fold, in their order")
    add_settings(made)
    arguments = made.parse_args()
    took = score_trial(
        arguments.method,
        Peer(arguments.method),
        Study.load(arguments.study),
        Splits.load(arguments.splits),
        arguments.trial,
        arguments.settings,
        arguments.output,
    )
    write_json(arguments.timing, took)
    report()


if __name__ == "__main__":
    run(main)
