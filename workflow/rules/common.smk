# What all rules have in common: how a job is called, and what its results depend on. The configuration is complete.
import json
from functools import cache
from pathlib import Path

from snakemake.exceptions import WorkflowError

from study import methods, tables
from study.data.published_files import read_files
from study.data.registry import SAID
from study.data.sources import read_sources
from study.run import jobs, provenance

REPOSITORY = Path(str(workflow.current_basedir)).parents[1]
job = jobs.command_line
ENVIRONMENT = str(REPOSITORY / "environment.yml")
SIMULATIONS = f"{config['results']}/simulations"

def needs(name):
    return {}


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
    """The part of the configuration that a rule depends on, as one JSON argument.

    What is said of an own cohort for readers of the report is not in it.
    """
    own = {key: value for key, value in config["own"].items() if key not in (*SAID, "known_genes")}
    return json.dumps({key: own if key == "own" else config[key] for key in keys}, sort_keys=True)


def words(*keys):
    """A part of the configuration with what is said of an own cohort."""
    own = {key: config["own"].get(key) for key in (*SAID, "known_genes")}
    return json.dumps({key: config[key] for key in keys} | {"own": own}, sort_keys=True)


def stored(folder):
    """Where scripts find and put the results of a folder: there, or where Snakemake keeps copies of what is in a storage."""
    return lambda wildcards: copies_of(folder)


def copies_of(folder):
    provider = workflow.storage_registry.default_storage_provider
    if provider is None:
        return folder
    return str(provider.object(f"{workflow.storage_settings.default_storage_prefix.rstrip('/')}/{folder}").local_path())


SETTINGS = json.dumps(config, sort_keys=True)
FIT_KEYS = (
    "seed",
    "sparsities",
    "n_blocks",
    "lambdas",
    "extend_lambdas",
    "scsg_inner_steps",
    "scsg_option",
    "near_tie",
    "choose_by",
    "outcome",
    "refit",
    "n_components",
    "head",
    "slack",
    "edge_cost",
    "epochs",
    "tolerance",
)
SOURCES = read_sources(REPOSITORY / "data/sources.csv")
PUBLISHED_FILES = read_files(REPOSITORY / "data/published_files.csv")
PAGE_SOURCES = read_sources(REPOSITORY / "data/page_sources.csv")


def in_report(files, category, caption, run=None, **labels):
    """Outputs flagged for Snakemake's own report, under their run: by default each is labelled with its name."""
    flags = {"category": category, "subcategory": run, "caption": f"../report/{caption}.rst"}
    names = {file: labels or {"figure": Path(file).stem.replace("_", " ")} for file in files}
    return [report(file, labels=label, **flags) for file, label in names.items()]
