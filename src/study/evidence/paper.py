"""The paper's tables with ours, and the graph methods against the baselines, picked without a look at test folds."""

import numpy as np
import pandas as pd

from study import tables
from study.data.registry import COHORTS
from study.methods import GROUPS, HEADLINE, METHODS, label
from study.metrics import METRICS, metrics_of
from study.stats.paired import corrected_error, paired_difference
from study.tables import markdown

# The paper's numbers are means over 20 trials of 5 folds.
PAPER_N_FOLDS, PAPER_FOLDS = 100, 5
# What the paper's tables call the methods that they have.
IN_PAPER = {name: row.paper for name, row in METHODS.items() if row.paper}


def against_paper(summary: pd.DataFrame, published: pd.DataFrame, folds: int) -> pd.DataFrame:
    """Return a row per method and metric of the paper's tables with ours beside it and a verdict.

    `better` and `worse` mean more than two corrected standard errors of the difference apart.
    """
    table = _beside(summary[summary["trial"] == "all"], published)
    ours = [corrected_error(std, n, folds) for std, n in zip(table["our_std"], table["folds"], strict=True)]
    paper = corrected_error(table["paper_std"], PAPER_N_FOLDS, PAPER_FOLDS)
    table["standard_error"] = np.hypot(ours, paper)
    verdicts = []
    for row in table.itertuples():
        metric = METRICS[row.metric]
        words = ("better", "worse") if metric.is_quality else ("fewer genes", "more genes")
        is_clear = abs(row.difference) > 2 * row.standard_error
        verdicts.append(words[metric.sign() * row.difference > 0] if is_clear else "no clear difference")
    return table.assign(verdict=verdicts)[tables.columns("comparison")]


def against_paper_by_trial(summary: pd.DataFrame, published: pd.DataFrame) -> pd.DataFrame:
    """Return a row per trial, method and metric that both the paper's tables and ours have, with the difference.

    Means and population standard deviations over the folds of the trial; no verdict, because a trial has few folds.
    """
    table = _beside(summary[summary["trial"] != "all"], published)
    return table.assign(trial=table["trial"].astype(int))[tables.columns("comparison_trials")]


