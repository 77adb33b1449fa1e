"""The settings that a run's fits were made with, kept beside them so that other settings never replace them unasked."""

from __future__ import annotations

from pathlib import Path

from study.errors import StudyError
from study.io import read_json

KEYS = (
    "seed",
    "folds",
    "inner_folds",
    "sparsities",
    "n_blocks",
    "lambdas",
    "extend_lambdas",
    "scsg_inner_steps",
    "scsg_option",
    "near_tie",
    "choose_by",
    "refit",
    "n_components",
    "head",
    "slack",
    "edge_cost",
    "epochs",
    "tolerance",
    "outcome",
    "min_confidence",
    "coexpression_neighbours",
    "pooled",
)
OWN = ("genes_in", "transform", "missing", "duplicates", "unknown_genes", "event", "time")
FILE = "settings.json"


def identity(config: dict) -> dict:
    """Return what the fits of a run depend on; trials and methods can be added to a run, so they are not part of it."""
    own = {f"own: {key}": config["own"].get(key) for key in OWN} if config["cohort"] == "own" else {}
    return {key: config[key] for key in KEYS} | own


def differences(run: str | Path, config: dict) -> list[str]:
    """Return in what the finished fits of a run differ from a configuration, as "seed 1 (now 2)"; nothing without fits.

    Where the run does not say, its manifest does, if it came to its end.
    """
    run = Path(run)
    if not any(run.glob("fits/*/trial-*/fold-*.json")):
        return []
    try:
        then = read_json(run / FILE)
    except (OSError, StudyError):
        try:
            then = {key: value for key, value in read_json(run / "manifest.json")["config"].items() if key in KEYS}
        except (OSError, StudyError, KeyError):
            return []
    now = identity(config)
    return [f"{key} {then[key]} (now {now[key]})" for key in now if key in then and then[key] != now[key]]
