"""What runs one repetition of a part of each experiment, as rows for a JSON file."""

from study.evidence.controls import run_control
from study.evidence.permuted import permuted_trial
from study.evidence.planted import run_planted

RUNNERS = {
    "controls": run_control,
    "permuted": lambda method, study, settings, repetition: [permuted_trial(method, study, settings, repetition)],
    "planted": lambda part, study, settings, draw: [
        {"part": part} | row for row in run_planted(part, study, settings, draw)
    ],
}
