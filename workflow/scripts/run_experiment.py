"""Run a batch of repetitions of a part of an experiment."""

from study.command import command
from study.data.studyfile import Study
from study.evidence.experiments import RUNNERS
from study.io import say, write_json


def main(experiment: str, part: str, study: str, repetitions: list, settings: dict, results: str) -> None:
    patients, rows = Study.load(study), []
    for repetition in map(int, repetitions):
        rows += RUNNERS[experiment](part, patients, settings, repetition)
        say(f"{experiment}, {part}: repetition {repetition}")
    write_json(results, rows)


command(main)
