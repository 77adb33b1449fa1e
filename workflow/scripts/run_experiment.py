"""Run a batch of repetitions of a part of an experiment."""

from study.command import command
from study.data.studyfile import Study
from study.evidence.controls import run_control
from study.evidence.permuted import permuted_trial
from study.evidence.planted import run_planted
from study.io import say, write_json

RUNNERS = {"controls": run_control, "permuted": lambda *of: [permuted_trial(*of)], "planted": run_planted}


def main(experiment: str, part: str, study: str, repetitions: list, settings: dict, results: str) -> None:
    patients, rows = Study.load(study), []
    for repetition in map(int, repetitions):
        rows += RUNNERS[experiment](part, patients, settings, repetition)
        say(f"{experiment}, {part}: repetition {repetition}")
    write_json(results, rows)


command(main)
