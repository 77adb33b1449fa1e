"""Run a part of a synthetic experiment."""

from graphiht.network import Network
from study.command import command
from study.io import read_arrays, write_text
from study.simulation.run import RUNNERS


def main(experiment: str, part: dict, seed: int, study: list, table: str) -> None:
    if study:
        stored = read_arrays(study[0], ("edges", "symbol"))
        part["real"] = Network(stored["edges"], len(stored["symbol"]))
    frame = RUNNERS[experiment](seed, **part)
    write_text(table, frame.to_csv(index=False, float_format="%.6g"))


command(main)
