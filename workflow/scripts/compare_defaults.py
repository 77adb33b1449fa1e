"""Compare the defaults of the iterative methods in the folds of one trial."""

from study.data.studyfile import Study
from study.evidence.defaults import compare_in_trial
from study.run.command import command
from study.run.files import write_json


def main(study, trial, settings, results):
    write_json(results, compare_in_trial(Study.load(study), settings, int(trial)))


if __name__ == "__main__":
    command(main, trial="its number, from 1", results="file for a row per fold, method and value of a default")
