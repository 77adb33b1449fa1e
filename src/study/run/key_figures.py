"""Collect the figures that README and docs/findings.md quote: `make findings` writes docs/key_figures.json, and draws
docs/penalty.svg.
"""

import argparse
import json
import sys
from pathlib import Path

import pandas as pd

from study import tables
from study.errors import StudyError
from study.figures.evidence import recovery_and_stability
from study.figures.style import to_svg
from study.io import read_json, write_text

FIGURES = "docs/key_figures.json"
_GRAPH = "method == 'graph-iht'"
# The headline, the method beside it, and what learns from a teacher: connected sets.
CONNECTED = ("graph-iht", "graph-htp", "graph-distilled")
_PAIRS = " or ".join(
    f"method_a == '{a}' and method_b == '{b}'"
    for a, b in (("iht", "graph-iht"), ("htp", "graph-htp"), ("graph-iht", "graph-htp"), ("graph-iht", "ridge"))
)
_PLANTED = "measure == 'recall' and method in ('iht', 'graph-iht', 'abess', 'htp', 'graph-htp')"
_PLANTED_PAIRS = "strength > 0 and method == 'graph-htp' and other in ('iht', 'htp')"
_BOTH = "method in ('graph-iht', 'graph-htp')"
_SINGLE = "statistic in ('cell_cycle', 'hazard_ratio')"
_POOLED = f"round == 'all' and method in {(*CONNECTED, 'iht', 'htp', 'abess', 'laplacian-ridge', 'ridge')}"
_GOAL = "cohorts == 'gse1992, gse3143, gse4335' and of == 'value' and metric in ('auc_horizon', 'auc_status')"
_GOAL += f" and round == 'all' and method in {(*CONNECTED, 'ridge')}"
_ALL = "cohorts == 'all cohorts' and metric == 'auc_horizon'"
# Cells of tables: prefix, table, rows, key columns, columns. A figure is called "<prefix> <keys of its row> <column>".
STUDY = (
    ("", "summary", "trial == 'all'", "method", "auc_mean balanced_error_tuned_mean n_nonzero_mean"),
    ("", "summary", f"trial == 'all' and {_GRAPH}", "", "auc_std folds"),
    ("epochs", "chosen", f"{_GRAPH} and setting == 'max_epochs' and value in (1, 100)", "value", "share"),
    ("pair", "differences", f"metric == 'auc' and ({_PAIRS})", "method_a method_b", "difference low high verdict"),
    ("survival", "survival", _GRAPH, "", "hazard_ratio low high p_change"),
    ("other", "other_event", "method in ('graph-iht', 'iht', 'ridge')", "outcome method", "auc low high"),
    ("other", "other_event", _GRAPH, "outcome", "patients events"),
    ("external", "external", "model in ('graph-iht', 'ridge')", "cohort model", "auc"),
    ("random sets", "random_sets", "model == 'graph-iht'", "cohort", "share_as_good"),
    ("permuted", "permuted_summary", "statistic in ('auc', 'stability')", "method statistic", "real permuted"),
    ("permuted", "permuted_summary", f"statistic == 'auc' and {_GRAPH}", "", "p repetitions"),
    ("permuted", "permuted_summary", f"{_SINGLE} and {_GRAPH}", "method statistic", "real permuted p"),
    ("stability", "stability", "method in ('abess', 'graph-distilled')", "method", "nogueira"),
    ("controls", "controls", f"{_BOTH} and control != 'coexpression'", "method control", "auc"),
    ("controls", "controls", f"{_BOTH} and control == 'network'", "method control", "p_auc repetitions"),
    ("planted", "planted_summary", _PLANTED, "effects size strength method", "value"),
    ("planted", "planted_pairs", _PLANTED_PAIRS, "effects size strength other", "ratio ratio_low ratio_high"),
    ("penalty", "lambda_path", "method != 'iht'", "method lambda", "stability often auc recall low high"),
)
POOLED = (
    ("pooled", "left_out_summary", f"{_POOLED} and {_ALL}", "method of", "estimate low high"),
    ("goal", "left_out_summary", _GOAL, "method metric", "mean"),
)
_FIXED = f"{_POOLED} and {_ALL} and of == 'value' and method in {(*CONNECTED, 'iht', 'htp')}"
FIXED = (("fixed", "left_out_summary", _FIXED, "method of", "estimate low high"),)


