"""Judge the paper's claims by the curves of the synthetic experiments."""

from pathlib import Path

import pandas as pd

from study.command import command
from study.io import say
from study.io import write_text
from study.simulation.judging import Verdict
from study.simulation.verdicts import all_verdicts


def main(curves: list, output: str) -> None:
    """Write a verdict per claim."""
    verdicts = all_verdicts({Path(path).stem: pd.read_csv(path) for path in curves})
    write_text(output, pd.DataFrame(verdicts, columns=Verdict._fields).to_csv(index=False))
    for verdict in verdicts:
        say(f"{verdict.figure}: {verdict.claim}: {verdict.verdict}. {verdict.found}. {verdict.detail}")


if __name__ == "__main__":
    command(main)
