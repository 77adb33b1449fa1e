"""A made-up run on a small network, with every table the report can show, and the files of its report."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from conftest import REPOSITORY
from study import tables as registry
from study.config import complete, load_schema, runs
from study.cv.results import fold_tables
from study.data.sources import open_wheel
from study.data.studyfile import Study
from study.evidence.genes import gene_tables
from study.evidence.paper import against_paper, picked
from study.io import write_json
from study.report.inputs import Inputs, read_inputs
from study.report.page import SECTIONS, read_library, report_files, section_html, write_files

METHODS = ["iht", "graph-iht", "graph-svrg-iht", "ridge"]
N_GENES, N_PATIENTS, TRIALS, FOLDS = 40, 60, 2, 3
KNOWN = ["G01", "G02"]
PUBLISHED = REPOSITORY / "data/published_metrics.csv"
SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 50" width="100pt">'
    '<g id="a"><path d="M0 0L9 9"/></g></svg>\n'
)


def configuration() -> dict:
    given = {
        "cohort": "nki",
        "network": "scnet",
        "methods": METHODS,
        "trials": TRIALS,
        "folds": FOLDS,
        "inner_folds": 3,
        "sparsities": [5, 10],
        "lambdas": [0.1, 1],
        "epochs": [3, 10],
    }
    return runs(complete(given, load_schema(REPOSITORY)))[0].config


def make_study() -> Study:
    rng = np.random.default_rng(3)
    ring = np.c_[np.arange(N_GENES), (np.arange(N_GENES) + 1) % N_GENES]
    chords = np.c_[np.arange(0, 20), np.arange(20, 40)]
    edges = np.sort(np.vstack([ring, chords]), axis=1)
    entrez = np.arange(101, 101 + N_GENES)
    entrez[-1] = 0
    return Study(
        X=rng.normal(size=(N_PATIENTS, N_GENES)),
        y=(np.arange(N_PATIENTS) % 3 == 0).astype(np.int8),
        time=np.linspace(1, 12, N_PATIENTS),
        patients=np.array([f"P{i}" for i in range(N_PATIENTS)]),
        entrez=entrez,
        symbol=np.array([f"G{i:02d}" for i in range(N_GENES)]),
        counts=np.array([N_GENES] * 3),
        edges=edges,
        confidence=np.linspace(0.5, 1, len(edges)),
    )


def fold_result(method: str, trial: int, fold: int, rng: np.random.Generator) -> dict:
    """A fold file as the fits write them; the first genes are selected more often than the last."""
    ridge = method == "ridge"
    chosen = np.ones(N_GENES, bool) if ridge else rng.random(N_GENES) < np.linspace(1, 0.02, N_GENES)
    genes = np.flatnonzero(chosen)
    weights = rng.normal(size=len(genes)) + np.where(genes % 2, 3.0, -3.0)
    details = {} if ridge else {"n_solves": 12, "n_line_searches": 10, "n_line_searches_failed": 0}
    if not ridge:
        details["loss_trace"] = (0.7 * np.exp(-0.1 * np.arange(6))).tolist()
    if method == "graph-stability":
        details |= {"mean_selected": 6.0, "bound": 36.0 / (N_GENES * 0.4), "threshold": 0.1}
    return {
        "method": method,
        "trial": trial,
        "fold": fold,
        "balanced_error": float(rng.uniform(0.2, 0.4)),
        "auc": float(rng.uniform(0.6, 0.8)),
        "n_nonzero": len(genes),
        "sparsity": None if ridge else 10,
        "n_blocks": None if ridge else int(rng.integers(1, 3)),
        "max_epochs": None if ridge else 10,
        "smoothing": None,
        "n_components": 1,
        "status": "converged" if ridge or fold > 1 else "epoch limit",
        "lambda": None if ridge else 1,
        "C": 0.01 if ridge else None,
        "inner_error": float(rng.uniform(0.2, 0.4)),
        "threshold": 0.0,
        "balanced_error_tuned": float(rng.uniform(0.2, 0.4)),
        "intercept": 0.0,
        "genes": genes.tolist(),
        "weights": weights.tolist(),
        "epochs": 5,
        **({} if ridge else {"inner_path": [[lam, k, 0.3 + 0.01 * lam] for lam in (0.1, 1) for k in (3, 10)]}),
        **details,
    }


def make_run(folder: Path, methods: list[str] = METHODS, change=dict) -> Path:
    """Write the results of a run: study, data summary, manifest, fold files and the tables made of them.

    `change` turns the result of a fold into another.
    """
    rng = np.random.default_rng(5)
    study, config = make_study(), configuration()
    run = folder / "results/made-up/own"
    run.mkdir(parents=True)
    study.save(run / "study.npz")
    degree = {"minimum": 2.0, "lower_quartile": 3.0, "median": 3.0, "upper_quartile": 3.0, "maximum": 3.0}
    summary = {"n_patients": N_PATIENTS, "n_events": int(study.y.sum()), "survival_times": True}
    summary |= {
        "n_genes_measured": 2 * N_GENES,
        "n_genes": N_GENES,
        "n_edges": len(study.edges),
        "degree": degree,
        "known_genes": KNOWN,
        "known_genes_listed": 3,
    }
    write_json(run / "data_summary.json", summary)
    write_json(run / "manifest.json", {"finished": "2026-01-01", "python": "3.11", "commit": None, "packages": {}})
    places = [(m, t, f) for m in methods for t in range(1, TRIALS + 1) for f in range(1, FOLDS + 1)]
    folds = [change(fold_result(*place, rng)) for place in places]
    for fold in folds:
        write_json(run / "fits/{method}/trial-{trial:02d}/fold-{fold}.json".format(**fold), fold)
    frames = fold_tables(folds, study, config)
    timings = [{"method": m, "trial": t, "fold": f, "seconds": 0.5, "fits": 10} for m, t, f in places]
    paper = pd.read_csv(PUBLISHED, dtype={"trial": str})
    frames |= {
        "timings": pd.DataFrame(timings).assign(host="vm", finished="2026-01-01"),
        "comparison": against_paper(frames["summary"], paper, FOLDS),
        "picked": picked(frames["metrics"]),
    }
    nothing = {
        "known": pd.DataFrame({"entrez": [102, 103], "symbol": KNOWN}),
        "pathways": pd.DataFrame(columns=["collection", "pathway", "name", "genes"]),
        "published": pd.DataFrame(columns=["method", "symbol"]),
    }
    genes = gene_tables(study, frames["metrics"], frames["genes"], **nothing)
    write_tables(run, frames | {"evidence/frequencies": genes["evidence/frequencies"]})
    return run


def write_tables(run: Path, frames: dict[str, pd.DataFrame]) -> None:
    for name, frame in frames.items():
        registry.write(run / f"{name}.csv", frame)


def read_run(run: Path, config: dict | None = None) -> Inputs:
    """Read a run with all its tables, and the synthetic experiments beside it."""
    simulations = run.parents[1] / "simulations"
    return read_inputs(
        config or configuration(),
        *(str(run / name) for name in ("study.npz", "data_summary.json", "manifest.json")),
        sorted(map(str, [*run.glob("*.csv"), *run.glob("evidence/*.csv")])),
        sorted(map(str, [*simulations.glob("*.csv"), *simulations.glob("figures/*.svg")])),
    )


def section_of(run: Path, name: str, config: dict | None = None) -> str:
    """Return a section of the page as HTML."""
    inputs = read_run(run, config)
    part = SECTIONS[name][0].section(inputs)
    if name == "answer":
        part.numbers["not_run"] = []
    return section_html(name, part, str, number=1, title="", inputs=inputs)


def text_of(run: Path, name: str, config: dict | None = None) -> str:
    """Return the text of a section."""
    return plain(section_of(run, name, config))


def plain(html: str) -> str:
    """Return the text of a piece of HTML."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", html))


