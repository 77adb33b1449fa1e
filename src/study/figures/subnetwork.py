"""The small picture of the network: genes by name, their direction and how often they are selected."""

from itertools import pairwise

import networkx as nx
import numpy as np
import pandas as pd
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from study.figures.style import DASHED, FAINT, FEWER, INK, MORE, WIDTH, directions, styled, tell

HEIGHT = 4.0
FONT = 8.5
# Of a name's box, in inches: per letter, and around.
LETTER, PAD, TALL = 0.088, 0.12, 0.21
ROUNDS = 400


@styled
def subnetwork(genes: pd.DataFrame, edges: list[tuple[str, str]], is_grey: bool = False) -> Figure:
    """Return the genes as names in boxes, joined by the interactions among them.

    Red goes with more events when the gene is higher, blue with fewer; the fuller, the more folds select it. A dashed
    border marks a gene whose weight in the model has the opposite sign, a thick one a known gene.

    Parameters
    ----------
    genes : pd.DataFrame
        Columns symbol, frequency, more, opposite and known.
    edges : list of (str, str)
    is_grey : bool
        Whether to draw all genes grey, as of a model that is no better than chance.
    """
    names = genes["symbol"].tolist()
    sizes = np.array([(LETTER * len(name) + PAD, TALL) for name in names])
    places = arrange(names, edges, sizes)
    figure = Figure(figsize=(WIDTH, HEIGHT))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, WIDTH), ylim=(0, HEIGHT))
    axes.axis("off")
    at = dict(zip(names, places, strict=True))
    for a, b in edges:
        (line,) = axes.plot(*zip(at[a], at[b], strict=True), color=FAINT, linewidth=0.9, zorder=1)
        tell(line, f"{a} and {b} interact")
    for row in genes.itertuples():
        shade = FAINT if is_grey else MORE if row.more else FEWER
        marked = row.known or row.opposite
        full = max(0.0, min(1.0, (row.frequency - 0.4) / 0.6))
        ground = 1 - full * (1 - np.array(to_rgb(shade)))
        text = axes.text(
            *at[row.symbol], row.symbol, ha="center", va="center", fontsize=FONT, zorder=3,
            color="#ffffff" if full > 0.55 else INK, fontweight="bold" if row.known else "normal",
            bbox={
                "boxstyle": "round,pad=0.25", "facecolor": ground, "edgecolor": INK if marked else shade,
                "linewidth": 1.8 if marked else 0.8, "linestyle": DASHED if row.opposite else "-",
            },
        )  # fmt: skip
        tell(text, f"{row.symbol}: in {row.frequency:.0%} of the folds; {directions(row)}")
    return figure


def arrange(names: list[str], edges: list[tuple[str, str]], sizes: np.ndarray) -> np.ndarray:
    """Return a place for each name, in inches: neighbours near each other, no two boxes over each other if they fit."""
    graph = nx.Graph()
    graph.add_nodes_from(names)
    graph.add_edges_from(edges)
    # For the layout alone, parts that nothing joins hang together by their first names, the largest part first.
    parts = sorted(nx.connected_components(graph), key=lambda part: (-len(part), min(map(names.index, part))))
    graph.add_edges_from(pairwise(min(part, key=names.index) for part in parts))
    found = nx.kamada_kawai_layout(graph) if len(names) > 1 else {name: np.zeros(2) for name in names}
    places = np.array([found[name] for name in names])
    room = np.array([WIDTH, HEIGHT])
    half = sizes / 2 + 0.06
    spread = np.ptp(places, axis=0)
    places = (places - places.min(axis=0)) / np.where(spread > 0, spread, 1)
    places = half.max(axis=0) + places * (room - 2 * half.max(axis=0))
    for _ in range(ROUNDS):
        apart = places[:, None] - places[None, :]
        over = half[:, None] + half[None, :] - np.abs(apart)
        hit = (over > 1e-3).all(axis=2) & ~np.eye(len(names), dtype=bool)
        if not hit.any():
            break
        # Apart where it takes less; what lies exactly on another goes by its number.
        sign = np.where(
            apart == 0, np.sign(np.subtract.outer(range(len(names)), range(len(names))))[:, :, None], np.sign(apart)
        )
        least = over[:, :, 1] <= over[:, :, 0]
        push = np.stack([np.where(hit & ~least, over[:, :, 0], 0), np.where(hit & least, over[:, :, 1], 0)], axis=2)
        places += 0.3 * (push * sign).sum(axis=1)
        places = np.clip(places, half, room - half)
    return places.round(3)
