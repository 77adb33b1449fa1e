"""Join the parts of one of the synthetic experiments, and draw it."""

from pathlib import Path

import pandas as pd

from study.figures.style import to_svg
from study.command import command
from study.io import write_text
from study.run.loading import load


def main(name: str, drawing: str, parts: list, settings: dict, tables: list, figures: list) -> None:
    """Write tables, numbers to six digits, and figures."""
    joined = pd.concat([pd.read_csv(path) for path in parts], ignore_index=True)
    made_of_parts, drawn = load("study.figures", drawing)(joined, settings["simulations"], name)
    for path, table in zip(tables, made_of_parts, strict=True):
        write_text(path, table.to_csv(index=False, float_format="%.6g"))
    for path, figure in zip(figures, drawn, strict=True):
        write_text(path, to_svg(figure, Path(path).stem))


if __name__ == "__main__":
    command(main)