# What the columns of made-up tables of evidence hold, where a test says nothing else.
USUAL = {
    "auc": 0.66, "auc_refit": 0.65, "auc_std": 0.02, "balanced_error": 0.33, "balanced_error_std": 0.01, "error": 0.03,
    "low": 0.55, "high": 0.72, "difference": -0.02, "difference_low": -0.05, "difference_high": 0.01, "value": 0.6,
    "effect_size": -0.4, "p": 0.04, "p_auc": 0.3, "p_holm": 0.2, "p_matched": 0.0004, "p_likelihood_ratio": 0.05,
    "p_change": 0.2, "logrank_p": 0.00021, "q": 0.02, "q_matched": 0.04, "verdict": "undecided", "nogueira": 0.4,
    "jaccard": 0.3, "mean_jaccard": 0.3, "mean_genes": 12.5, "supports": 6, "known_in_network": 2, "union_found": 1,
    "union_genes": "G01", "average_precision": 0.31, "chance_precision": 0.05, "overlap": 3, "expected": 0.7,
    "genes_tested": 9, "pathways_tested": 12, "genes_in_network": 8, "genes": "G00;G01;G02", "hazard_ratio": 2.345,
    "hr_low": 1.1, "hr_high": 3.3, "split_at": 4.5,
    "ratio_before": 3.1, "ratio_after": 1.9, "concordance": 0.683, "concordance_low": 0.6, "concordance_high": 0.75,
    "n_high": 30, "n_low": 30, "patients": 50, "events": 12, "event_means": "death", "genes_used": 6,
    "genes_missing": 1, "missing": "G39", "random_median": 0.62, "random_low": 0.55, "random_high": 0.69,
    "share_as_good": 0.2, "share_as_good_refit": 0.3, "sets": 1000, "intercept": -0.25, "cut_off": 0.125,
    "sparsity": 6, "lambda": 0.1, "C": np.nan, "n_blocks": 2, "inner_error": 0.3, "status": "converged",
    "scaling": "training", "mean": 1.5, "scale": 2.5, "repetitions": 30, "seconds": 12.0, "draws": 30,
    "folds": 6, "failed": 0, "failed_a": 0, "failed_b": 0, "failed_folds": 0,
}  # fmt: skip


