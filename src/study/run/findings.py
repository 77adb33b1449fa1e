"""The figures that the prose of the documentation quotes, gathered from results: `make findings`.

They are kept in docs/quoted/figures.json, and `make docs` writes the paragraphs of docs/quoted/*.j2 with them between
<!-- findings: name --> and <!-- end --> of a Markdown file, so that no number is typed. `make lint` compares.
"""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path

import jinja2
import pandas as pd

from study import tables
from study.data.registry import GENE_SETS
from study.evidence.differences import DIFFERENT, EQUIVALENT, UNDECIDED
from study.methods import HEADLINE, PAIRS, REFERENCE, uses_network
from study.report.sections.left_out import goal_sentence
from study.errors import StudyError
from study.io import read_json, write_text
from study.simulation.judging import REFUTED

FIGURES = "docs/quoted/figures.json"
TEMPLATES = "docs/quoted"
# Metrics of the summary by the names that templates use.
METRICS = {"auc": "auc", "error": "balanced_error_tuned", "half": "balanced_error", "genes": "n_nonzero"}


def of_study(run: Path) -> dict:
    """Return what is quoted of a finished study; parts of targets of their own only where they have been run."""
    figures: dict = {"data": read_json(run / "data_summary.json")}
    over_all = tables.read(run, "summary").query("trial == 'all'").set_index("method")
    figures["methods"] = {
        name: {key: row[f"{metric}_{kind}"] for key, metric, kind in _pairs()} for name, row in over_all.iterrows()
    }
    chosen = tables.read(run, "chosen")
    ends = chosen["share"].where(chosen["is_end"] == 1, 0.0).groupby(chosen["method"], sort=False).sum()
    figures["ends"] = ends.to_dict()
    figures["epochs"] = _shares(chosen, "max_epochs")
    differences = tables.read(run, "evidence/differences")
    figures["verdicts"] = {
        key: dict.fromkeys((DIFFERENT, EQUIVALENT, UNDECIDED), 0)
        | differences.loc[differences["metric"] == metric, "verdict"].value_counts().to_dict()
        for key, metric in METRICS.items()
        if key in ("auc", "error")
    }
    figures["n_pairs"] = int((differences["metric"] == "auc").sum())
    figures["folds"] = int(over_all["folds"].max())
    figures["pairs"] = _records(
        differences[differences["metric"] == "auc"], ["method_a", "method_b"], ["difference", "low", "high", "verdict"]
    )
    figures["stability"] = tables.read(run, "evidence/stability").set_index("method")["nogueira"].to_dict()
    frequencies = tables.read(run, "evidence/frequencies").query("method == @HEADLINE")
    stable = frequencies[frequencies["frequency"] >= 0.5]
    figures["genes"] = {
        "stable": len(stable),
        "connected": int(stable["connected"].sum()),
        "known": int(stable["known"].sum()),
        "always": stable.loc[stable["frequency"] > 0.9, "symbol"].tolist(),
    }
    pathways = tables.read(run, "evidence/pathways").query("method == @HEADLINE and collection == 'wikipathways'")
    pathways = pathways.assign(collection_label=[GENE_SETS[name].label for name in pathways["collection"]])
    figures["pathways"] = _records(
        pathways.sort_values("p").head(5),
        ["collection", "name"],
        ["overlap", "genes_in_network", "expected", "q_matched", "collection_label"],
    )
    figures["first_pathway"] = next(iter(figures["pathways"]), None)
    for name in ("survival", "known"):
        figures[name] = _records(tables.read(run, f"evidence/{name}"), ["method"])
    figures |= _where_run(run)
    return figures


def _pairs() -> list[tuple[str, str, str]]:
    means = [(key, metric, "mean") for key, metric in METRICS.items()]
    return means + [(f"{key}_std", metric, "std") for key, metric in METRICS.items()]


def _shares(chosen: pd.DataFrame, setting: str) -> dict:
    own = chosen[chosen["setting"] == setting]
    return {
        method: {f"{value:g}": share for value, share in zip(part["value"], part["share"], strict=True)}
        for method, part in own.groupby("method", sort=False)
    }


