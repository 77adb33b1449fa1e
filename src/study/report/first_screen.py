"""The numbers of the first screen: accuracy, genes, the network, other cohorts, stability."""

import pandas as pd

from study.cv.outcome import Outcome
from study.evidence.left_out import ALL
from study.figures.evidence import CONTROLS
from study.figures.methods import GUESSING
from study.methods import COMPANION, COVARIATES, GROUPS, HEADLINE, PAIRS, find, headline
from study.report.inputs import Inputs, first_method
from study.stats.paired import paired_difference

GRAPH, BASELINES = GROUPS
OFTEN = 0.9
STABLE = 0.5
LEVEL = 0.05
# Genes are special if a smaller share of random sets than this reaches the AUC of the model.
SPECIAL = 0.05


def first_screen(inputs: Inputs) -> dict:
    """Return the values of the template `first_screen.html.j2`."""
    names = (headline(inputs.methods), strongest_baseline(inputs))
    best = accuracies(inputs, [name for name in dict.fromkeys(names) if name]).to_dict("records")
    return {
        "failed": inputs.failed["method"].value_counts(sort=False).to_dict(),
        "best": best,
        "by_chance": by_chance(inputs),
        "genes": often_selected(stable_genes(inputs)),
        "network": network_help(inputs),
        "external": held_elsewhere(inputs),
        "sure": how_sure(inputs),
        "early": Outcome.of(inputs.study, inputs.config).warning,
        "added": added_to_covariates(inputs),
        "all_genes": on_all_genes(inputs),
    }


def accuracies(inputs: Inputs, names: list[str]) -> pd.DataFrame:
    """Return a row per method: its mean AUC or concordance over the folds, and its mean number of genes.

    The interval is corrected for overlapping folds. The number of genes is empty if the method takes all.
    """
    rows, sizes = [], inputs.over_all.set_index("method")["n_nonzero_mean"]
    genes = sizes[(sizes == 0) | sizes.index.isin(inputs.selecting)]
    for name in names:
        values = inputs.metrics.loc[inputs.metrics["method"] == name, inputs.leading]
        rows.append({"method": name, **_mean_over_folds(inputs, values), "genes": genes.get(name)})
    return pd.DataFrame(rows)


def _mean_over_folds(inputs: Inputs, values: pd.Series) -> dict:
    mean = paired_difference(values, 0.0, inputs.config["folds"])
    return {"value": mean["difference"], "low": max(mean["low"], 0.0), "high": min(mean["high"], 1.0)}


def on_all_genes(inputs: Inputs) -> dict | None:
    """Return how ridge does on all genes of the cohort, in the network or not, and how many these are."""
    table = inputs.table("all_genes")
    return _mean_over_folds(inputs, table["value"]) | {"genes": table["n_genes"].max()} if len(table) else None


def is_chance(accuracy: dict) -> bool:
    """Return whether an AUC or a concordance is no better than chance by its 95 % interval."""
    return bool(accuracy["low"] <= GUESSING)


def by_chance(inputs: Inputs) -> bool:
    """Return whether the model shown first is no better than chance, so that its genes are grey."""
    chosen = headline(inputs.methods)
    over = inputs.table("left_out_summary")
    keys = {"round": "all", "cohorts": ALL, "of": "value", "metric": "auc_horizon", "method": chosen}
    over = over[(over[list(keys)] == pd.Series(keys)).all(axis=1)]
    return is_chance((over if len(over) else accuracies(inputs, [chosen])).iloc[0].to_dict())


def strongest_baseline(inputs: Inputs) -> str | None:
    """Return the baseline of largest mean AUC or concordance, a choice in its favour; None if none was run."""
    over_all = inputs.over_all.set_index("method")[f"{inputs.leading}_mean"]
    present = [name for name in GROUPS[BASELINES] if name in over_all.index]
    return over_all[present].idxmax() if present else None


def shown_first(inputs: Inputs) -> list[str]:
    """Return the methods of the first figure: the headline, the same without the network, the companion of the
    headline, the strongest baseline.
    """
    chosen = headline(inputs.methods)
    names = [chosen, PAIRS.get(chosen), COMPANION, strongest_baseline(inputs)]
    return [name for name in dict.fromkeys(names) if name in inputs.methods]


def with_companion(names: list[str]) -> list[str]:
    """Return the headline of some methods and, if it is among them, its companion."""
    chosen = headline(names)
    return [name for name in dict.fromkeys([chosen, COMPANION]) if name in names]


def stable_genes(inputs: Inputs, method: str | None = None) -> pd.DataFrame:
    """Return the genes that a method, by default the headline, selects in at least half of the folds, the most
    frequent first.
    """
    table = inputs.frequencies
    own = table[table["method"] == (method or first_method(table))]
    return own[own["frequency"] >= STABLE].sort_values("frequency", ascending=False, kind="stable")