def key_figures(run: Path, pooled: Path, fixed: Path) -> dict[str, float | str]:
    """Return the quoted figures by name, such as "graph-iht auc_mean".

    `run` is the folder of the study, after `snakemake controls permuted planted`; `pooled` and `fixed` are those of
    `make pooled`.
    """
    data = read_json(run / "data_summary.json")
    figures = {"patients": data["n_patients"], "events": data["n_events"]}
    figures |= {f"genes {key}": data[f"n_genes_{key}"] for key in ("measured", "named", "mapped")}
    figures |= {"genes in network": data["n_genes"]}
    figures |= {"known reachable": len(data["known_genes"])}
    figures |= {f"known {key}": data[f"known_genes_{key}"] for key in ("listed", "measured")}
    for folder, selections in ((run, STUDY), (pooled, POOLED), (fixed, FIXED)):
        for prefix, name, rows, keys, columns in selections:
            for row in _table(folder, name).query(rows).to_dict("records"):
                words = [*prefix.split(), *(_word(row[key]) for key in keys.split())]
                figures |= {" ".join([*words, column]): row[column] for column in columns.split()}
    common = _common_genes(pooled, "pooled") | _common_genes(fixed, "fixed")
    return figures | _pairs(run) | _ratios(run) | _genes(run) | _pooled(pooled) | common


def _table(run: Path, name: str) -> pd.DataFrame:
    return tables.read(run / f"{name if name in tables.TABLES else f'evidence/{name}'}.csv")


def _word(key: object) -> str:
    return f"{key:g}" if isinstance(key, int | float) else str(key)


def _pairs(run: Path) -> dict:
    """Return how many pairs of methods are different, equivalent and undecided."""
    counts = _table(run, "differences").groupby(["metric", "verdict"]).size()
    verdicts = ("different", "equivalent", "undecided")
    return {f"pairs {m} {v}": counts.get((m, v), 0) for m in ("auc", "balanced_error_tuned") for v in verdicts}


def _ratios(run: Path) -> dict:
    """Return the least and the largest ratio, and share of planted genes, of graph-htp at the strengths of the goal."""
    at = "strength in (2, 4) and method == 'graph-htp'"
    found = _table(run, "planted_summary").query(f"{at} and measure == 'recall'")["value"]
    ratios = _table(run, "planted_pairs").query(at).groupby("other")["ratio"]
    columns = {"share": found} | {other: ratios.get_group(other) for other in ("iht", "htp")}
    return {f"planted {name} {end}": getattr(own, end)() for name, own in columns.items() for end in ("min", "max")}


def _genes(run: Path) -> dict:
    frequent = _table(run, "frequencies").query(f"{_GRAPH} and frequency >= 0.5")
    pathway = _table(run, "pathways").query(f"{_GRAPH} and collection == 'wikipathways'").sort_values("p").iloc[0]
    return {
        "frequent genes": len(frequent),
        "frequent genes connected": frequent["connected"].sum(),
        "frequent genes known": frequent["known"].sum(),
        "genes in nine of ten folds": ", ".join(frequent.query("frequency > 0.9")["symbol"]),
    } | {f"pathway {key}": pathway[key] for key in ("name", "overlap", "genes_in_network", "expected", "q_matched")}


def _pooled(run: Path) -> dict:
    contrasts = _table(run, "left_out_summary").query(f"round == 'all' and {_ALL} and of != 'value'")
    patients = _table(run, "left_out_models").drop_duplicates("cohort")["patients"].sum()
    return {"pooled patients": patients, "pooled contrasts": len(contrasts)}


def _common_genes(run: Path, prefix: str) -> dict:
    """Return the genes that the models of all cohorts left out have in common, by method."""
    models = _table(run, "left_out_models")["cohort"].nunique()
    genes = _table(run, "left_out_genes").query(f"round == 'all' and models == {models}").groupby("method")["symbol"]
    common = genes.agg(", ".join).reindex(CONNECTED, fill_value="")
    return {f"{prefix} {name} genes in all models": common[name] for name in CONNECTED}


def main() -> None:
    """Write docs/key_figures.json, with six digits, so that a last bit changes nothing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", type=Path, default=Path("results/nki/scnet"))
    parser.add_argument("--pooled", type=Path, default=Path("results/pooled/scnet"))
    parser.add_argument("--fixed", type=Path, default=Path("results/fixed_size/pooled/scnet"))
    options = parser.parse_args()
    try:
        figures = key_figures(options.run, options.pooled, options.fixed)
    except StudyError as error:
        sys.exit(f"error: {error}")
    plain = {name: value if isinstance(value, str) else json.loads(f"{value:.6g}") for name, value in figures.items()}
    write_text(FIGURES, json.dumps(plain, indent=1) + "\n")
    write_text("docs/penalty.svg", to_svg(recovery_and_stability(_table(options.run, "lambda_path")), "penalty"))


if __name__ == "__main__":
    main()
