"""Run repetitions of a negative control: the cross-validation of fixed settings on changed labels or networks."""

import sys

from study.data.studyfile import Study
from study.evidence.controls import CONTROLS, run_control
from study.run.command import add_settings, parser, run
from study.run.files import write_json


def main() -> None:
    made = parser(__doc__, study="the study file", output="file for the results")
    made.add_argument("--control", required=True, choices=CONTROLS, help="what is changed")
    made.add_argument("--repetitions", required=True, nargs="+", type=int, help="their numbers, from 1")
    add_settings(made)
    arguments = made.parse_args()
    study, settings = Study.load(arguments.study), arguments.settings
    total = settings["controls"]["repetitions"] if arguments.control in ("labels", "network") else 1
    results = []
    for repetition in arguments.repetitions:
        found = run_control(arguments.control, study, settings, repetition)
        seconds = sum(result["seconds"] for result in found)
        print(
            f"control {arguments.control}: repetition {repetition} of {total}, {seconds:.1f} s",
            file=sys.stderr,
            flush=True,
        )
        results += found
    write_json(arguments.output, results)


if __name__ == "__main__":
    run(main)
