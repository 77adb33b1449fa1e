"""Repeat the nested cross-validation of a method on permuted outcomes."""

from study.command import command
from study.data.studyfile import Study
from study.evidence.permuted import permuted_trial
from study.io import say, write_json


def main(study: str, part: str, repetitions: list, settings: dict, results: str) -> None:
    patients, done = Study.load(study), []
    for repetition in map(int, repetitions):
        done += [permuted_trial(part, patients, settings, repetition)]
        say(f"{part}: repetition {repetition}")
    write_json(results, done)


command(main)
