"""Join the parts of a synthetic experiment into tables, and draw its figures."""

from pathlib import Path

import pandas as pd

from study.command import command
from study.figures.recovery import DRAWINGS
from study.figures.style import to_svg
from study.io import write_text


def main(experiment: str, parts: list, tables: list, figures: list) -> None:
    joined = pd.concat([pd.read_csv(path) for path in parts], ignore_index=True)
    frames, drawn = DRAWINGS[experiment](joined)
    for path, frame in zip(tables, frames, strict=True):
        write_text(path, frame.to_csv(index=False, float_format="%.6g"))
    for path, figure in zip(figures, drawn, strict=True):
        write_text(path, to_svg(figure, Path(path).stem))


command(main)
