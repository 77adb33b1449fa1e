# The fold files of a run, of every method, and what its progress is measured against.
import shlex

from study.run import configuration, identity


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
    """Stop when results of methods or trials that the configuration leaves out would vanish from the tables."""
    present = {path.name for path in Path(f"{RUN}/fits").glob("*") if path.is_dir()}
    left_out = sorted(present - {*config["methods"], *methods.EXTRAS.values()})
    trials = {path.name.removeprefix("trial-") for path in Path(f"{RUN}/fits").glob("*/trial-*")}
    left_out += [f"trial {trial}" for trial in sorted(trials - set(TRIALS))]
    if left_out:
        fits = workflow.modifier.modify_rulename(methods.METHODS[config["methods"][0]].rule)
        raise WorkflowError(
            f"config: methods, trials: {RUN}/fits holds results of {', '.join(left_out)}, which the configuration leaves "
            f"out, so the tables would lose them. To re-run one method: {configuration.again(config, 'snakemake', '-R', fits)}. "
            f"To drop one for good, delete its folder. For a separate run, set results and reports to other folders."
        )


def refuse_other_settings():
    """Stop when fits of other settings would be replaced."""
    changed = identity.differences(RUN, config)
    if changed:
        apart = configuration.again(config, "snakemake", "--config", "results=results/other", "reports=reports/other")
        raise WorkflowError(
            f"config: {RUN} holds fits of other settings, which this run would replace: {'; '.join(changed)}. To keep both: "
            f"{apart}. To replace them: rm -r {shlex.quote(RUN)}"
        )


refuse_partial_summary()
refuse_other_settings()
