"""Read everything the report is written from; what is not there is left empty and named."""

from __future__ import annotations

import io
import json
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from study.data.studyfile import Study
from study.evidence.paper import against_paper, picked
from study.plan import EXTRAS
from study.report.contract import EVIDENCE, TEXT, check_columns
from study.report.fits import fits_table, traces_table
from study.run.errors import StudyError
from study.run.files import read_json
from study.cv.results import genes_table, metrics_table, summary_table, with_refits

FAILED = "diverged"


@dataclass
class Inputs:
    """The tables of a run. `missing` are (method, trial, fold) without a result, `damaged` unreadable files."""

    config: dict
    data: dict
    study: Study
    metrics: pd.DataFrame
    summary: pd.DataFrame
    genes: pd.DataFrame
    fits: pd.DataFrame
    traces: pd.DataFrame
    timings: pd.DataFrame
    published_metrics: pd.DataFrame
    published_genes: pd.DataFrame
    manifest: dict | None = None
    evidence: dict[str, pd.DataFrame] = field(default_factory=dict)
    simulations: dict[str, pd.DataFrame] = field(default_factory=dict)
    simulation_figures: dict[str, str] = field(default_factory=dict)
    missing: list[tuple[str, int, int]] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)

    @property
    def over_all(self) -> pd.DataFrame:
        """The summary over all folds, a row per method."""
        return self.summary[self.summary["trial"] == "all"]

    @property
    def methods(self) -> list[str]:
        """The methods with results, in the order of the run."""
        return self.over_all["method"].tolist()

    @property
    def selecting(self) -> list[str]:
        """The methods that select: fewer genes on average than there are."""
        return self.over_all.loc[self.over_all["n_nonzero_mean"] < self.data["n_genes"], "method"].tolist()

    @property
    def n_folds(self) -> int:
        """Folds per method of the full study."""
        return self.config["trials"] * self.config["folds"]

    @property
    def failed(self) -> pd.DataFrame:
        """The folds whose fit diverged."""
        return self.metrics[self.metrics["status"] == FAILED]

    @property
    def comparison(self) -> pd.DataFrame:
        """Ours beside the paper's."""
        return against_paper(self.summary, self.published_metrics, self.config["folds"])

    @property
    def picked(self) -> pd.DataFrame:
        """Per group of methods and fold the method of least inner error."""
        return picked(self.metrics)


def _through_csv(frame: pd.DataFrame, **options) -> pd.DataFrame:
    """Return the table as it comes back from its file, so that both ways to the page give the same bytes."""
    return pd.read_csv(io.StringIO(frame.to_csv(index=False)), **options)


def read_folds(run: Path, config: dict) -> tuple[list[dict], list[tuple[str, int, int]], list[str]]:
    """Return the folds that are there, those that are not, and the files that cannot be read."""
    folds, missing, damaged = [], [], []
    extras = [name for name in EXTRAS.values() if (run / "fits" / name).is_dir()]
    for method in dict.fromkeys([*config["methods"], *extras]):
        for trial in range(1, config["trials"] + 1):
            for fold in range(1, config["folds"] + 1):
                path = run / f"fits/{method}/trial-{trial:02d}/fold-{fold}.json"
                try:
                    folds.append(read_json(path))
                except FileNotFoundError:
                    missing.append((method, trial, fold))
                except (json.JSONDecodeError, UnicodeDecodeError):
                    missing.append((method, trial, fold))
                    damaged.append(path.relative_to(run).as_posix())
    return folds, missing, damaged


def read_evidence(folder: Path) -> dict[str, pd.DataFrame]:
    """Return the evidence tables that are there and have rows."""
    found = {}
    for name in EVIDENCE:
        path = folder / f"{name}.csv"
        if path.is_file():
            try:
                frame = pd.read_csv(path, dtype=TEXT)
            except pd.errors.EmptyDataError:
                continue
            if len(check_columns(frame, name, path)):
                found[name] = frame
    return found


def read_simulations(folder: Path | None) -> tuple[dict[str, pd.DataFrame], dict[str, str]]:
    """Return the tables and the figures (SVG text) of the synthetic experiments that are there."""
    if folder is None or not folder.is_dir():
        return {}, {}
    tables = {path.stem: pd.read_csv(path) for path in sorted(folder.glob("*.csv")) if path.stat().st_size}
    figures = {path.stem: path.read_text(encoding="utf-8") for path in sorted(folder.glob("figures/*.svg"))}
    return tables, figures


def collect_timings(run: Path) -> pd.DataFrame:
    """Return a row per fold with the seconds of its fits, of the jobs that have finished."""
    rows = [
        (timing["method"], timing["trial"], fold, seconds, timing["fits_per_fold"])
        for path in sorted(run.glob("timings/*/trial-*.json"))
        for timing in [read_json(path)]
        for fold, seconds in enumerate(timing["seconds"], 1)
    ]
    return pd.DataFrame(rows, columns=["method", "trial", "fold", "seconds", "fits_per_fold"])


def read_inputs(run: Path, config: dict, data: Path, simulations: Path | None, partial: bool) -> Inputs:
    """Return the inputs of the report of the run in the folder `run`.

    Parameters
    ----------
    run : Path
        results/<cohort>/<network>.
    config : dict
        The configuration of the run, complete.
    data : Path
        The folder of the published tables.
    simulations : Path or None
        The folder of the synthetic experiments.
    partial : bool
        Collect the fold files that are there instead of reading the finished tables.
    """
    if not (run / "study.npz").is_file():
        raise StudyError(
            f"{run}/study.npz: expected a study that was at least prepared, found none; run `make study`."
        )
    study = Study.load(run / "study.npz")
    text = {"symbol": str}
    missing, damaged = [], []
    if partial:
        folds, missing, damaged = read_folds(run, config)
        if not folds:
            raise StudyError(
                f"{run}/fits: expected at least one finished fold, found none; run `make study`."
            )
        whole = with_refits(folds)
        metrics = _through_csv(metrics_table(whole))
        summary = _through_csv(summary_table(metrics), dtype={"trial": str})
        genes = _through_csv(genes_table(whole, study), dtype=text)
        fits, traces = _through_csv(fits_table(whole)), _through_csv(traces_table(whole))
        timings = _through_csv(collect_timings(run))
    else:
        metrics = pd.read_csv(run / "metrics.csv")
        summary = pd.read_csv(run / "summary.csv", dtype={"trial": str})
        genes = pd.read_csv(run / "genes.csv", dtype=text)
        fits, traces = pd.read_csv(run / "fits.csv"), pd.read_csv(run / "traces.csv")
        timings = pd.read_csv(run / "timings.csv")
    tables, figures = read_simulations(simulations)
    manifest = run / "manifest.json"
    return Inputs(
        config=config,
        data=read_json(run / "data_summary.json"),
        study=study,
        metrics=metrics,
        summary=summary,
        genes=genes,
        fits=fits,
        traces=traces,
        timings=timings,
        published_metrics=pd.read_csv(data / "published_metrics.csv", dtype={"trial": str}),
        published_genes=pd.read_csv(data / "published_genes.csv"),
        manifest=read_json(manifest) if manifest.is_file() else None,
        evidence=read_evidence(run / "evidence"),
        simulations=tables,
        simulation_figures=figures,
        missing=missing,
        damaged=damaged,
    )
