"""Repeat the nested cross-validation of a method on permuted outcomes, tuning included."""

from study.data.studyfile import Study
from study.evidence.permuted import permuted_trial
from study.command import command
from study.io import say
from study.io import write_json


def main(study: str, method: str, repetitions: list, results: str, settings: dict) -> None:
    """Write the repetitions."""
    study, done = Study.load(study), []
    for repetition in map(int, repetitions):
        done.append(permuted_trial(method, study, settings, repetition))
        say(f"permuted outcomes: {method}, repetition {repetition}")
    write_json(results, done)


if __name__ == "__main__":
    command(main)
