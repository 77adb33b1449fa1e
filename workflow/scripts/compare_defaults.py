"""Compare the values of each default by cross-validation, on the folds of one trial."""

from study.command import command
from study.data.studyfile import Study
from study.evidence.defaults import compare_in_trial
from study.io import write_json


def main(study: str, trial: int, settings: dict, results: str) -> None:
    write_json(results, compare_in_trial(Study.load(study), settings, trial))


command(main)