SAME_IN_ALL_ROWS = ("pathways", "signatures", "permuted_pathways")


def crossed(name: str, **values: object) -> pd.DataFrame:
    """Return a table of evidence: a row per combination of the values in lists, other numbers different in each row."""
    given = {key: value if isinstance(value, list) else [value] for key, value in values.items()}
    frame = pd.MultiIndex.from_product(given.values(), names=given).to_frame(index=False)
    columns = registry.columns(f"evidence/{name}")
    usual = {key: USUAL.get(key) for key in columns if key not in frame}
    # The page shows the rows of least p of some tables, and a number of one row of another.
    step = np.zeros(len(frame)) if name in SAME_IN_ALL_ROWS else 0.001 * np.arange(len(frame))
    varied = {key: (value + step).round(6) if isinstance(value, float) else value for key, value in usual.items()}
    return frame.assign(**varied)[columns]


def make_evidence(run: Path) -> dict[str, pd.DataFrame]:
    """Write one of every evidence table, with numbers of no meaning but of the right kind."""
    rng, study, grid = np.random.default_rng(11), make_study(), np.linspace(0, 1, 6)
    selecting, model = [name for name in METHODS if name != "ridge"], "graph-svrg-iht"
    metrics = ["auc", "balanced_error_tuned", "balanced_error", "n_nonzero"]
    survival = np.array([1.0, 0.9, 0.8, 0.75, 0.7, 0.6])
    groups, band = ["high", "low"], {"low": 0.4, "high": 0.9}
    tables = {
        "differences": crossed("differences", metric=metrics, method_a=METHODS, method_b=METHODS),
        "stability": crossed("stability", method=selecting),
        "jaccard": crossed("jaccard", method_a=selecting, method_b=selecting),
        "known": crossed("known", method=selecting),
        "pathways": crossed("pathways", method=selecting, pathway=[f"WP{i}" for i in range(12)]),
        "survival": crossed("survival", method=METHODS),
        "km": crossed("km", method=METHODS, group=groups, time=(12 * grid).tolist(), **band),
        "roc": crossed("roc", method=METHODS, false_positive_rate=grid.tolist(), **band),
        "calibration": crossed("calibration", method=METHODS, predicted=grid.tolist(), **band),
        "patients": crossed("patients", method=METHODS, patient=study.patients.tolist()),
        "outcomes": crossed("outcomes", outcome=["death in follow-up", "death within 5 years"], method=METHODS),
        "other_event": crossed("other_event", outcome=["metastasis", "death in follow-up"], method=METHODS),
        "external": crossed("external", cohort=["first", "second"], model=model),
        "external_km": crossed("external_km", cohort="first", model=model, group=groups, time=(12 * grid).tolist()),
        "external_differences": crossed("external_differences", cohort="first", model=model, baseline="ridge"),
        "random_sets": crossed("random_sets", cohort="first", model=model, genes=10),
        "added_value": crossed("added_value", cohort="first", model=model, covariates="age, stage"),
        "clinical": crossed("clinical", cohort="first", column="age", meaning="age at diagnosis", known=80, note=""),
        "signatures": crossed("signatures", method=METHODS),
        "final_models": crossed("final_models", method=METHODS, entrez=list(range(101, 107))),
        "controls": crossed("controls", control=["real", "labels", "network"], method=["graph-iht", "graph methods"]),
        "planted_summary": crossed(
            "planted_summary",
            size=[10, 30],
            effects=["equal", "mixed"],
            strength=[0, 2],
            method=["iht", "graph-iht"],
            measure=["recall", "precision", "near", "auc"],
        ),
        "union": pd.DataFrame(
            {"symbol": KNOWN, "in_network": [1, 1], "iht": [1, 0], "graph-iht": [1, 1], "paper_iht": [0, 1]}
        ),
    }

    def change(name: str, /, **columns: object) -> None:
        tables[name] = tables[name].assign(**columns)

    order = tables["differences"][["method_a", "method_b"]].map(METHODS.index)
    tables["differences"] = tables["differences"][order["method_a"] < order["method_b"]]
    number = tables["pathways"]["pathway"].str[2:].astype(int)
    change("pathways", collection=np.where(number % 2, "reactome", "wikipathways"), p=0.001 * (number + 1))
    change("pathways", name=[f"Path <{i}> & co" for i in number])
    for name in ("km", "external_km"):
        rows = len(tables[name]) // len(grid)
        change(name, survival=np.tile(survival, rows), at_risk=np.tile([30, 25, 20, 15, 9, 3], rows))
    change("roc", sensitivity=np.sqrt(tables["roc"]["false_positive_rate"]))
    predicted = tables["calibration"]["predicted"]
    change("calibration", bin=(5 * predicted).round().astype(int), observed=0.6 * predicted)
    change("calibration", predicted_prior=predicted / 2)
    risk, copies = rng.random(N_PATIENTS * len(METHODS)).round(4), len(METHODS)
    change("patients", risk=risk, score=risk - 0.5, group=np.where(risk > 0.5, "high", "low"))
    change("patients", time=np.tile(study.time, copies), event=np.tile(study.y, copies))
    genes = tables["final_models"]["entrez"] - 101
    change("final_models", symbol=[f"G{i:02d}" for i in genes], weight=0.1 - genes / 50)
    control = tables["controls"]["control"]
    change("controls", balanced_error=control.map({"real": 0.301, "labels": 0.497, "network": 0.309}))
    change("controls", repetitions=np.where(control == "real", 1, 30), p=np.where(control == "real", np.nan, 0.29))
    graph = tables["planted_summary"]["method"] == "graph-iht"
    change("planted_summary", without=np.where(graph, "iht", ""))
    write_tables(run, {f"evidence/{name}": table for name, table in tables.items()})
    return tables


