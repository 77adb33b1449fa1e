"""Run the nested cross-validation of one of scikit-learn's models on the folds of one trial."""

from study.command import add_settings, parser, run
from study.files import write_json
from study.peers import Peer
from study.progress import report
from study.splits import Splits
from study.studyfile import Study
from study.trials import score_trial


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
