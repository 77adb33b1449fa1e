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
from study.io import write_json, write_text
from study.report.inputs import Inputs, read_inputs
from study.report.page import SECTIONS, read_library, report_files, section_html

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
    summary |= {"n_genes": N_GENES, "n_edges": len(study.edges), "degree": degree, "known_genes": KNOWN}
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
        str(PUBLISHED),
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
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", section_of(run, name, config)))


def curve(keys: dict, x: str, y: str, values: np.ndarray, at: np.ndarray, **more: object) -> pd.DataFrame:
    return pd.DataFrame({**keys, x: at, y: values, "low": values - 0.05, "high": values + 0.05, **more})


def make_evidence(run: Path) -> dict[str, pd.DataFrame]:
    """Write one of every evidence table, with numbers of no meaning but of the right kind."""
    rng = np.random.default_rng(11)
    selecting = [name for name in METHODS if name != "ridge"]
    pairs = [(a, b) for i, a in enumerate(METHODS) for b in METHODS[i + 1 :]]
    grid = np.linspace(0, 1, 6)
    tables = {}

    def add(name: str, rows: list[tuple]) -> None:
        tables[name] = pd.DataFrame(rows, columns=registry.columns(f"evidence/{name}"))

    metrics = ("auc", "balanced_error_tuned", "balanced_error", "n_nonzero")
    add(
        "differences",
        [
            (a, b, metric, *rng.normal(size=5).round(4), *rng.random(2).round(4), "undecided", 6, 0, 0)
            for metric in metrics
            for a, b in pairs
        ],
    )
    add(
        "ranks",
        [(metric, name, i + 1.5, 2 if name == "iht" else 0) for metric in metrics for i, name in enumerate(METHODS)],
    )
    add("cliques", [(metric, 1, name, 0) for metric in metrics for name in METHODS[:2]])
    add("stability", [(name, *rng.random(4).round(6), 12.5, 6, 0) for name in selecting])
    add("jaccard", [(a, b, round(rng.random(), 4), 0, 0) for a in selecting for b in selecting])
    add("known", [(name, 2, 1, "G01", *rng.random(2).round(5), 1, 0.25, 0.0004, 9, 0) for name in selecting])
    tables["union"] = pd.DataFrame(
        {"symbol": KNOWN, "in_network": [1, 1], "iht": [1, 0], "graph-iht": [1, 1], "paper_iht": [0, 1]}
    )
    add(
        "pathways",
        [
            (
                *(name, ("wikipathways", "reactome")[i % 2], f"WP{i}", f"Path <{i}> & co"),
                *(8, 3, 0.7, 0.001 * (i + 1), 0.02, 0.003, 0.04),
                *("G00;G01;G02", 9, 12, 0),
            )
            for name in selecting
            for i in range(12)
        ],
    )
    add(
        "survival",
        [(name, 30, 30, 2.345, 1.1, 4.2, 0.00021, 4.5, 3.1, 1.9, 0.2, 0.683, 0.6, 0.75, 0) for name in METHODS],
    )
    survival = np.array([1.0, 0.9, 0.8, 0.75, 0.7, 0.6])
    at_risk = [30, 25, 20, 15, 9, 3]
    tables["km"] = pd.concat(
        curve({"method": name, "group": group}, "time", "survival", survival - shift, 12 * grid, at_risk=at_risk)
        for name in METHODS
        for group, shift in (("high", 0.2), ("low", 0.0))
    )
    tables["roc"] = pd.concat(
        curve({"method": name}, "false_positive_rate", "sensitivity", np.sqrt(grid), grid) for name in METHODS
    )
    tables["calibration"] = pd.concat(
        curve(
            {"method": name, "bin": range(6)},
            "predicted",
            "observed",
            grid * 0.6,
            grid,
            patients=10,
            predicted_prior=grid / 2,
        )
        for name in METHODS
    )
    study = make_study()
    add(
        "patients",
        [
            (name, patient, float(risk), float(risk) - 0.5, time, event, "high" if risk > 0.5 else "low")
            for name in METHODS
            for patient, risk, time, event in zip(
                study.patients, rng.random(N_PATIENTS).round(4), study.time, study.y, strict=True
            )
        ],
    )
    add(
        "outcomes",
        [
            (outcome, name, 50, 12, 0.71, 0.6, 0.8, 0.33, 0)
            for outcome in ("death in follow-up", "death within 5 years")
            for name in METHODS
        ],
    )
    model = "graph-svrg-iht"
    numbers = (0.77, 0.64, 0.55, 0.72, 1.9, 1.1, 3.3, 0.012, 1.4, 1.1, 1.8)
    add(
        "external",
        [
            (cohort, model, 90, 30, "death", 9, 1, "G39", 0.66, low, *numbers)
            for cohort, low in (("first", 0.55), ("second", 0.48))
        ],
    )
    tables["external_km"] = pd.concat(
        curve(
            {"cohort": "first", "model": model, "group": group},
            "time",
            "survival",
            survival,
            12 * grid,
            at_risk=5,
        )
        for group in ("high", "low")
    )
    add("external_differences", [("first", model, "ridge", -0.02, -0.09, 0.05, 0.4)])
    add("random_sets", [("first", model, 0.66, 0.62, 0.55, 0.69, 0.2, 1000, 10, 0.65, 0.3)])
    add("added_value", [("first", model, "age, stage", 80, 25, 1.5, 1.01, 2.2, 0.04, 0.05)])
    add("clinical", [("first", "age", "age at diagnosis", 80, "")])
    add(
        "signatures",
        [(name, 6, -0.25, 0.125, 6, 0.1, np.nan, 2, 0.3, "converged", 50, 12, "training") for name in METHODS],
    )
    add("final_models", [(name, f"G{i:02d}", 101 + i, 0.1 - i / 50, 1.5, 2.5) for name in METHODS for i in range(6)])
    controls = (("real", 1, 0.301, np.nan), ("labels", 30, 0.497, 0.032), ("network", 30, 0.309, 0.29))
    add(
        "controls",
        [
            (control, name, n, error, 0.01, 0.7, 0.02, p, 12.0, p, -0.01, -0.03, 0.01, 50, 0.4, 0)
            for control, n, error, p in controls
            for name in ("graph-iht", "graph methods")
        ],
    )
    add(
        "controls_repetitions",
        [
            (control, name, i, error + i / 1000, 0.7, 50, 0.4, 0)
            for control, n, error, _ in controls
            for name in ("graph-iht", "graph methods")
            for i in range(n)
        ],
    )
    found = (0.2, 0.1, 0.3)
    add(
        "planted_summary",
        [
            (size, strength, name, measure, 30, *found, without, *((0.05, -0.02, 0.12) if without else (np.nan,) * 3))
            for size in (10, 30)
            for strength in (0, 2)
            for name, without in (("iht", ""), ("graph-iht", "iht"))
            for measure in ("recall", "precision", "near", "auc")
        ],
    )
    add("rewired_pathways", [("graph-iht", "wikipathways", "WP1", "Path <1> & co", 8, 3, 1.4, 0.04, 30)])
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
    for name, text in files.items():
        write_text(folder / "reports" / name, text)
    return files["report.html"]
