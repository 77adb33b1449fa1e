"""Cohorts left out: what models of all the others reach in each."""

import pandas as pd

from study.data.registry import COHORTS
from study.evidence.left_out import ALL
from study.figures.forest import forest
from study.figures.methods import GUESSING
from study.methods import PAIRS, REFERENCE, headline
from study.report.blocks import Column, Section
from study.report.columns import columns
from study.report.first_screen import by_chance, with_companion
from study.report.inputs import Inputs
from study.report.sections.answer import draw_subnetwork
from study.report.sections.external import as_forest
from study.report.show import count

METRICS = {
    "auc_horizon": "AUC by the horizon",
    "auc_status": "AUC of event status",
    "concordance": "Concordance (Uno)",
    "error": "Balanced error at one half",
    "error_tuned": "Balanced error at the cut-off of training",
}
MAIN = "auc_horizon"
ROUND = "all"


def section(inputs: Inputs) -> Section:
    """Return the figures of every method in every cohort that was left out."""
    evidence, shown = inputs.evidence, Section()
    table, models = evidence["left_out"], evidence["left_out_models"]
    rows, chosen = _forest_rows(evidence, models), headline(inputs.methods)
    shown.numbers = answer(inputs, chosen)
    shown.numbers |= draw_subnetwork(shown, inputs, _recurring(inputs, chosen), shown.numbers["by_chance"])
    first = rows[rows["model"].isin([chosen, PAIRS.get(chosen), REFERENCE])]
    axis = f"AUC for the event by {inputs.config['outcome']['horizon']:g} years, 95 % interval"
    shown.draw("left-out-auc", forest(as_forest(first), axis, GUESSING, across=2))
    rounds = {name: f"left-out-{name.replace(', ', '-').replace(' ', '-')}" for name in table["round"].unique()}
    for name, id_ in rounds.items():
        _tabulate_cohorts(shown, id_, table[table["round"] == name], models[models["round"] == name])
    over = evidence["left_out_summary"]
    metric = Column("metric", "Metric", numeric=False)
    numbers = columns("cohorts of mean estimate low high tau i2 p", p="p, cohorts differ")
    over_labelled = over.assign(metric=over["metric"].map(METRICS))
    shown.tabulate("left-out-summary", over_labelled, [*columns("round method"), metric, *numbers], limit=13)
    keys = "round method gene models mean_weight"
    shown.tabulate("left-out-genes", evidence["left_out_genes"], columns(keys), limit=15)
    keys = "round cohort method column stratum patients events auc low high"
    shown.tabulate("strata", evidence.get("strata"), columns(keys), limit=15)
    keys = "round cohort method beside covariates patients events hazard_ratio low:2 high:2 p p_likelihood_ratio"
    shown.tabulate("left-out-value", evidence.get("left_out_value"), columns(keys), limit=15)
    shown.numbers["rounds"] = rounds
    return shown


def _recurring(inputs: Inputs, method: str) -> pd.DataFrame:
    """Return the genes that at least half of a method's models have, as the picture of the network takes them."""
    genes = _with_direction(inputs, inputs.evidence["left_out_genes"].query("method == @method and round == @ROUND"))
    genes = genes.assign(
        frequency=genes["models"] / inputs.config["folds"],
        known=genes["symbol"].isin(inputs.data["known_genes"]),
        size=genes["mean_weight"].abs(),
    )
    return genes[genes["frequency"] >= 0.5].sort_values(["frequency", "size"], ascending=False)


def _with_direction(inputs: Inputs, genes: pd.DataFrame) -> pd.DataFrame:
    """Return the genes of models with `more` and `opposite`, see `Inputs.frequencies`."""
    alone = inputs.frequencies.drop_duplicates("symbol").set_index("symbol")["more"]
    more = genes["symbol"].map(alone).fillna(False).astype(bool)
    return genes.assign(more=more, opposite=(genes["mean_weight"] > 0) != more)


def answer(inputs: Inputs, chosen: str) -> dict:
    """Return the values of the template `left_out_screen.html.j2`."""
    tables = ("left_out_summary", "left_out_models", "left_out", "left_out_genes")
    over, models, by_cohort, genes = (inputs.evidence[name].query("round == @ROUND") for name in tables)
    over = over[(over["metric"] == MAIN) & (over["cohorts"] == ALL)]
    values = over[over["of"] == "value"].set_index("method").to_dict("index")
    contrasts = over[over["of"] != "value"]
    differences = contrasts[contrasts["method"] == chosen].to_dict("records")
    models = models[models["method"] == chosen]
    by_cohort = by_cohort.query("method == @chosen and metric == @MAIN")
    in_all = _with_direction(inputs, genes[genes["models"] == inputs.config["folds"]])
    return {
        "chosen": chosen,
        "value": values[chosen],
        "by_chance": by_chance(inputs),
        "ridge": values.get(REFERENCE),
        "difference": differences[0] if differences else None,
        "contrasts": len(contrasts),
        "least_genes": models["n_nonzero"].min(),
        "most_genes": models["n_nonzero"].max(),
        "by_cohort": [f"{COHORTS[row.cohort].label} {row.value:.2f}" for row in by_cohort.itertuples()],
        "in_all": [
            {"method": name, "higher": own.loc[own["more"], "symbol"], "lower": own.loc[~own["more"], "symbol"]}
            for name in with_companion(inputs.methods)
            for own in [in_all[in_all["method"] == name]]
        ],
    }


def _forest_rows(evidence: dict[str, pd.DataFrame], models: pd.DataFrame) -> pd.DataFrame:
    """Return the AUC by cohort, and over all of them, as the figure of other cohorts takes it."""
    own = evidence["left_out"].query("round == @ROUND and metric == @MAIN")
    sizes = models.query("round == @ROUND").drop_duplicates("cohort").set_index("cohort")
    own = own.assign(
        patients=own["cohort"].map(sizes["patients"]), events=own["cohort"].map(sizes["events_by_horizon"])
    )
    over = evidence["left_out_summary"].query(
        "round == @ROUND and metric == @MAIN and cohorts == @ALL and of == 'value'"
    )
    over = over.assign(
        cohort=ALL, value=over["estimate"], patients=sizes["patients"].sum(), events=sizes["events_by_horizon"].sum()
    )
    return pd.concat([own, over], ignore_index=True).rename(columns={"value": "auc", "method": "model"})


def _tabulate_cohorts(shown: Section, id_: str, own: pd.DataFrame, models: pd.DataFrame) -> None:
    """Add the table of a round: a row per cohort left out and method, a column per metric."""
    wide, heads = models.set_index(["cohort", "method"]), []
    for metric, head in METRICS.items():
        figures = own[own["metric"] == metric].set_index(["cohort", "method"])
        wide[metric], wide[f"{metric}_low"], wide[f"{metric}_high"] = (figures[key] for key in ("value", "low", "high"))
        heads.append(Column(metric, head, of_row=lambda row, key=metric: _with_interval(row, key)))
    more = [Column("n_nonzero", "Genes", count), *columns("sparsity lambda C")]
    shown.tabulate(id_, wide.reset_index(), [*columns("cohort method"), *heads, *more], limit=15)


def _with_interval(row: dict, key: str) -> str:
    return f"{row[key]:.3f} ({row[f'{key}_low']:.2f}–{row[f'{key}_high']:.2f})"
