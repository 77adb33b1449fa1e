"""Figures that compare runs: accuracy of each, and the genes that recur."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from study.figures.style import FAINT, heat_map, styled
from study.methods import colour, label

def recurrent_genes(frequency: pd.DataFrame, weight: pd.DataFrame) -> Figure:
    """Return selection frequencies genes x runs with the sign of the weight; a run without the gene is blank."""
    text = np.select([weight > 0, weight < 0], ["+", "−"], "")
    bar = "share of folds that select the gene"
    return heat_map(frequency, bar, 0.26 * len(frequency) + 1.6, text, cmap="cividis_r", vmin=0, vmax=1)
