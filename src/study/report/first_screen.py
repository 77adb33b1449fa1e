"""The numbers of the first screen: accuracy, genes, the network, other cohorts, stability."""

from __future__ import annotations

import pandas as pd

from study.figures.evidence import CONTROLS
from study.figures.methods import GUESSING
from study.methods import GROUPS, HEADLINE, PAIRS, headline
from study.report.inputs import Inputs
from study.stats.paired import paired_difference

GRAPH, BASELINES = GROUPS
OFTEN = 0.9
STABLE = 0.5


def first_screen(inputs: Inputs) -> dict:
    """Return the values of the template `first_screen.html.j2`."""
    return {
        "failed": inputs.failed["method"].value_counts(sort=False).to_dict(),
        "best": [
            estimate(inputs, name)
            for name in dict.fromkeys([headline(inputs.methods), strongest_baseline(inputs)])
            if name
        ],
        "genes": often_selected(stable_genes(inputs)),
        "network": network_help(inputs),
        "external": held_elsewhere(inputs),
        "sure": how_sure(inputs),
    }


def accuracies(inputs: Inputs, names: list[str]) -> pd.DataFrame:
    """Return a row per method: its mean AUC over the folds, with an interval corrected for overlapping folds."""
    rows = []
    for name in names:
        values = inputs.metrics.loc[inputs.metrics["method"] == name, "auc"]
        mean = paired_difference(values, 0.0, inputs.config["folds"])
        low, high = max(mean["low"], 0.0), min(mean["high"], 1.0)
        rows.append({"method": name, "value": mean["difference"], "low": low, "high": high})
    return pd.DataFrame(rows)


def estimate(inputs: Inputs, name: str) -> dict:
    """Return a method's AUC with its interval, and its mean number of genes; `genes` is None if it takes all."""
    (row,) = accuracies(inputs, [name]).to_dict("records")
    genes = inputs.over_all.set_index("method").loc[name, "n_nonzero_mean"] if name in inputs.selecting else None
    return row | {"genes": genes}


def strongest_baseline(inputs: Inputs) -> str | None:
    """Return the baseline of largest mean AUC, chosen by the result and so in its favour; None if none was run."""
    over_all = inputs.over_all.set_index("method")["auc_mean"]
    present = [name for name in GROUPS[BASELINES] if name in over_all.index]
    return over_all[present].idxmax() if present else None


def shown_first(inputs: Inputs) -> list[str]:
    """Return the methods of the first figure: the headline, the same without the network, the strongest baseline."""
    chosen = headline(inputs.methods)
    names = [chosen, PAIRS.get(chosen), strongest_baseline(inputs)]
    return [name for name in dict.fromkeys(names) if name in inputs.methods]


def stable_genes(inputs: Inputs) -> pd.DataFrame:
    """Return the genes that the headline method selects in at least half of the folds, the most frequent first."""
    table = inputs.frequencies
    own = table[table["method"] == headline(list(dict.fromkeys(table["method"])))]
    return own[own["frequency"] >= STABLE].sort_values("frequency", ascending=False, kind="stable")


def often_selected(genes: pd.DataFrame) -> dict | None:
    """Return the genes that more than nine of ten folds select, by direction; None when no method selects."""
    if not len(genes):
        return None
    often = genes[genes["frequency"] > OFTEN]
    more = often["mean_weight"] > 0
    return {"more": often.loc[more, "symbol"].tolist(), "fewer": often.loc[~more, "symbol"].tolist()}


def network_pairs(inputs: Inputs) -> pd.DataFrame:
    """Return the paired difference graph - plain of the AUC for each method that ran both ways."""
    rows = []
    by_method = inputs.metrics.set_index(["trial", "fold"]).groupby("method")["auc"]
    for graph, plain in PAIRS.items():
        if {graph, plain} <= set(by_method.groups):
            first, second = by_method.get_group(graph), by_method.get_group(plain)
            common = first.index.intersection(second.index)
            if len(common) > 1:
                difference = paired_difference(first.loc[common], second.loc[common], inputs.config["folds"])
                rows.append({"graph": graph, "plain": plain, **difference})
    return pd.DataFrame(rows, columns=["graph", "plain", "difference", "error", "low", "high", "p"])


def difference_row(inputs: Inputs, a: str, b: str) -> dict | None:
    """Return the AUC of a minus that of b with interval and verdict, from the tests of every pair; None if untested."""
    table = inputs.evidence.get("differences")
    if table is None:
        return None
    for (first, second), sign in (((a, b), 1), ((b, a), -1)):
        found = table[(table["metric"] == "auc") & (table["method_a"] == first) & (table["method_b"] == second)]
        if len(found):
            row = found.iloc[0]
            low, high = (row["low"], row["high"]) if sign > 0 else (-row["high"], -row["low"])
            return {"difference": sign * row["difference"], "low": low, "high": high, "verdict": row["verdict"]}
    return None


def network_help(inputs: Inputs) -> dict | None:
    """Return the difference that the network makes to the headline method, and its AUC on random networks."""
    chosen = headline(inputs.methods)
    row = difference_row(inputs, chosen, PAIRS[chosen]) if chosen in PAIRS else None
    if row is None:
        return None
    controls = inputs.evidence.get("controls", pd.DataFrame(columns=["method", "control"]))
    own = controls[controls["method"] == chosen].set_index("control")
    has_both = {"real", "network"} <= set(own.index)
    random = {"real": own.loc["real"].to_dict(), "network": own.loc["network"].to_dict()} if has_both else None
    return row | {"random": random}


def control_rows(controls: pd.DataFrame | None) -> dict | None:
    """Return the rows of the controls for the graph methods together, and of the real data without a network."""
    if controls is None:
        return None
    together = controls[controls["method"] == GRAPH].set_index("control").to_dict("index")
    without = controls[(controls["control"] == "real") & (controls["method"] == PAIRS[HEADLINE])]
    return dict.fromkeys(CONTROLS) | together | {"without": without.iloc[0].to_dict() if len(without) else None}


def held_elsewhere(inputs: Inputs) -> dict | None:
    """Return the AUC of the headline model in other cohorts, and the shares of random gene sets that do as well."""
    table, sets = (inputs.evidence.get(name) for name in ("external", "random_sets"))
    if table is None:
        return None
    model = headline(list(dict.fromkeys(table["model"])))
    rows = table[table["model"] == model]
    shares = sets.loc[sets["model"] == model, "share_as_good"].tolist() if sets is not None else []
    return {"cohorts": rows.to_dict("records"), "holds": int((rows["low"] > GUESSING).sum()), "shares": shares}


def how_sure(inputs: Inputs) -> dict | None:
    """Return how many genes are stable, and the stability of the gene sets; None when no method selects."""
    genes, name = stable_genes(inputs), headline(inputs.selecting)
    if not len(genes) or name is None:
        return None
    table = inputs.evidence.get("stability")
    stability = {} if table is None else table.set_index("method")["nogueira"].to_dict()
    return {
        "stable": len(genes),
        "often": int((genes["frequency"] > OFTEN).sum()),
        "stability": stability.get(name),
        "permuted": inputs.permuted_stability.get(name),
    }
