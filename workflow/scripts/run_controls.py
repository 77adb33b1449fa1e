"""Cross-validate fixed settings with permuted labels or a changed network."""

from study.command import command
from study.data.studyfile import Study
from study.evidence.controls import run_control
from study.io import say, write_json


def main(study: str, part: str, repetitions: list, settings: dict, results: str) -> None:
    patients, done = Study.load(study), []
    for repetition in map(int, repetitions):
        done += run_control(part, patients, settings, repetition)
        say(f"{part}: repetition {repetition}")
    write_json(results, done)


command(main)
