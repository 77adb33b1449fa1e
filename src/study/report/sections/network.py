"""The viewer of the genes that each method selects often, in the network."""

from __future__ import annotations

from markupsafe import Markup

from study.report.blocks import Section, Viewer, as_json, term
from study.report.frequencies import frequencies
from study.report.inputs import Inputs
from study.report.network_view import network_data


def section(inputs: Inputs) -> Section:
    """Return the viewer of the stable subnetwork of each method."""
    table = frequencies(inputs)
    title = ("network", "The network of stable genes", "Network")
    if not len(table):
        return Section(*title)
    caption = Markup(
        "Genes that a method selects in at least the chosen share of its folds, and the "
        "interactions of {network} among them. Size is the frequency{ring}; drag, zoom, search, or choose a gene to "
        "see its numbers. {tail} "
        "keeps a single fit's genes connected; genes above a frequency need not be."
    ).format(
        network=inputs.config["network"],
        ring=f", a ring marks a {inputs.known_gene}" if inputs.data["known_genes"] else "",
        tail=term("tail projection", "The tail projection"),
    )
    data = network_data(inputs, table)
    return Section(*title, figures=[Viewer(as_json(data | {"known": inputs.known_gene}), caption)])
