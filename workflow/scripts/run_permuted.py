"""Repeat the nested cross-validation of a method on permuted outcomes, tuning included."""

from study.data.studyfile import Study
from study.evidence.permuted import permuted_trial
from study.run.command import command, say
from study.run.files import write_json


def main(study, method, repetitions, results, settings):
    """Write the repetitions."""
    study, done = Study.load(study), []
    for repetition in map(int, repetitions):
        done.append(permuted_trial(method, study, settings, repetition))
        say(f"permuted outcomes: {method}, repetition {repetition}")
    write_json(results, done)


if __name__ == "__main__":
    command(
        main,
        method="the method",
        repetitions=["their numbers, from 1"],
        results="file for the results",
    )
