"""Read everything the report is written from; what is not there is left empty and named."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from study import tables
from study.cv.results import fold_tables, with_refits
from study.data.registry import COHORTS, CohortSpec, cohort_of
from study.data.studyfile import Study
from study.errors import StudyError
from study.evidence.paper import against_paper, picked
from study.io import read_json
from study.methods import EXTRAS, uses_network
from study.report.agreement import check_agreement
from study.run.configuration import again

FAILED = "diverged"
EVIDENCE = "evidence/"
TABLES = ("metrics", "summary", "genes", "chosen", "paths", "fits", "traces", "timings", "comparison", "picked")


@dataclass
class Inputs:
    """The tables of a run. `missing` are (method, trial, fold) without a result, `damaged` unreadable files."""

    config: dict
    data: dict
    study: Study
    metrics: pd.DataFrame
    summary: pd.DataFrame
    genes: pd.DataFrame
    chosen: pd.DataFrame
    paths: pd.DataFrame
    fits: pd.DataFrame
    traces: pd.DataFrame
    timings: pd.DataFrame
    comparison: pd.DataFrame
    picked: pd.DataFrame
    published_metrics: pd.DataFrame
    manifest: dict | None = None
    cost: dict | None = None
    evidence: dict[str, pd.DataFrame] = field(default_factory=dict)
    simulations: dict[str, pd.DataFrame] = field(default_factory=dict)
    simulation_figures: dict[str, str] = field(default_factory=dict)
    missing: list[tuple[str, int, int]] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)

    @property
    def cohort(self) -> CohortSpec:
        """What is known of the cohort."""
        return cohort_of(self.config)

    @property
    def known_gene(self) -> str:
        """What a known gene is called."""
        return f"known {self.cohort.disease.replace(' ', '-')} gene" if self.cohort.disease else "known gene"

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
    def permuted_stability(self) -> dict[str, float]:
        """By method the mean stability on permuted outcomes, of those it was measured for."""
        table = self.evidence.get("permuted_summary")
        if table is None:
            return {}
        return table[table["statistic"] == "stability"].set_index("method")["permuted"].to_dict()

    @property
    def network_methods(self) -> list[str]:
        """The methods whose genes are connected in the network."""
        return [name for name in self.methods if uses_network(name)]

    @property
    def n_folds(self) -> int:
        """Folds per method of the full study."""
        return self.config["trials"] * self.config["folds"]

    @property
    def failed(self) -> pd.DataFrame:
        """The folds whose fit diverged."""
        return self.metrics[self.metrics["status"] == FAILED]


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
                except StudyError:
                    missing.append((method, trial, fold))
                    damaged.append(path.relative_to(run).as_posix())
    if not folds:
        raise StudyError(
            f"{run}/fits: expected at least one finished fold, found none; run `{again(config, 'make study')}`."
        )
    return folds, missing, damaged


def gather(
    run: Path, folds: list[dict], study: Study, published: pd.DataFrame, config: dict
) -> dict[str, pd.DataFrame]:
    """Return the `TABLES` of an unfinished run, from the folds that are there."""
    frames = fold_tables(with_refits(folds), study, config)
    timings = [read_json(path) for path in sorted(run.glob("timings/*/trial-*/fold-*.json"))]
    frames |= {
        "timings": pd.DataFrame(timings, columns=tables.columns("timings")),
        "comparison": against_paper(frames["summary"], published, config["folds"]),
        "picked": picked(frames["metrics"]),
    }
    return {name: tables.as_read(name, frame) for name, frame in frames.items()}


def read_evidence(run: Path) -> dict[str, pd.DataFrame]:
    """Return the evidence tables that are there and have rows, by name."""
    names = [name for name in tables.TABLES if name.startswith(EVIDENCE)]
    files = {name: tables.path(run, name) for name in names}
    present = [name for name, file in files.items() if file.is_file() and file.stat().st_size]
    frames = {name.removeprefix(EVIDENCE): tables.read(run, name) for name in present}
    return {name: frame for name, frame in frames.items() if len(frame)}


def read_inputs(run: Path, config: dict, published: Path, simulations: Path, partial: bool) -> Inputs:
    """Return the inputs of the report of the run in the folder `run`.

    Parameters
    ----------
    run : Path
        results/<cohort>/<network>.
    config : dict
        The configuration of the run, complete.
    published : Path
        The table of the paper's metrics.
    simulations : Path
        The folder of the synthetic experiments, which need not exist.
    partial : bool
        Collect the fold files that are there instead of reading the finished tables.
    """
    if not (run / "study.npz").is_file():
        raise StudyError(
            f"{run}/study.npz: expected a study that was at least prepared, found none; run "
            f"`{again(config, 'make study')}`."
        )
    study = Study.load(run / "study.npz")
    paper = pd.read_csv(published, dtype={"trial": str})
    folds, missing, damaged = read_folds(run, config)
    if partial:
        frames = gather(run, folds, study, paper, config)
    else:
        # A run of pooled cohorts has nothing to compare with the paper.
        frames = {
            name: tables.read(run, name)
            if study.is_pooled is False or tables.path(run, name).is_file()
            else tables.empty(name)
            for name in TABLES
        }
        check_agreement(run, frames, folds, missing, study, config)
        missing, damaged = [], []
    manifest, cost = (
        read_json(path) if path.is_file() else None for path in (run / "manifest.json", run / "benchmarks/cost.json")
    )
    data = read_json(run / "data_summary.json")
    if config["cohort"] in COHORTS and COHORTS[config["cohort"]].is_own:
        data["known_genes"] = sorted(set(config["own"]["known_genes"]) & set(study.symbol.tolist()))
    return Inputs(
        **frames,
        config=config,
        data=data,
        study=study,
        published_metrics=paper,
        manifest=manifest,
        cost=cost,
        evidence=read_evidence(run),
        simulations={path.stem: pd.read_csv(path) for path in sorted(simulations.glob("*.csv")) if path.stat().st_size},
        simulation_figures={
            path.stem: path.read_text(encoding="utf-8") for path in sorted(simulations.glob("figures/*.svg"))
        },
        missing=missing,
        damaged=damaged,
    )
