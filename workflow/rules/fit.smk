# One rule per method, made from its row of the registry, so that `snakemake -R fit_sto_iht` re-runs that method and
# nothing else; likewise one per part that several methods share, the fits of one block. Each fold has files of its own.
# Starting a job costs as much as a second of fits, and Snakemake another half: so a job holds the folds of a trial, or all
# trials where their fits take less than a minute. `jobs: trial` and `jobs: fold` ask for smaller ones.
MOST_FOLDS = 200  # of a job: the names of its files are its command line


def is_quick(name):
    """Whether the fits of all trials make one job."""
    quick = not methods.METHODS[name].iterates if name in methods.METHODS else False
    return quick and len(TRIALS) * len(FOLDS) <= MOST_FOLDS


def read_trials(name):
    """The trials that a job reads the folds of: those of its method's usual job, also for one of less.

    Another set of inputs would run the others again. But with `jobs: trial` trials have nothing to do with one another,
    so that each can be submitted to a cluster by itself.
    """
    return TRIALS if is_quick(name) and config["jobs"] != "trial" else ["{trial}"]


def shape(name):
    """The trials and folds that a job of this name holds, as in the names of files, and what its log is called."""
    if config["jobs"] == "fold":
        return ["{trial}"], ["{fold}"], "trial-{trial}/fold-{fold}"
    if config["jobs"] == "auto" and is_quick(name):
        return TRIALS, FOLDS, "all"
    return ["{trial}"], FOLDS, "trial-{trial}"


def of_job(name, kind, ending="json"):
    """The files of a kind that one job of this name writes, one per fold."""
    trials, folds, _ = shape(name)
    return expand(f"{RUN}/{kind}/{name}/trial-{{trial}}/fold-{{fold}}.{ending}", trial=trials, fold=folds)


def shared_files(name):
    """The scores that a method takes over from the fits it has in common with others, of all folds it reads."""
    part = methods.METHODS[name].shared_part(config["n_blocks"]) if name in methods.METHODS else None
    files = f"{RUN}/shared/{methods.SHARED}{part}/trial-{{trial}}/fold-{{fold}}.npz"
    return expand(files, trial=read_trials(name), fold=FOLDS) if part else []


# By job: the rule's name, the kind of file, its ending, and the method whose learner it uses.
FIT_JOBS = {
    methods.SHARED + part: (f"share_{part}", "shared", "npz", methods.METHODS[methods.PARTS[part]])
    for part in SHARED_PARTS
}
FIT_JOBS |= {
    name: (methods.METHODS[name].rule, "fits", "json", methods.METHODS[name])
    for name in [*config["methods"], *methods.EXTRAS.values()]
}
# A grid of its own depends on less of the configuration.
OWN_GRID_KEYS = ("seed", "near_tie", "choose_by", "outcome", "n_components")

for name, (rule_name, kind, ending, method) in FIT_JOBS.items():

    rule:
        name:
            rule_name
        input:
            study=f"{RUN}/study.npz",
            splits=[f"{RUN}/splits/trial-{trial}.npz" for trial in read_trials(name)],
            shared=shared_files(name),
        output:
            folds=of_job(name, kind, ending),
            timings=of_job(name, "timings"),
        log:
            f"{RUN}/logs/fit/{name}/{shape(name)[2]}.log",
        benchmark:
            f"{RUN}/benchmarks/fit/{name}/{shape(name)[2]}.tsv"
        group:
            "fit"
        conda:
            ENVIRONMENT
        resources:
            **needs(rule_name),
        params:
            code=code_of("fit", method),
            name=name,
            settings=settings(*(FIT_KEYS if method.penalty == "lambda" else OWN_GRID_KEYS)),
        shell:
            job(
                "fit",
                input="study splits shared",
                params="name settings",
                output="folds timings",
            )


# What the study file was made from: a signature names each with its hash.
STUDY_FILES = [*located(NETWORK.files).values(), *cohort_files()]
SIGNATURES = expand(f"{RUN}/signatures/{{method}}.json", method=config["methods"])

for name in config["methods"]:

    rule:
        name:
            methods.METHODS[name].rule.replace("fit_", "fit_final_")
        input:
            study=f"{RUN}/study.npz",
            inputs=STUDY_FILES,
        output:
            signature=f"{RUN}/signatures/{name}.json",
            table=f"{RUN}/signatures/{name}.tsv",
        log:
            f"{RUN}/logs/final/{name}.log",
        benchmark:
            f"{RUN}/benchmarks/final/{name}.tsv"
        group:
            "results"
        conda:
            ENVIRONMENT
        resources:
            **needs(methods.METHODS[name].rule.replace("fit_", "fit_final_")),
        params:
            code=code_of("fit_final", methods.METHODS[name]),
            method=name,
            settings=settings(*FIT_KEYS, "inner_folds"),
            transform=config["own"]["transform"] if COHORT.is_own else "none",
        shell:
            job("fit_final", input="study inputs", params="method settings transform", output="signature table")


for target, name in methods.EXTRAS.items():

    rule:
        name:
            target
        input:
            fold_files([name]),
        localrule: True
