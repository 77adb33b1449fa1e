"""Simulate outcomes from connected gene sets, and see how much of each set every method finds."""

from study.data.studyfile import Study
from study.evidence.planted import run_draw
from study.command import command
from study.io import say
from study.io import write_json


def main(study: str, draws: list, results: str, settings: dict) -> None:
    """Write the draws."""
    study, done = Study.load(study), []
    for draw in map(int, draws):
        done += run_draw(study, settings, draw)
        say(f"planted sets: draw {draw} of {settings['planted']['draws']}")
    write_json(results, done)


if __name__ == "__main__":
    command(main)
