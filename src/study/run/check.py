"""Check a configuration and its files before a run, in seconds: `make check`, `graphiht check`.

The functions are those of the first jobs of a run. Nothing is written but missing downloads.
"""

import argparse
import os
import sys
from dataclasses import dataclass
from pathlib import Path

from graphiht.tables import TableError, check_file, counted
from study.config import Run, load, resume_command, runnable, runs
from study.cv.outcome import Outcome
from study.cv.splits import make_splits
from study.data.networks import NO_NAMES
from study.data.published_files import fetch, read_blobs
from study.data.readers import prepare, read_cohort
from study.data.registry import COHORTS, NETWORKS, files_of
from study.data.sources import download, inputs_of, paths_of, read_sources
from study.data.studyfile import Cohort, Study
from study.data.summary import as_text
from study.errors import StudyError
from study.methods import METHODS

SOURCES, PUBLISHED = "data/sources.csv", "data/published_files.csv"
FEW_EVENTS = 20


@dataclass(frozen=True)
class Checked:
    """A run as it would be: its study, a summary, and warnings."""

    study: Study
    summary: dict
    warnings: list[str]


def check_run(run: Run) -> Checked:
    """Return what a run is made of; the working directory is the repository."""
    config = run.config
    members = config["pooled"]["cohorts"] if COHORTS[config["cohort"]].is_pooled else []
    files, edges = files_of(config["cohort"], members), NETWORKS[config["network"]].files
    _check_own_files([*files.values(), *edges.values()], config["own"])
    cohort = read_cohort(config["cohort"], config["own"], _inputs(files, config))
    origin = config["own"]["edges"] if config["network"] == "own" else f"network {config['network']}"
    inputs = _inputs(edges, config)
    known = f"data/{'no_' if COHORTS[config['cohort']].is_own else ''}known_genes.csv"
    study, summary = prepare(cohort, config, inputs, origin, known)
    outcome = Outcome.of(study, config)
    if not study.is_pooled:
        make_splits(outcome.y, config["seed"], 1, config["folds"], config["inner_folds"], known=outcome.known)
    return Checked(study, summary, _warnings(study, cohort, outcome))


# Core-seconds of a fit on 295 patients and 1,894 genes; a fit takes longer in proportion to patients x genes.
SECONDS_PER_FIT = {True: 0.010, False: 0.0036}


def estimate(config: dict, study: Study) -> float:
    """Return roughly how many core-seconds a run takes, start-up of jobs apart."""
    size, folds = study.X.size / (295 * 1894), config["trials"] * config["folds"] * config["inner_folds"]
    grid = len(config["sparsities"]) * len(config["lambdas"])
    seconds = 0.0
    for method in map(METHODS.get, config["methods"]):
        by_blocks = method.iterates and not method.mini_batch
        fits = max(len(method.own_blocks(config["n_blocks"])), 0.5) if by_blocks else method.cost
        seconds += folds * grid * fits * SECONDS_PER_FIT[method.uses_network]
    return size * seconds


def _check_own_files(places: list[str], own: dict) -> None:
    """Raise StudyError at a file of the user that cannot be read, before anything is downloaded."""
    try:
        for kind, _, key in (place.partition(":") for place in places):
            if kind == "own":
                check_file(own[key])
    except TableError as error:
        raise StudyError(str(error)) from None


def _inputs(files: dict[str, str], config: dict) -> dict:
    """Return what a reader is called with; downloads that are not there are fetched first."""
    sources = read_sources(SOURCES)
    paths = paths_of(files, config["own"], sources)
    for key, path in paths.items():
        kind, _, name = files[key].partition(":")
        if kind == "wheel" and not Path(path).is_file():
            download(sources[name], path)
        if kind == "published" and not Path(path).is_file():
            fetch(config["published"]["base_url"], read_blobs(PUBLISHED)[name], path)
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
        found.append(f"only {share:.0%} of the measured genes are in the network's largest connected part. {NO_NAMES}")
    return [*found, outcome.warning] if outcome.warning else found


def as_lines(run: Run, checked: Checked, cores: int) -> list[str]:
    """Return what a user reads about a run."""
    config, minutes = run.config, estimate(run.config, checked.study) / cores / 60
    return [
        as_text(checked.summary, config).strip().removeprefix("# "),
        *(f"warning: {text}" for text in checked.warnings),
        f"a run: {counted(len(config['methods']), 'method')}, {counted(config['trials'], 'trial')} of "
        f"{config['folds']} folds; very roughly {max(round(minutes), 1)} min on {counted(cores, 'core')}",
        f"results: {run.folder}; report: {run.report}",
    ]


def check(path: str | Path, repository: Path, cores: int) -> list[Checked]:
    """Print what is in the files of a configuration; raise StudyError at what would stop a run."""
    config, left_out = runnable(load(path, repository))
    if left_out:
        print(f"warning: {left_out}\n")
    os.chdir(repository)
    found = []
    for run in runs(config):
        found.append(check_run(run))
        print("\n".join(as_lines(run, found[-1], cores)), end="\n\n")
    print(f"No problems found. To run the study: {resume_command(config)}", flush=True)
    return found


def main() -> None:
    """Check the configuration named on the command line; with --quick only the configuration itself."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("config", help="the configuration")
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1, help="of your machine (%(default)s)")
    parser.add_argument("--quick", action="store_true", help="read no data")
    arguments, repository = parser.parse_args(), Path(__file__).parents[3]
    try:
        if arguments.quick:
            load(arguments.config, repository)
        else:
            check(arguments.config, repository, arguments.cores)
    except StudyError as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