def _beside(summary: pd.DataFrame, published: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the paper's tables that the summary has too, in their order, with ours beside them.

    Several of ours can stand beside one of the paper's: both options of GraphSCSG-IHT.
    """
    ours = [
        summary[["method", "trial", "folds"]].assign(
            metric=metric,
            our_mean=summary[f"{metric}_mean"],
            our_std=summary[f"{metric}_std"],
            paper=summary["method"].map(IN_PAPER),
        )
        for metric in published["metric"].unique()
    ]
    paper = published.rename(columns={"method": "paper", "mean": "paper_mean", "std": "paper_std"})
    table = paper.merge(pd.concat(ours), on=["trial", "paper", "metric"])
    return table.assign(difference=table["our_mean"] - table["paper_mean"])


def paper_tables(
    summary: pd.DataFrame, comparison: pd.DataFrame, union: pd.DataFrame, fits: pd.DataFrame
) -> dict[str, pd.DataFrame]:
    """Return the paper's four tables of a run by name, and the line searches of its final fits.

    They have the paper's methods and, beside them, the headline. Of a metric: a row per trial and the average, mean ±
    standard deviation over the folds, then the paper's average and how ours compares; `best` names the best of a row,
    as printed. Of known genes: those that any fold selected, and those that the paper names.
    """
    names = [name for name in dict.fromkeys(summary["method"]) if name in IN_PAPER or name == HEADLINE]
    if comparison.empty:
        return {}
    summary = summary[summary["method"].isin(names)]
    found = {metric: _by_trial(summary, comparison, metric) for metric in comparison["metric"].unique()}
    if len(union):
        found["identified_genes"] = _identified([name for name in names if name in union], union)
    searches = fits.groupby("method")[["n_line_searches", "n_line_searches_failed"]].sum().astype(int)
    return found | {"line_searches": searches.loc[names].reset_index()}


def _by_trial(summary: pd.DataFrame, comparison: pd.DataFrame, metric: str) -> pd.DataFrame:
    """Return the paper's table of a metric, as text."""
    digits, lower_is_better = METRICS[metric].digits, METRICS[metric].lower_is_better
    comparison, rows = comparison[comparison["metric"] == metric], []
    ours = summary.rename(columns={f"{metric}_mean": "mean", f"{metric}_std": "std"})
    paper = comparison.rename(columns={"paper_mean": "mean", "paper_std": "std"}).assign(trial="paper")
    for trial, part in pd.concat([ours, paper]).groupby("trial", sort=False):
        means = part.set_index("method")["mean"].round(digits)
        row = {"trial": {"all": "Averaged", "paper": "Paper, averaged"}.get(trial, f"Trial {trial}")}
        row |= {own.method: f"{own.mean:.{digits}f} ± {own.std:.{digits}f}" for own in part.itertuples()}
        best = means.min() if lower_is_better else means.max()
        rows.append(row | {"best": ";".join(means.index[means == best])})
    against = comparison.set_index("method")
    rows.append({"trial": "Ours − paper"} | against["difference"].map(f"{{:+.{digits}f}}".format).to_dict())
    rows.append({"trial": "Verdict"} | against["verdict"].to_dict())
    table = pd.DataFrame(rows).fillna("")
    return table[["trial", *dict.fromkeys(summary["method"]), "best"]]


def _identified(names: list[str], union: pd.DataFrame) -> pd.DataFrame:
    """Return the paper's table of known genes: how many a method ever selected, and which."""
    reachable, rows = int(union["in_network"].sum()), []
    for name in names:
        theirs = union.get(f"paper_{IN_PAPER.get(name)}", 0 * union["in_network"])
        ours, paper = (union.loc[column == 1, "symbol"].tolist() for column in (union[name], theirs))
        number = f"{len(ours)} of {reachable} reachable, of {len(union)} known"
        row = {"method": name, "number": number, "genes": " ".join(ours)}
        rows.append(row | {"paper_number": len(paper) or "", "paper_genes": " ".join(paper)})
    return pd.DataFrame(rows)


def picked(metrics: pd.DataFrame) -> pd.DataFrame:
    """Return, per group of methods and fold, the row of the method with the least inner error there.

    The choice sees the outer training set only; of equals the first in the group's order is taken.
    """
    parts = []
    for group, members in GROUPS.items():
        rows = metrics[metrics["method"].isin(members)]
        rows = rows.assign(group=group, order=rows["method"].map(members.index))
        rows = rows.sort_values(["trial", "fold", "inner_error", "order"], kind="stable")
        parts.append(rows.drop_duplicates(["trial", "fold"]))
    return pd.concat(parts, ignore_index=True)[["group", *metrics.columns]]


def picked_difference(table: pd.DataFrame, folds: int) -> dict[str, dict]:
    """Return the paired, corrected difference graph - baseline of each metric; empty when a group is missing."""
    first, second = (table[table["group"] == group].set_index(["trial", "fold"]) for group in GROUPS)
    common = first.index.intersection(second.index)
    if len(common) < 2:
        return {}
    return {
        metric: paired_difference(first.loc[common, metric], second.loc[common, metric], folds)
        for metric in metrics_of(table)
    }


DIFFERENT_DATA = (
    "The paper's numbers are of another outcome (metastasis, 78 events) on another gene set (3,243 genes), tuned with "
    "inner folds that saw test patients. They are shown for orientation: a difference is not a failure to reproduce."
)
SAME_DATA = (
    "The {same} are those of the paper's tables{folds}. What differs is the study: the paper's settings were tuned "
    "with inner folds that saw test patients, ours were not (docs/paper.md)."
)


def _about_the_data(config: dict) -> str:
    """Return what the paper's numbers and ours have in common."""
    if not COHORTS[config["cohort"]].is_papers:
        return DIFFERENT_DATA
    same, folds = ["patients", "labels"], "; the outer folds are our own"
    if config["network"] == "published":
        same += ["genes", "network"]
    if config["splits"] == "stored":
        same, folds = [*same, "outer folds"], ""
    return SAME_DATA.format(same=f"{', '.join(same[:-1])} and {same[-1]}", folds=folds)


def as_text(
    comparison: pd.DataFrame, table: pd.DataFrame, config: dict, papers: dict[str, pd.DataFrame] | None = None
) -> str:
    """Return the comparison for people, in Markdown; `papers` are the `paper_tables`."""
    rows = []
    for row in comparison.to_dict("records"):
        number = f".{METRICS[row['metric']].digits}f"
        rows.append(
            {
                "method": row["method"],
                "metric": row["metric"],
                "paper": f"{row['paper_mean']:{number}} ± {row['paper_std']:{number}}",
                "ours": f"{row['our_mean']:{number}} ± {row['our_std']:{number}}",
                "difference": f"{row['difference']:+{number}} ± {row['standard_error']:{number}}",
                "verdict": row["verdict"],
            }
        )
    parts = [f"# Against the paper: cohort {config['cohort']}, network {config['network']}"]
    parts += [_about_the_data(config), markdown(rows)]
    for name, frame in (papers or {}).items():
        parts += [f"# {METRICS[name].label if name in METRICS else name.replace('_', ' ').capitalize()}"]
        parts += [markdown([_in_bold(row) for row in frame.to_dict("records")])]
    differences = picked_difference(table, config["folds"])
    if differences:
        means, rows = table.groupby("group")[metrics_of(table)].mean(), []
        for metric, test in differences.items():
            number = f".{METRICS[metric].digits}f"
            difference, low, high = (f"{test[key]:+{number}}" for key in ("difference", "low", "high"))
            graph, baseline = (f"{means.loc[group, metric]:{number}}" for group in GROUPS)
            row = {"metric": metric, "graph": graph, "baseline": baseline}
            row["graph - baseline (95 % interval, corrected)"] = f"{difference} ({low} to {high})"
            rows.append(row | {"p": f"{test['p']:.2g}"})
        parts += [
            "# The graph approach against the baselines",
            "In every outer training set the method of least inner error stands for its group.",
            markdown(rows),
        ]
    return "\n\n".join(filter(None, parts)) + "\n"


def _in_bold(row: dict) -> dict:
    """Return a row of one of the paper's tables in Markdown, the best in bold."""
    best = row.pop("best", "").split(";")
    named = row | ({"method": label(row["method"])} if "method" in row else {})
    return {label(key): f"**{value}**" if key in best else value for key, value in named.items()}
