"""Read the tables that the page shows."""

from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from study import tables as registry
from study.data.registry import COHORTS, CohortSpec, cohort_of
from study.data.studyfile import Study
from study.figures.methods import GUESSING
from study.io import read_json
from study.methods import COVARIATES, headline, keeps_all
from study.metrics import metrics_of

FAILED = "diverged"
EVIDENCE = "evidence/"


@dataclass
class Inputs:
    """A run: its tables, and those of the synthetic experiments.

    Tables of the cross-validation are attributes, without rows where the run has none; `evidence` and `simulations`
    have only tables with rows.
    """

    config: dict
    data: dict
    study: Study
    manifest: dict
    metrics: pd.DataFrame
    summary: pd.DataFrame
    genes: pd.DataFrame
    chosen: pd.DataFrame
    paths: pd.DataFrame
    fits: pd.DataFrame
    traces: pd.DataFrame
    timings: pd.DataFrame
    comparison: pd.DataFrame
    comparison_trials: pd.DataFrame
    picked: pd.DataFrame
    evidence: dict[str, pd.DataFrame] = field(default_factory=dict)
    simulations: dict[str, pd.DataFrame] = field(default_factory=dict)
    simulation_figures: dict[str, str] = field(default_factory=dict)

    @property
    def cohort(self) -> CohortSpec:
        """The registry's row of the cohort."""
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
    def is_cox(self) -> bool:
        """Whether Cox's model was learned."""
        return self.leading == "concordance"

    @property
    def leading(self) -> str:
        """The metric that methods are judged by first: concordance of Cox's model, else AUC."""
        return metrics_of(self.metrics)[0]

    @property
    def leading_name(self) -> str:
        """What it is called in a sentence."""
        return "concordance" if self.is_cox else "AUC"

    @property
    def has_experiments(self) -> bool:
        """Whether there are experiments for such a study."""
        return not self.is_cox and COVARIATES not in self.methods

    @property
    def selecting(self) -> list[str]:
        """The methods that select fewer genes on average than the network has."""
        names = self.over_all.loc[self.over_all["n_nonzero_mean"] < self.data["n_genes"], "method"]
        return [name for name in names if not keeps_all(name)]

    def table(self, name: str) -> pd.DataFrame:
        """Return a table of `evidence`, without rows if the run does not have it."""
        return self.evidence.get(name, registry.empty(EVIDENCE + name))

    @property
    def frequencies(self) -> pd.DataFrame:
        """A row per selecting method and gene that it ever selected, with `known` for the genes of this report.

        `more`: higher expression, on its own, goes with more events; `opposite`: the weight has the other sign.
        """
        table = self.table("frequencies")
        table = table[table["method"].isin(self.selecting)].reset_index(drop=True)
        more = table["auc_alone"] > GUESSING
        known = table["symbol"].isin(self.data["known_genes"]).astype(int)
        return table.assign(known=known, more=more, opposite=(table["mean_weight"] > 0) != more)

    @property
    def permuted_stability(self) -> dict[str, float]:
        """The mean stability on permuted outcomes by method, where it was measured."""
        table = self.table("permuted_summary")
        return table[table["statistic"] == "stability"].set_index("method")["permuted"].to_dict()

    @property
    def n_folds(self) -> int:
        """Folds per method."""
        return self.config["trials"] * self.config["folds"]

    @property
    def failed(self) -> pd.DataFrame:
        """The folds whose fit diverged."""
        return self.metrics[self.metrics["status"] == FAILED]


def first_method(table: pd.DataFrame, column: str = "method") -> str | None:
    """Return the method of a table that stands for the graph approach, see `study.methods.headline`."""
    return headline(table[column].unique().tolist())


def read_inputs(
    config: dict, study: str, summary: str, manifest: str, tables: list[str], simulations: list[str]
) -> Inputs:
    """Return what the report of a run is written from.

    Parameters
    ----------
    config : dict
        The complete configuration of the run.
    study, summary, manifest : str
        Paths of study.npz, data_summary.json and manifest.json.
    tables : list of str
        Paths of the CSV tables of the run. Tables that are not in the list, or have no rows, count as absent.
    simulations : list of str
        Paths of CSV tables and SVG figures of the synthetic experiments; may be empty.
    """
    network, data = Study.load(study), read_json(summary)
    if COHORTS[config["cohort"]].is_own:
        known = set(config["own"]["known_genes"])
        data |= {"known_genes": sorted(known & set(network.symbol.tolist())), "known_genes_listed": len(known)}
    frames = {registry.name_of(path): registry.read(path) for path in tables}
    filled = {name: frame for name, frame in frames.items() if name.startswith(EVIDENCE) and len(frame)}
    folds = [name for name in Inputs.__annotations__ if name in registry.TABLES]
    files = [path for path in map(Path, simulations) if path.stat().st_size]
    return Inputs(
        config=config,
        data=data,
        study=network,
        manifest=read_json(manifest),
        **{name: frames.get(name, registry.empty(name)) for name in folds},
        evidence={name.removeprefix(EVIDENCE): frame for name, frame in filled.items()},
        simulations={path.stem: pd.read_csv(path) for path in files if path.suffix == ".csv"},
        simulation_figures={path.stem: path.read_text(encoding="utf-8") for path in files if path.suffix == ".svg"},
    )
