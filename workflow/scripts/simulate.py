"""Run a part of one of the synthetic experiments."""

import json

from graphiht.network import Network
from study.command import command
from study.io import say
from study.io import read_arrays, write_text
from study.run.loading import load


def main(experiment: str, part: dict, study: list, settings: dict, output: str) -> None:
    """Write the table of the part, numbers to six digits."""
    if study:
        stored = read_arrays(study[0], ("edges", "symbol"))
        part["real"] = Network(stored["edges"], len(stored["symbol"]))
    run = load("study.simulation", experiment)
    table = run(settings["simulations"], settings["seed"], **part, report=say)
    write_text(output, table.to_csv(index=False, float_format="%.6g"))


if __name__ == "__main__":
    command(main)
