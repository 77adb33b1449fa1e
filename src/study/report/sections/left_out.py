"""The section on cohorts left out: what models of all the others reach in each."""

from __future__ import annotations

import pandas as pd
from markupsafe import Markup

from study.data.registry import COHORTS
from study.evidence.left_out import ALL
from study.figures.forest import forest
from study.figures.methods import GUESSING
from study.methods import PAIRS, REFERENCE, headline, label
from study.report.blocks import Column, Missing, Section, Table, Text, draw, make_table, paragraph, term
from study.report.columns import columns
from study.report.inputs import Inputs
from study.report.sections.answer import subnetwork_figure
from study.report.sections.external import as_forest
from study.report.sentences import not_run
from study.report.show import count, fixed, gene_link, listed, signed

METRICS = {
    "auc_horizon": "AUC by the horizon",
    "auc_status": "AUC of event status",
    "concordance": "Concordance (Uno)",
    "error": "Balanced error at one half",
    "error_tuned": "Balanced error at the cut-off of training",
}
MAIN = "auc_horizon"
ROUND = "all"
# Set before any result was seen: a connected set of so many genes at most, a mean AUC on the cohorts that models of the
# NKI patients are tested in, and how far below ridge on all genes it may be.
GOAL = {"genes": 60, "auc": 0.70, "below": 0.02}


def section(inputs: Inputs, missing: list[Missing] = ()) -> Section:
    """Return the figures of every method in every cohort that was left out."""
    evidence = inputs.evidence
    table, models = evidence["left_out"], evidence["left_out_models"]
    rows = _forest(evidence, models)
    chosen = headline(inputs.methods)
    first = rows[rows["model"].isin([chosen, PAIRS.get(chosen), REFERENCE])]
    axis = f"AUC for the event by {inputs.config['outcome']['horizon']:g} years, 95 % interval"
    figures = [
        *subnetwork_figure(inputs, _recurring(inputs, chosen), "models"),
        draw("left-out-auc", "In the cohort left out", _caption(), forest(as_forest(first), axis, GUESSING, across=2)),
    ]
    blocks = [
        draw(
            "left-out-auc-methods",
            "In the cohort left out, every method",
            _caption(),
            forest(as_forest(rows), axis, GUESSING, width=8.5),
        ),
        *(_by_cohort(table, models, name) for name in table["round"].unique()),
        _over_cohorts(evidence["left_out_summary"]),
        _genes(evidence["left_out_genes"]),
    ]
    blocks += _strata(evidence.get("strata"))
    blocks += _value(evidence.get("left_out_value"))
    goal_text = goal(inputs)
    if goal_text:
        blocks.append(Text("The goal set beforehand", goal_text))
    said = answer(inputs)
    if missing:
        said += paragraph("<b>Not run:</b> {said}", said=not_run(missing))
    lead = Markup('<div class="answer">{}</div>').format(said)
    return Section("left-out", "The answer: in a cohort left out", "Answer", lead, figures, blocks)


def _recurring(inputs: Inputs, method: str) -> pd.DataFrame:
    """Return the genes that at least half of a method's models have, as the picture of the network takes them."""
    genes = inputs.evidence["left_out_genes"].query("method == @method and round == @ROUND")
    genes = genes.assign(frequency=genes["models"] / inputs.config["folds"])
    genes = genes.assign(known=genes["symbol"].isin(inputs.data["known_genes"]).astype(int))
    order = genes["mean_weight"].abs().sort_values(ascending=False, kind="stable").index
    genes = genes.loc[order].sort_values("frequency", ascending=False, kind="stable")
    return genes[genes["frequency"] >= 0.5]


