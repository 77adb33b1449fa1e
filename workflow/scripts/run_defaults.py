"""Compare the values of each default by cross-validation."""

from study.command import command
from study.data.studyfile import Study
from study.evidence.defaults import compare_in_trial
from study.io import say, write_json


def main(study: str, part: str, repetitions: list, settings: dict, results: str) -> None:
    patients, done = Study.load(study), []
    for repetition in map(int, repetitions):
        done += compare_in_trial(patients, settings, repetition)
        say(f"{part} values: repetition {repetition}")
    write_json(results, done)


command(main)
