# What several rules read or write: patterns of files, and functions of the wildcards of a job.
import hashlib

from study.data.published_files import read_blobs

PUBLISHED_FILES = read_blobs(ROOT / "data/published_files.csv")
# A quick method fits all its folds in a minute or less (see study.methods), so they are one job.
QUICK = [name for name in METHODS if METHODS[name].is_quick]
SLOW = [name for name in METHODS if not METHODS[name].is_quick]
COLLECTED = ["metrics", "genes", "summary", "chosen", "paths", "fits", "traces", "timings"]
COLLECTED += ["evidence/signatures", "evidence/final_models"]
COMPARISONS = ["comparison", "picked", "comparison_trials", "evidence/differences"]
EVIDENCE = {
    "all_genes": ["all_genes"],
    "genes": ["frequencies", "stability", "jaccard", "known", "union", "pathways"],
    "patients": ["patients", "survival", "km", "roc", "calibration", "outcomes", "other_event"],
    "external": ["external", "external_km", "external_differences", "random_sets", "clinical", "added_value"],
    "left_out": [f"left_out{part}" for part in ("", "_differences", "_summary", "_models", "_genes", "_value")]
    + ["strata"],
}
# Files of a run, by their wildcards. `name` is a method, or shared-<part>.
SPLITS = "<results>/{cohort}/{network}/splits/trial-{trial}.npz"
SCORES = "<results>/{cohort}/{network}/shared/{part}/trial-{trial}/fold-{fold}.npz"
FOLD = "<results>/{cohort}/{network}/fits/{method}/trial-{trial}/fold-{fold}.json"
TIMING = "<results>/{cohort}/{network}/timings/{name}/trial-{trial}/fold-{fold}.json"
SIGNATURE = "<results>/{cohort}/{network}/signatures/{method}.json"
TABLE = "<results>/{cohort}/{network}/{table}.csv"
# Of a run: the fold files of all methods, their signatures, and what all fits took, with those that methods share.
FOLD_FILES = expand(FOLD, method=config["methods"], trial=TRIALS, fold=FOLDS, allow_missing=True)
SIGNATURES = expand(SIGNATURE, method=config["methods"], allow_missing=True)
SHARED = sorted({METHODS[method].shared_part(config["n_blocks"]) for method in config["methods"]} - {None})
TIMED = [*config["methods"], *(f"shared-{part}" for part in SHARED)]
TIMINGS = expand(TIMING, name=TIMED, trial=TRIALS, fold=FOLDS, allow_missing=True)


def stored_folds(wildcards):
    """Return the published files with the outer folds of all trials, if the configuration asks for those folds."""
    if not COHORTS[cohort_of_job(wildcards)].is_papers or config["published"]["splits"] != "stored":
        return []
    names = sorted(name for name in PUBLISHED_FILES if name.startswith("overlap_data_"))
    if len(TRIALS) > len(names):
        raise WorkflowError(
            f"config: trials: there are stored folds for {len(names)} trials, not for {len(TRIALS)}. For more trials set "
            "published: splits: ours."
        )
    return [f"data/downloads/published/{name}" for name in names[: len(TRIALS)]]


def shared_part(wildcards):
    """Return the part whose one-block fits the method shares with others, if it shares any."""
    return METHODS[wildcards.method].shared_part(config["n_blocks"]) or []


def evidence(part):
    """Return the tables of a part of the evidence."""
    return expand(TABLE, table=[f"evidence/{table}" for table in EVIDENCE[part]], allow_missing=True)


def external(wildcards):
    """Return the cohorts that models of a cohort are tested in."""
    return COHORTS[cohort_of_job(wildcards)].external


def batches(repetitions, size):
    """Return the numbers 1..repetitions in batches: starting a job takes as long as a second of fits."""
    numbers = range(1, repetitions + 1)
    return {f"{first // size + 1:03d}": [*numbers[first : first + size]] for first in range(0, repetitions, size)}


def experiment_rows(wildcards):
    """Return the rows of the methods that a job of an experiment runs."""
    if wildcards.experiment == "permuted":
        return [METHODS[wildcards.part]]
    return [METHODS[name] for name in config[wildcards.experiment]["methods"]]


def experiment_settings(wildcards):
    """Return the part of the configuration that a repetition depends on, as JSON; their number is no part of it."""
    run, experiment = run_of(wildcards).config, wildcards.experiment
    part = {key: run[key] for key in (*FIT_KEYS, "folds", "inner_folds")}
    if experiment in ("controls", "planted"):
        part[experiment] = {"methods": run[experiment]["methods"]}
    return json.dumps(part, sort_keys=True)


def experiment_tables(experiment, tables):
    """Return the tables of an experiment on all runs."""
    cohorts = {run.config["cohort"] for run in RUNS.values()}
    if any(COHORTS[name].is_pooled for name in cohorts):
        raise WorkflowError(f"{experiment}: not for pooled cohorts, whose folds are cohorts. Run it on one cohort.")
    if outcome_is_cox(config) or covariates_of(config):
        raise WorkflowError(f"{experiment}: for studies of event status without covariates only.")
    return [f"{run.folder}/{table}.csv" for run in RUNS.values() for table in tables]


def experiments_run(wildcards):
    """Return the tables and figures of experiments that have been run.

    They are no inputs: the study would run an experiment again whenever its code has changed.
    """
    folder, simulations = Path(run_of(wildcards).folder), Path(config["results"]) / "simulations"
    files = [folder / f"{table}.csv" for tables, _ in EXPERIMENTS.values() for table in tables]
    files += [simulations / f"{table}.csv" for row in SIMULATIONS.values() for table in row.tables]
    files += [simulations / f"figures/{figure}.svg" for row in SIMULATIONS.values() for figure in row.figures]
    return [str(file) for file in [*files, simulations / "verdicts.csv"] if file.is_file()]


def whole_config(wildcards):
    """Return the configuration of a run as JSON, without what a job holds."""
    kept = {key: value for key, value in run_of(wildcards).config.items() if key != "jobs"}
    return json.dumps(kept, sort_keys=True)


def tables_of_run(wildcards):
    """Return the tables that the report of a run is made from."""
    row = COHORTS[cohort_of_job(wildcards)]
    parts = ["genes", "left_out" if row.is_pooled else "patients"]
    parts += ["external"] if row.external else []
    parts += ["all_genes"] if REFERENCE in config["methods"] and not row.is_pooled else []
    names = [*COLLECTED, *([] if row.is_pooled else COMPARISONS)]
    names += [f"evidence/{table}" for part in parts for table in EVIDENCE[part]]
    return expand(TABLE, table=names, allow_missing=True)


def texts_of_run(wildcards):
    """Return the results of a run that are no tables."""
    names = [f"signatures/{method}.tsv" for method in config["methods"]] + ["data_summary.json", "data_summary.md"]
    names += ["network.graphml"]
    names += [] if COHORTS[cohort_of_job(wildcards)].is_pooled else ["comparison.md"]
    return expand("<results>/{{cohort}}/{{network}}/{name}", name=names)


def results_of(run):
    """Return all that a run makes, by name: so a deleted file is made again."""
    files = [*FOLD_FILES, *SIGNATURES, *tables_of_run(run), *texts_of_run(run)]
    files += expand("<results>/{{cohort}}/{{network}}/{name}", name=["SHA256SUMS", "ro-crate-metadata.json"])
    return expand([*files, "<reports>/{cohort}-{network}/report.html"], cohort=run.cohort, network=run.network)
