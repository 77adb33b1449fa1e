"""Run repetitions of a negative control: the cross-validation of fixed settings on changed labels or networks."""

from study.data.studyfile import Study
from study.evidence.controls import run_control
from study.command import command
from study.io import say
from study.io import write_json


def main(study: str, control: str, repetitions: list, results: str, settings: dict) -> None:
    study, done = Study.load(study), []
    total = settings["controls"]["repetitions"] if control in ("labels", "network") else 1
    for repetition in map(int, repetitions):
        done += run_control(control, study, settings, repetition)
        seconds = sum(result["seconds"] for result in done if result["repetition"] == repetition)
        say(f"control {control}: repetition {repetition} of {total}, {seconds:.1f} s")
    write_json(results, done)


if __name__ == "__main__":
    command(main)