def _where_run(run: Path) -> dict:
    """Return figures of other cohorts and of targets of their own, where their tables are."""
    keys = {
        "external": (["cohort", "model"], ["auc", "low", "high", "patients", "events"]),
        "random_sets": (["cohort", "model"], ["share_as_good"]),
        "controls": (["control", "method"], ["balanced_error", "auc", "p", "p_auc", "repetitions"]),
    }
    figures = {}
    for name, by in keys.items():
        if f"evidence/{name}" in tables.TABLES and tables.path(run, f"evidence/{name}").is_file():
            figures[name] = _records(tables.read(run, f"evidence/{name}"), *by)
    if tables.path(run, "evidence/permuted_summary").is_file():
        table = tables.read(run, "evidence/permuted_summary")
        figures["permuted"] = {
            method: _records(own, ["statistic"], ["real", "permuted", "p", "repetitions"])
            for method, own in table.groupby("method", sort=False)
        }
    if tables.path(run, "evidence/planted_summary").is_file():
        table = tables.read(run, "evidence/planted_summary").query("measure == 'recall'")
        figures["planted"] = {
            f"{size:g}": _planted(own[own["method"] == HEADLINE], own[own["method"] == PAIRS[HEADLINE]])
            for size, own in table.groupby("size", sort=False)
        }
    return figures


def _planted(graph: pd.DataFrame, plain: pd.DataFrame) -> list[dict]:
    plain = plain.set_index("strength")["value"]
    return [
        {
            "strength": f"{row.strength:g}",
            "graph": row.value,
            "plain": plain[row.strength],
            "difference": row.difference,
            "low": row.difference_low,
            "high": row.difference_high,
        }
        for row in graph.itertuples()
    ]


def of_pooled(run: Path) -> dict:
    """Return what is quoted of pooled cohorts, each left out in turn."""
    by = ["round", "method", "metric", "cohorts", "of"]
    summary = _records(tables.read(run, "evidence/left_out_summary"), by, ["mean", "estimate", "low", "high", "tau"])
    values = _records(tables.read(run, "evidence/left_out"), ["round", "method", "metric", "cohort"], ["value"])
    models = tables.read(run, "evidence/left_out_models")
    genes = tables.read(run, "evidence/left_out_genes").query("method == @HEADLINE and round == 'all'")
    most = models[models["round"] == "all"].groupby("method", sort=False)["n_nonzero"].max()
    everywhere = genes[genes["models"] == models["cohort"].nunique()]
    sizes = models.drop_duplicates("cohort").set_index("cohort")
    return {
        "data": read_json(run / "data_summary.json"),
        "cohorts": _records(sizes.reset_index(), ["cohort"], ["patients", "events", "events_by_horizon"]),
        "summary": summary,
        "values": values,
        "most_genes": most.to_dict(),
        "everywhere": _records(everywhere, ["symbol"], ["mean_weight"]),
        "patients": int(sizes["patients"].sum()),
        "goal": goal_sentence(
            tables.read(run, "evidence/left_out_summary"), models, [name for name in most.index if uses_network(name)]
        ),
    }


def _records(table: pd.DataFrame, by: list[str], keys: list[str] | None = None) -> dict:
    """Return {joined key: row}; several columns of keys are joined by a slash."""
    keys = keys or [column for column in table.columns if column not in by]
    return {
        "/".join(str(row[name]) for name in by): {key: row[key] for key in keys} for row in table.to_dict("records")
    }


def gather(results: Path) -> dict:
    """Return the figures of the runs that the documentation is about, from the folder of results."""
    runs = {"study": (results / "nki/scnet", of_study), "pooled": (results / "pooled/scnet", of_pooled)}
    figures = {}
    for name, (run, read) in runs.items():
        if not (run / "manifest.json").is_file():
            raise StudyError(f"{run}: expected a finished run, found none; run `make {name}`.")
        figures[name] = read(run)
    if (results / "simulations/verdicts.csv").is_file():
        figures["simulations"] = of_simulations(results / "simulations")
    # Of config/networks.yaml, where it was run.
    if tables.path(results / "networks", "compare/runs").is_file():
        figures["networks"] = of_networks(results / "networks")
    return figures