def answer(inputs: Inputs) -> Markup:
    """Return the answer: how the graph approach does in cohorts it never saw, beside ridge on all genes."""
    evidence = inputs.evidence
    chosen = headline(inputs.methods)
    over = evidence["left_out_summary"].query("round == @ROUND and metric == @MAIN and cohorts == @ALL")
    own, other = (over.query("method == @name and of == 'value'") for name in (chosen, REFERENCE))
    models = evidence["left_out_models"].query("method == @chosen and round == @ROUND")
    values = evidence["left_out"].query("method == @chosen and round == @ROUND and metric == @MAIN")
    by_cohort = [f"{COHORTS[row.cohort].label} {row.value:.2f}" for row in values.itertuples()]
    text = Markup(
        "Each cohort was left out in turn, and models of all the others were tested in it. <b>{name}</b>, with {least} "
        "to {most} connected genes, tells who has the event by {horizon:g} years with an {auc} of {estimate} over "
        "cohorts (95 % interval {low} to {high}, random effects; between cohorts it varies with a standard deviation "
        "of {tau}): {by_cohort}. "
    ).format(
        name=label(chosen),
        least=count(models["n_nonzero"].min()),
        most=count(models["n_nonzero"].max()),
        horizon=inputs.config["outcome"]["horizon"],
        auc=term("AUC"),
        **{key: f"{own[key].iloc[0]:.3f}" for key in ("estimate", "low", "high", "tau")},
        by_cohort=listed(by_cohort),
    )
    if len(other):
        difference = over.query("method == @chosen and of != 'value'").iloc[0]
        text += Markup(
            "{ridge} on all {genes} genes has {estimate} ({low} to {high}); the difference is {difference} ({from_} to "
            "{to})."
        ).format(
            ridge=label(REFERENCE).capitalize(),
            genes=f"{inputs.data['n_genes']:,}",
            **{key: f"{other[key].iloc[0]:.3f}" for key in ("estimate", "low", "high")},
            difference=signed(3)(difference["estimate"]),
            from_=signed(3)(difference["low"]),
            to=signed(3)(difference["high"]),
        )
    return Markup('<p id="answer-text">{}</p><p><b id="answer-genes">Genes.</b> {}</p>').format(
        text, recurring(inputs, chosen)
    )


def recurring(inputs: Inputs, method: str) -> str:
    """Return the genes that every model of a method has, whichever cohort was left out, with their direction."""
    genes = inputs.evidence["left_out_genes"].query("method == @method and round == @ROUND")
    genes = genes[genes["models"] == inputs.config["folds"]]
    higher, lower = (
        genes.loc[side, "symbol"].tolist() for side in (genes["mean_weight"] > 0, genes["mean_weight"] < 0)
    )
    parts = [
        f"{listed(names)} ({text})"
        for names, text in ((higher, "higher is worse"), (lower, "higher is better"))
        if names
    ]
    return f"In all {inputs.config['folds']} models: {'; '.join(parts)}." if parts else "No gene is in all models."


def goal(inputs: Inputs) -> Markup:
    """Return whether the goal was reached, by which methods; nothing where its cohorts were not all left out."""
    evidence = inputs.evidence
    text = goal_sentence(evidence["left_out_summary"], evidence["left_out_models"], inputs.network_methods)
    return paragraph("{text}", text=text) if text else Markup("")


def goal_sentence(summary: pd.DataFrame, models: pd.DataFrame, graph: list[str]) -> str:
    """Return whether the goal was reached, by which graph methods; empty where its cohorts were not all left out."""
    yardstick, models = COHORTS["nki"].external, models[models["round"] == ROUND]
    summary = summary[(summary["round"] == ROUND) & (summary["of"] == "value")]
    is_all = set(models["cohort"]) == set(yardstick)
    summary = summary[summary["cohorts"] == (ALL if is_all else ", ".join(yardstick))]
    if summary.empty or REFERENCE not in set(summary["method"]):
        return ""
    most = models.groupby("method")["n_nonzero"].max()
    sentences = []
    for metric in ("auc_horizon", "auc_status"):
        means = summary[summary["metric"] == metric].set_index("method")["mean"]
        least = max(GOAL["auc"], means[REFERENCE] - GOAL["below"])
        shown = {name: f"{label(name)} ({means[name]:.3f})" for name in graph if most[name] <= GOAL["genes"]}
        reached = [text for name, text in shown.items() if means[name] >= least]
        missed = [text for name, text in shown.items() if means[name] < least]
        parts = [f"reached by {listed(reached)}"] * bool(reached) + [f"missed by {listed(missed)}"] * bool(missed)
        parts = parts or ["not reached, because no graph method stays at so few genes"]
        sentences.append(f"by {METRICS[metric]} it is {', '.join(parts)} (ridge has {means[REFERENCE]:.3f})")
    return (
        f"The goal set beforehand was a connected set of at most {GOAL['genes']} genes with a mean AUC of at least "
        f"{GOAL['auc']:.2f} in {listed([COHORTS[name].label for name in yardstick])}, and at most {GOAL['below']:.2f} "
        f"below ridge on all genes: {'; '.join(sentences)}."
    )


def _caption() -> str:
    return (
        "The AUC of every method in each cohort, trained on all the others, with its 95 % interval over resampled "
        "patients; last, over all cohorts by random effects. The line at 0.5 is guessing. Patients lost before the "
        "horizon are represented by those who were followed."
    )


