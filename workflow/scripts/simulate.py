"""Run a part of one of the synthetic experiments."""

import json

from graphiht.network import Network
from study.run.command import command, say
from study.run.files import read_arrays, write_text
from study.run.loading import load


def main(experiment, part, study, settings, output):
    """Write the table of the part, numbers to six digits."""
    if study:
        stored = read_arrays(study[0], ("edges", "symbol"))
        part["real"] = Network(stored["edges"], len(stored["symbol"]))
    run = load("study.simulation", experiment)
    table = run(settings["simulations"], settings["seed"], **part, report=say)
    write_text(output, table.to_csv(index=False, float_format="%.6g"))


if __name__ == "__main__":
    command(
        main,
        experiment="what runs it, module:function",
        part=(json.loads, "which part of it, as JSON"),
        study=["study file whose network stands among the families of graphs"],
        output="table to write",
    )