def of_simulations(folder: Path) -> dict:
    """Return how many claims hold, and what the table of the theorem has of Gaussian designs."""
    judged = pd.read_csv(folder / "verdicts.csv")
    verdicts = judged["verdict"].value_counts()
    theory = pd.read_csv(folder / "theory.csv").query("design == 'Gaussian'")
    designs = theory.drop_duplicates(["sparsity", "mini_batch"])
    least = theory["sparsity"].min()
    return {
        "verdicts": verdicts.to_dict(),
        "claims": int(verdicts.sum()),
        "refuted": judged.loc[judged["verdict"] == REFUTED, "claim"].tolist(),
        "designs": {
            str(sparsity): {
                "nodes": int(own["nodes_of_supports"].iloc[0]),
                "alpha": own["alpha"].iloc[0],
                "ratio": dict(zip(own["mini_batch"].astype(str), own["ratio"], strict=True)),
            }
            for sparsity, own in designs.groupby("sparsity")
        },
        "observed": _records(
            theory[theory["sparsity"] == least], ["mini_batch", "eta"], ["observed", "factor_stated_proven"]
        ),
        "rows": int(theory["rows"].max()),
        "mini_batch": int(theory.loc[theory["mini_batch"].between(2, theory["rows"].max() - 1), "mini_batch"].iloc[0]),
    }


def of_networks(results: Path) -> dict:
    """Return the accuracy of one cohort on several networks, and how many frequent genes they share with the first."""
    runs = tables.read(results, "compare/runs")
    pairs = tables.read(results, "compare/overlaps")
    first = runs["run"].iloc[0]
    shared = pairs[pairs["run_a"] == first].set_index("run_b")
    return {
        name: {
            "genes": int(own["n_genes"].iloc[0]),
            "edges": int(own["n_edges"].iloc[0]),
            "auc": dict(zip(own["method"], own["auc"], strict=True)),
            "low": dict(zip(own["method"], own["auc_low"], strict=True)),
            "high": dict(zip(own["method"], own["auc_high"], strict=True)),
            "frequent": int(shared.loc[name, "frequent_b"]) if name in shared.index else None,
            "overlap": int(shared.loc[name, "overlap"]) if name in shared.index else None,
            "expected": float(shared.loc[name, "expected"]) if name in shared.index else None,
        }
        for name, own in runs.groupby("run", sort=False)
    }


def as_text(figures: dict) -> str:
    """Return the figures as JSON, rounded so that a last bit changes nothing."""

    def rounded(value):
        if isinstance(value, dict):
            return {str(key): rounded(each) for key, each in value.items()}
        if isinstance(value, list):
            return [rounded(each) for each in value]
        if isinstance(value, (bool, str, int)) or value is None:
            return value
        number = float(value)
        return None if not math.isfinite(number) else float(f"{number:.6g}")

    return json.dumps(rounded(figures), indent=1, sort_keys=True) + "\n"


def paragraphs(repository: Path, name: str) -> str:
    """Return one of the paragraphs with the figures in it."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(repository / TEMPLATES),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"d": _decimals, "signed": _signed, "p": _p, "about": _about, "names": ", ".join}
    figures = json.loads((repository / FIGURES).read_text(encoding="utf-8"))
    return environment.get_template(f"{name}.md.j2").render(**figures, headline=HEADLINE, reference=REFERENCE)


def _decimals(value: float, digits: int = 3) -> str:
    """Return a number without the zero before its point, as tables of the README have it."""
    text = f"{value:.{digits}f}"
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def _signed(value: float, digits: int = 3) -> str:
    return ("+" if value >= 0 else "-") + _decimals(abs(value), digits)


def _about(value: float) -> str:
    """Return two digits of a number that is large or small."""
    return f"{float(f'{value:.2g}'):,.0f}" if value >= 10 else f"{value:.2g}"


def _p(value: float) -> str:
    return "< 1e-6" if value < 1e-6 else f"= {value:.2g}"


def main() -> None:
    """Write the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--results", type=Path, default=Path("results"), help="the folder of results (default: results)"
    )
    write_text(Path(FIGURES), as_text(gather(parser.parse_args().results)))
    print(f"wrote {FIGURES}; `make docs` writes the paragraphs that quote it")


if __name__ == "__main__":
    main()