def _forest(evidence: dict[str, pd.DataFrame], models: pd.DataFrame) -> pd.DataFrame:
    """Return the AUC by cohort, and over all of them, as the figure of other cohorts takes it."""
    own = evidence["left_out"].query("round == @ROUND and metric == @MAIN")
    sizes = models.query("round == @ROUND").drop_duplicates("cohort").set_index("cohort")
    own = own.assign(
        patients=own["cohort"].map(sizes["patients"]),
        events=own["cohort"].map(sizes["events_by_horizon"]),
    )
    over = evidence["left_out_summary"].query(
        "round == @ROUND and metric == @MAIN and cohorts == @ALL and of == 'value'"
    )
    over = over.assign(
        cohort=ALL, value=over["estimate"], patients=sizes["patients"].sum(), events=sizes["events_by_horizon"].sum()
    )
    return pd.concat([own, over], ignore_index=True).rename(columns={"value": "auc", "method": "model"})


def trained_on(name: str) -> str:
    """Return whose patients the models of a round were trained on."""
    return "all other cohorts" if name == ROUND else f"all other cohorts {name}"


def _by_cohort(table: pd.DataFrame, models: pd.DataFrame, name: str) -> Table:
    """Return a row per cohort left out and method, a column per metric."""
    own, shown = table[table["round"] == name], []
    wide = models[models["round"] == name].set_index(["cohort", "method"])
    for metric, head in METRICS.items():
        figures = own[own["metric"] == metric].set_index(["cohort", "method"])
        wide[metric], wide[f"{metric}_low"], wide[f"{metric}_high"] = (figures[key] for key in ("value", "low", "high"))
        shown.append(Column(metric, head, of_row=lambda row, key=metric: _with_interval(row, key)))
    whose = trained_on(name)
    return make_table(
        f"left-out-{name.replace(', ', '-').replace(' ', '-')}",
        f"By cohort: models of {whose}",
        f"Models of {whose} in the cohort left out, with 95 % intervals over resampled patients.",
        wide.reset_index(),
        [
            *columns("cohort method"),
            *shown,
            Column("n_nonzero", "Genes", count),
            *columns("genes_missing sparsity lambda C"),
        ],
        limit=15,
    )


def _with_interval(row: dict, key: str) -> str:
    return f"{row[key]:.3f} ({row[f'{key}_low']:.2f}–{row[f'{key}_high']:.2f})"


def _over_cohorts(summary: pd.DataFrame) -> Table:
    shown = [
        *columns("round method metric of cohorts"),
        Column("mean", "Mean", fixed(3)),
        Column("estimate", "Random effects", fixed(3)),
        *columns("low high"),
        Column("tau", "Std between cohorts", fixed(3)),
        Column("i2", "I²", lambda value: f"{100 * value:.0f} %"),
        *columns("p", p="p, cohorts differ"),
    ]
    return make_table(
        "left-out-summary",
        "Over cohorts",
        "Every figure over cohorts, and its difference to ridge on all genes: random effects (Paule and Mandel) with "
        "the interval of Hartung, Knapp, Sidik and Jonkman.",
        summary.assign(metric=summary["metric"].map(METRICS)),
        [column if column.key != "metric" else Column("metric", "Metric", numeric=False) for column in shown],
        limit=13,
    )


def _genes(table: pd.DataFrame) -> Table:
    gene = Column("symbol", "Gene", numeric=False, of_row=lambda row: gene_link(row["symbol"], row["entrez"]))
    return make_table(
        "left-out-genes",
        "Genes in how many models",
        "In how many of the models, one per cohort left out, a gene is, and its mean weight there; positive means that "
        "higher expression goes with more events.",
        table,
        [
            *columns("round method"),
            gene,
            Column("models", "Models", count),
            Column("mean_weight", "Mean weight", signed(4)),
        ],
        limit=15,
    )


def _strata(table: pd.DataFrame | None) -> list[Table]:
    if table is None:
        return []
    return [
        make_table(
            "strata",
            "Within strata",
            "AUC for event status within strata of the cohort left out: PAM50 subtype where it is known, and oestrogen "
            "receptor as the cohort codes it. Strata with fewer than 8 patients on either side are left out.",
            table,
            columns("round cohort method column stratum patients events auc low high"),
            limit=15,
        )
    ]


def _value(table: pd.DataFrame | None) -> list[Table]:
    if table is None:
        return []
    return [
        make_table(
            "left-out-value",
            "Beside what is known",
            "Whether the score adds to what is known: hazard ratio per standard deviation of the score, alone and "
            "beside subtype, oestrogen receptor, grade, nodes and age where at least half of a cohort's patients have "
            "them, and beside a proliferation metagene. By cohort, and over cohorts by random effects.",
            table,
            columns(
                "round cohort method beside covariates patients events hazard_ratio low high p p_likelihood_ratio",
                digits=2,
            ),
            limit=15,
        )
    ]
