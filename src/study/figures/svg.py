"""Writing figures as SVG files."""

from __future__ import annotations

from pathlib import Path

import matplotlib
from matplotlib.figure import Figure

from study.run.files import replacing


def write_figure(path: str | Path, figure: Figure) -> None:
    """Write a figure as SVG; the same figure gives the same bytes."""
    options = {"svg.hashsalt": "graphiht", "svg.fonttype": "none", "font.family": "sans-serif"}
    with matplotlib.rc_context(options), replacing(path) as partial:
        figure.savefig(partial, format="svg", metadata={"Date": None, "Creator": None})
