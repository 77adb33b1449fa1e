"""Compare the defaults of the iterative methods in the folds of one trial."""

from study.data.studyfile import Study
from study.evidence.defaults import compare_in_trial
from study.command import command
from study.io import write_json


def main(study: str, trial: str, settings: dict, results: str) -> None:
    write_json(results, compare_in_trial(Study.load(study), settings, int(trial)))


if __name__ == "__main__":
    command(main)
