"""Judge the paper's claims by the curves of the synthetic experiments."""

from pathlib import Path

import pandas as pd

from study.command import command
from study.io import say, write_text
from study.simulation.verdicts import all_verdicts


def main(curves: list, table: str) -> None:
    verdicts = all_verdicts({Path(path).stem: pd.read_csv(path) for path in curves})
    write_text(table, verdicts.to_csv(index=False))
    for verdict in verdicts.itertuples():
        say(f"{verdict.figure}: {verdict.claim}: {verdict.verdict}. {verdict.found}. {verdict.detail}")


command(main)
