# The configuration, the runs it asks for, and what all rules share. Reading this writes nothing, because on a cluster
# every job reads it again.
import json
import os
import re
import shlex
import sys

from snakemake.exceptions import WorkflowError

sys.path.insert(0, str(ROOT / "src"))

from study.config import complete, covariates_of, load_schema, located, outcome_is_cox, read, runnable, runs
from study.data.registry import COHORTS, GENE_SETS, NETWORKS, REPORT_ONLY_KEYS, files_of
from study.data.sources import paths_of, read_sources
from study.errors import StudyError
from study.methods import METHODS, PARTS, REFERENCE
from study.run.begin import begin, check_finished, one_line_per_step
from study.run.code import code_hash

# A dry run (-n, -np, ...) and --verbose print everything.
if not any(re.match("-[a-z]*n|--dry-?run|--verbose", argument) for argument in sys.argv[1:]):
    one_line_per_step(logger)
try:
    # Snakemake has merged these files already; reading them again finds keys that appear twice.
    for file in workflow.overwrite_configfiles:
        read(file)
    config.update(located(complete(config, load_schema(ROOT)), workflow.overwrite_configfiles, ROOT, Path.cwd()))
    possible, left_out = runnable(config)
    config.update(possible)
    if left_out:
        print(left_out, file=sys.stderr)
    RUNS = {(run.cohort, run.network): run for run in runs(config)}
    for run in RUNS.values():
        check_finished(run)
except StudyError as error:
    raise WorkflowError(str(error))


pathvars:
    results=config["results"],
    reports=config["reports"],


wildcard_constraints:
    cohort=r"[^/]+",
    network=r"[^/]+",
    method=r"[^/]+",
    trial=r"\d+",
    fold=r"\d+",


# The command of this run, for messages; `make` and `graphiht study` name themselves.
RESUME = os.environ.get("GRAPHIHT_RESUME", shlex.join(sys.argv))
# Keys of `own` that no data and no fit depends on.
NOT_OF_DATA = (*REPORT_ONLY_KEYS, "known_genes")
ENVIRONMENT = str(ROOT / "environment.yml")
# In the repository the paths of shipped files are relative, so that a moved repository re-runs nothing.
SHIPPED = Path() if ROOT == Path.cwd() else ROOT
DATA = SHIPPED / "data"
SOURCES = read_sources(ROOT / "data/sources.csv")
# All runs of a configuration have the same trials and folds.
FIRST = next(iter(RUNS.values())).config
TRIALS = [f"{trial:02d}" for trial in range(1, FIRST["trials"] + 1)]
FOLDS = range(1, FIRST["folds"] + 1)

# A command runs a script with the interpreter of Snakemake or, inside a rule's conda environment, with that of the
# environment.
CHOOSE_PYTHON = f'if [ "${{CONDA_PREFIX:-}}" = {shlex.quote(os.environ.get("CONDA_PREFIX", ""))} ]; '
CHOOSE_PYTHON += f"then PYTHON={shlex.quote(sys.executable)}; else PYTHON=python; fi"
# The real folder of the sources: compiled code is cached by path.
PATHS = f"PYTHONPATH={shlex.quote(str((ROOT / 'src').resolve()))} SCRIPTS={shlex.quote(str(ROOT / 'workflow/scripts'))}"
PATHS += f" PUBLISHED_BASE_URL={shlex.quote(config['published']['base_url'])}"
shell.prefix(f"set -euo pipefail; export {PATHS}; {CHOOSE_PYTHON}; ".replace("{", "{{").replace("}", "}}"))


def run_of(wildcards):
    """Return the run of a job."""
    return RUNS[wildcards.cohort, wildcards.network]


def cohort_of_job(wildcards):
    """Return the key of a job's cohort in the registry."""
    return "own" if wildcards.cohort not in COHORTS else wildcards.cohort


def code(script, rows=None):
    """Return a param that changes with the script and all it imports, so that an edit re-runs the rule.

    `rows` is a function of the wildcards: the rows of registries that a job depends on.
    """

    def code_hash_of_job(wildcards):
        found = rows(wildcards) if rows else []
        learners = {row.learner for row in found if hasattr(row, "learner")}
        learner = learners.pop() if len(learners) == 1 else ""
        return code_hash(ROOT / "workflow/scripts" / script, ROOT / "src", "".join(map(repr, found)), learner)

    return code_hash_of_job


def cohort_rows(wildcards):
    """Return the rows of a cohort and of those it consists of."""
    return [COHORTS[cohort_of_job(wildcards)], *(COHORTS[name] for name in members(wildcards))]


def method_row(wildcards):
    """Return the row of a method."""
    return [METHODS[wildcards.method]]


def settings(*keys):
    """Return a param with a part of the run's configuration as JSON, without what only the report shows."""

    def chosen(wildcards):
        part = {key: run_of(wildcards).config[key] for key in keys}
        if "own" in part:
            part["own"] = {key: value for key, value in part["own"].items() if key not in NOT_OF_DATA}
        return json.dumps(part, sort_keys=True)

    return chosen


def own_settings(wildcards):
    """Return the part of the configuration that reading an own cohort depends on, as JSON."""
    own = config["own"] if COHORTS[cohort_of_job(wildcards)].is_own else {}
    return json.dumps({key: value for key, value in own.items() if key not in NOT_OF_DATA}, sort_keys=True)


def members(wildcards):
    """Return the cohorts that a pooled cohort consists of."""
    return config["pooled"]["cohorts"] if COHORTS[cohort_of_job(wildcards)].is_pooled else []


def cohort_files(wildcards):
    """Return the files that a cohort is read from."""
    files = files_of(cohort_of_job(wildcards), members(wildcards))
    return list(paths_of(files, config["own"], SOURCES, DATA).values())


def network_files(wildcards):
    """Return the files that a network is read from."""
    return list(paths_of(NETWORKS[wildcards.network].files, config["own"], SOURCES, DATA).values())


def wheel(name):
    """Return the pinned wheel `name`."""
    return f"data/downloads/{SOURCES[name].file}"


PATHWAYS = [wheel(name) for name in dict.fromkeys(row.wheel for row in GENE_SETS.values())]


def known_genes(wildcards):
    """Return the table of genes known in the disease; for own cohorts the configuration names them."""
    return f"{DATA}/{'no_' if COHORTS[cohort_of_job(wildcards)].is_own else ''}known_genes.csv"