# Names that would run a script, end one, or be a formula, if they were anything but text.
HOSTILE = {
    "G00": "<img src=x onerror=alert(1)>",
    "G01": "</script><script>alert(2)</script>",
    "G02": "$\\frac{$",
    "G03": "\"'&amp;<b>",
}


def make_hostile(run: Path) -> None:
    """Rename genes of a run with evidence to `HOSTILE`."""
    study = Study.load(run / "study.npz")
    names = np.array([HOSTILE.get(name, name) for name in study.symbol.tolist()])
    replace(study, symbol=names).save(run / "study.npz")
    summary = json.loads((run / "data_summary.json").read_text())
    known = sorted(HOSTILE.get(name, name) for name in summary["known_genes"])
    write_json(run / "data_summary.json", summary | {"known_genes": known})
    for path in [run / "genes.csv", *sorted(run.glob("evidence/*.csv"))]:
        table = pd.read_csv(path, dtype=str, keep_default_na=False)
        for old, new in HOSTILE.items():
            table = table.map(lambda cell, old=old, new=new: new if cell == old else cell.replace(f"{old};", f"{new};"))
        registry.write(path, table)


def make_simulations(folder: Path) -> Path:
    """Write the tables and a figure of the synthetic experiments."""
    place = folder / "results/simulations"
    (place / "figures").mkdir(parents=True)
    verdicts = [("step_size", "smaller steps are slower", "holds", "K = B/b: holds (shown)", "at 3 of 3 sizes", 10)]
    pd.DataFrame(verdicts, columns=["figure", "claim", "verdict", "found", "detail", "seeds"]).to_csv(
        place / "verdicts.csv", index=False
    )
    (place / "figures/step_size.svg").write_text(SVG)
    return place


def write_page(folder: Path, run: Path) -> str:
    """Write the report into `folder`/reports; return the page."""
    wheel = open_wheel(
        next((REPOSITORY / "data/downloads").glob("ipycytoscape-*.whl")), REPOSITORY / "data/page_sources.csv"
    )
    files = report_files(read_run(run), read_library(wheel))
    reports = folder / "reports"
    write_files(files, str(reports / "report.html"), str(reports / "figures"), str(reports / "summary.md"))
    return files["report.html"]
