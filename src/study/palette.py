"""One colour and one name per method, the same in every figure and table."""

from __future__ import annotations

# Told apart by colour-blind readers; relatives have related hues: blue without the network, orange with it.
COLOURS = {
    "iht": "#0072B2",
    "sto-iht": "#56B4E9",
    "svrg-iht": "#004D7A",
    "scsg-iht": "#7FA8C9",
    "graph-iht": "#D55E00",
    "graph-sto-iht": "#E69F00",
    "graph-svrg-iht": "#A63603",
    "graph-scsg-iht": "#CC79A7",
    "t-top": "#999999",
    "t-graph": "#666666",
    "ridge": "#009E73",
    "l1": "#66C2A5",
    "elastic-net": "#2A6F4F",
    "graph-stability": "#6A3D9A",
}
LABELS = {
    "iht": "IHT",
    "sto-iht": "StoIHT",
    "svrg-iht": "SVRG-IHT",
    "scsg-iht": "SCSG-IHT",
    "graph-iht": "GraphIHT",
    "graph-sto-iht": "GraphStoIHT",
    "graph-svrg-iht": "GraphSVRG-IHT",
    "graph-scsg-iht": "GraphSCSG-IHT",
    "t-top": "t-top",
    "t-graph": "t-graph",
    "ridge": "ridge",
    "l1": "L1",
    "elastic-net": "elastic net",
    "graph-stability": "GraphStability",
}
NEUTRAL = "#444444"
REFIT = "+ridge"


def colour(method: str) -> str:
    """Return the colour of a method; a refit variant has that of its base, an unknown name a neutral one."""
    return COLOURS.get(method.removesuffix(REFIT), NEUTRAL)


def label(method: str) -> str:
    """Return the name of a method as the paper writes it; an unknown name stays as it is."""
    base = method.removesuffix(REFIT)
    return LABELS.get(base, base) + method[len(base) :]
