"""The numbers of the first screen: accuracy, genes, the network, other cohorts, stability."""

from __future__ import annotations

import pandas as pd

from study.figures.evidence import CONTROLS
from study.figures.methods import GUESSING
from study.methods import GROUPS, HEADLINE, PAIRS, headline
from study.report.inputs import Inputs, first_method
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
    own = table[table["method"] == first_method(table)]
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
    rows, wide = [], inputs.metrics.pivot(index=["trial", "fold"], columns="method", values="auc")
    for graph, plain in PAIRS.items():
        both = wide[[graph, plain]].dropna() if {graph, plain} <= set(wide) else wide.iloc[:0]
        if len(both) > 1:
            rows.append({"graph": graph, **paired_difference(both[graph], both[plain], inputs.config["folds"])})
    return pd.DataFrame(rows, columns=["graph", "difference", "low", "high"])


def differences_of(inputs: Inputs, name: str) -> pd.DataFrame:
    """Return the AUC of a method minus that of each other one, with interval and verdict, by the other one's name."""
    table = inputs.table("differences").query("metric == 'auc'")
    minus = table[table["method_b"] == name].set_index("method_a")
    minus = minus.assign(difference=-minus["difference"], low=-minus["high"], high=-minus["low"])
    rows = pd.concat([table[table["method_a"] == name].set_index("method_b"), minus])
    return rows.loc[
        [other for other in inputs.methods if other in rows.index], ["difference", "low", "high", "verdict"]
    ]


def network_help(inputs: Inputs) -> dict | None:
    """Return the difference that the network makes to the headline method, and its AUC on random networks."""
    chosen = headline(inputs.methods)
    rows, plain = differences_of(inputs, chosen), PAIRS.get(chosen)
    if plain not in rows.index:
        return None
    controls = inputs.table("controls").query("method == @chosen").set_index("control").to_dict("index")
    random = controls if {"real", "network"} <= set(controls) else None
    return rows.loc[plain].to_dict() | {"random": random}


def control_rows(controls: pd.DataFrame) -> dict | None:
    """Return the rows of the controls for the graph methods together, and of the real data without a network."""
    if controls.empty:
        return None
    together = controls[controls["method"] == GRAPH].set_index("control").to_dict("index")
    without = controls[(controls["control"] == "real") & (controls["method"] == PAIRS[HEADLINE])]
    return dict.fromkeys(CONTROLS) | together | {"without": without.iloc[0].to_dict() if len(without) else None}


def held_elsewhere(inputs: Inputs) -> dict | None:
    """Return the AUC of the headline model in other cohorts, and the shares of random gene sets that do as well."""
    table, sets = inputs.table("external"), inputs.table("random_sets")
    if table.empty:
        return None
    model = first_method(table, "model")
    rows = table[table["model"] == model]
    shares = sets.loc[sets["model"] == model, "share_as_good"].tolist()
    return {"cohorts": rows.to_dict("records"), "holds": int((rows["low"] > GUESSING).sum()), "shares": shares}


def how_sure(inputs: Inputs) -> dict | None:
    """Return how many genes are stable, and the stability of the gene sets; None when no method selects."""
    genes, name = stable_genes(inputs), headline(inputs.selecting)
    if not len(genes):
        return None
    return {
        "stable": len(genes),
        "often": int((genes["frequency"] > OFTEN).sum()),
        "stability": inputs.table("stability").set_index("method")["nogueira"].get(name),
        "permuted": inputs.permuted_stability.get(name),
    }
