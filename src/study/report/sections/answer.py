"""The first screen, and every method in numbers under it."""

import pandas as pd

from study.evidence.paper import picked_difference
from study.figures.forest import forest
from study.figures.methods import GUESSING
from study.figures.subnetwork import subnetwork
from study.methods import METHODS, RULE, SHARED, uses_network
from study.metrics import METRICS
from study.report.blocks import Column, Section
from study.report.columns import columns
from study.report.first_screen import (
    BASELINES,
    GRAPH,
    accuracies,
    control_rows,
    first_screen,
    network_pairs,
    shown_first,
    stable_genes,
)
from study.report.inputs import Inputs, first_method
from study.report.show import spread

SHOWN_GENES = 30


def section(inputs: Inputs) -> Section:
    """Return the genes in the network, how well they predict, and what the fold below holds."""
    frame = overview(inputs)
    shown = Section(numbers=first_screen(inputs))
    shown.numbers |= draw_subnetwork(shown, inputs, stable_genes(inputs), shown.numbers["by_chance"])
    names = shown_first(inputs)
    for id_, methods in (("headline-accuracy", names), ("accuracy", inputs.methods)):
        shown.draw(id_, forest(accuracies(inputs, methods), f"{inputs.leading_name} in patients never seen", GUESSING))
    # Cohorts of other diseases come without known genes.
    extra = ["permuted_stability"] if inputs.permuted_stability else []
    extra += ["known_genes"] if inputs.data["known_genes"] else []
    metrics = dict.fromkeys((inputs.leading, "auc", "balanced_error_tuned", "n_nonzero"))
    heads = [*columns("method"), *map(_metric_column, metrics), *columns(" ".join(["stability", *extra]))]
    heads += [_metric_column("balanced_error"), *columns("milliseconds_per_fit one_block")]
    shown.tabulate("summary", frame, heads)
    shown.numbers |= {
        "rule": RULE if uses_network(names[0]) else "",
        "first_method": names[0],
        "pairs": network_pairs(inputs),
        "controls": control_rows(inputs.table("controls")),
        "picked": picked_numbers(inputs),
    }
    return shown


def overview(inputs: Inputs) -> pd.DataFrame:
    """Return a row per method: its metrics over all folds, stability, known genes, cost, blocks."""
    frame = inputs.over_all.drop(columns=["trial", "folds", "failed_folds"]).reset_index(drop=True)
    genes, methods = inputs.genes, frame["method"]
    found = genes[genes["symbol"].isin(inputs.data["known_genes"])].groupby("method")["symbol"].nunique()
    blocks = inputs.metrics.dropna(subset="n_blocks").groupby("method")["n_blocks"]
    return frame.assign(
        stability=methods.map(inputs.table("stability").set_index("method")["nogueira"]),
        permuted_stability=methods.map(inputs.permuted_stability),
        known_genes=methods.map(found).fillna(0).where(methods.isin(inputs.selecting)),
        milliseconds_per_fit=methods.map(per_fit(inputs.timings, inputs.config["n_blocks"])),
        one_block=methods.map(blocks.agg(lambda numbers: (numbers == 1).mean())),
    )


def per_fit(timings: pd.DataFrame, n_blocks: list[int]) -> dict[str, float]:
    """Return milliseconds per fit of each method, including the fits it shares with others."""
    sums = timings.groupby("method", sort=False)[["seconds", "fits"]].sum()
    milliseconds = {}
    for name in sums.index:
        shared = METHODS[name].shared_part(n_blocks) if name in METHODS else None
        counted = [key for key in (name, f"{SHARED}{shared}") if key in sums.index]
        whole = sums.loc[counted].sum()
        milliseconds[name] = 1000 * whole["seconds"] / whole["fits"]
    return milliseconds


def _metric_column(metric: str) -> Column:
    """Return a column of mean ± std; no cell is bold, because the best mean need not be better."""

    def of_row(record: dict) -> str:
        return spread(record[f"{metric}_mean"], record[f"{metric}_std"], METRICS[metric].digits)

    head = "Genes" if metric == "n_nonzero" else METRICS[metric].label
    return Column(f"{metric}_mean", head, of_row=of_row)


def draw_subnetwork(shown: Section, inputs: Inputs, genes: pd.DataFrame, by_chance: bool) -> dict:
    """Add the picture of the stable genes in the network, if there are any; return the numbers of its caption.

    The genes of a model that is no better than chance are grey.
    """
    if not len(genes):
        return {"drawn": None}
    drawn = genes.head(SHOWN_GENES)
    names = set(drawn["symbol"])
    pairs = inputs.study.symbol[inputs.study.edges]
    edges = [(str(a), str(b)) for a, b in pairs.tolist() if a in names and b in names]
    shown.draw("subnetwork", subnetwork(drawn, edges, by_chance))
    numbers = {
        "genes": len(drawn),
        "others": len(genes) - len(drawn),
        "method": first_method(genes),
        "least": drawn["frequency"].min(),
        "most": drawn["frequency"].max(),
        "known": bool(drawn["known"].any()),
        "opposite": int(drawn["opposite"].sum()),
    }
    return {"drawn": numbers}


def picked_numbers(inputs: Inputs) -> dict | None:
    """Return the picked graph method and the picked baseline; None if one of the two groups was not run."""
    differences = picked_difference(inputs.picked, inputs.config["folds"])
    if not differences:
        return None
    means = inputs.picked.groupby("group")[["auc", "balanced_error_tuned"]].mean()
    return {
        metric: differences[metric] | {"graph": means.loc[GRAPH, metric], "baseline": means.loc[BASELINES, metric]}
        for metric in means.columns
    }