def often_selected(genes: pd.DataFrame) -> dict | None:
    """Return the genes that more than nine of ten folds select, by direction; None when no method selects."""
    if not len(genes):
        return None
    often = genes[genes["frequency"] > OFTEN]
    more = often["more"]
    return {"more": often.loc[more, "symbol"].tolist(), "fewer": often.loc[~more, "symbol"].tolist()}


def differences_of(inputs: Inputs, name: str) -> pd.DataFrame:
    """Return the differences of a method minus each other one in the leading metric, by name of the other."""
    table = inputs.table("differences").query("metric == @inputs.leading")
    minus = table[table["method_b"] == name].set_index("method_a")
    minus = minus.assign(difference=-minus["difference"], low=-minus["high"], high=-minus["low"])
    rows = pd.concat([table[table["method_a"] == name].set_index("method_b"), minus])
    return rows.loc[
        [other for other in inputs.methods if other in rows.index], ["difference", "low", "high", "verdict"]
    ]


def network_pairs(inputs: Inputs) -> list[dict]:
    """Return the difference graph - plain of the leading metric for each method that ran both ways."""
    rows = {graph: differences_of(inputs, graph) for graph in PAIRS}
    ran = [graph for graph, plain in PAIRS.items() if plain in rows[graph].index]
    return [{"graph": graph} | rows[graph].loc[PAIRS[graph]].to_dict() for graph in ran]


def network_help(inputs: Inputs) -> dict | None:
    """Return the difference that the network makes to the headline method, and its AUC on random networks."""
    chosen = headline(inputs.methods)
    rows, plain = differences_of(inputs, chosen), PAIRS.get(chosen)
    if plain not in rows.index:
        return None
    controls = inputs.table("controls").query("method == @chosen").set_index("control").to_dict("index")
    random = controls if {"real", "network"} <= set(controls) else None
    return rows.loc[plain].to_dict() | {"random": random}


def added_to_covariates(inputs: Inputs) -> dict | None:
    """Return the difference that the genes of the headline method make to the covariates alone."""
    rows = differences_of(inputs, headline(inputs.methods))
    return rows.loc[COVARIATES].to_dict() if COVARIATES in rows.index else None


def control_rows(controls: pd.DataFrame) -> dict | None:
    """Return the rows of the controls for the graph methods together, and of the real data without a network.

    `gains` has by how much real edges are better than random ones, by metric, where p is at most `LEVEL`.
    """
    if controls.empty:
        return None
    together = controls[controls["method"] == GRAPH].set_index("control").to_dict("index")
    without = controls[(controls["control"] == "real") & (controls["method"] == PAIRS[HEADLINE])]
    rows, gains = dict.fromkeys(CONTROLS) | together, {}
    real, random = rows["real"], rows["network"]
    if real and random and random["p"] <= LEVEL:
        gains["balanced error"] = random["balanced_error"] - real["balanced_error"]
    if real and random and random["p_auc"] <= LEVEL:
        gains["AUC"] = real["auc"] - random["auc"]
    return rows | {"gains": gains, "without": without.iloc[0].to_dict() if len(without) else None}


def held_elsewhere(inputs: Inputs) -> dict | None:
    """Return what the headline model reaches in other cohorts.

    It `holds` in a cohort when the whole 95 % interval of its AUC lies above one half; it is better or worse than ridge
    when the interval of the difference excludes 0; its genes are `special` when fewer than 5 % of random connected sets
    of their size reach its AUC.
    """
    model = first_method(inputs.table("external"), "model")
    if model is None:
        return None
    tables = (inputs.table(name) for name in ("external", "external_differences", "random_sets"))
    own, against, random = (table[table["model"] == model] for table in tables)
    return {
        "method": model,
        "cohorts": own.to_dict("records"),
        "holds": int((own["low"] > GUESSING).sum()),
        "differences": against["difference"].tolist(),
        "worse": int((against["high"] < 0).sum()),
        "better": int((against["low"] > 0).sum()),
        "shares": random["share_as_good"].tolist(),
        "special": int((random["share_as_good"] < SPECIAL).sum()),
    }


def how_sure(inputs: Inputs) -> dict | None:
    """Return how many genes the headline and its companion select again and again, and how similar their gene sets are.

    None when no gene of the headline is in half of the folds.
    """
    stability = inputs.table("stability").set_index("method")["nogueira"]
    rows, sets = [], []
    for name in with_companion(inputs.selecting):
        genes = stable_genes(inputs, name)
        sets.append(set(genes["symbol"]))
        rows.append(
            {
                "method": name,
                "moves": find(name).update,
                "stable": len(genes),
                "genes": genes["symbol"].tolist(),
                "often": int((genes["frequency"] > OFTEN).sum()),
                "stability": stability.get(name),
                "permuted": inputs.permuted_stability.get(name),
            }
        )
    if not rows or not rows[0]["stable"]:
        return None
    return {"rows": rows, "shared": len(set.intersection(*sets))}
