"""Simulate outcomes from connected gene sets, and count how much of each set the methods find."""

from study.command import command
from study.data.studyfile import Study
from study.evidence.planted import run_draw
from study.io import say, write_json


def main(study: str, part: str, repetitions: list, settings: dict, results: str) -> None:
    patients, done = Study.load(study), []
    for repetition in map(int, repetitions):
        done += run_draw(patients, settings, repetition)
        say(f"{part} planted sets: repetition {repetition}")
    write_json(results, done)


command(main)
