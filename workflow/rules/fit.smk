# One rule per method, made from its row of the registry, so that `snakemake -R fit_sto_iht` re-runs that method and
# nothing else; likewise one per part that several methods share, the fits of one block. Each fold has files of its own. A
# job holds the folds of a trial, because starting one costs as much as a second of fits, or, with `jobs: fold`, one fold.
if config["jobs"] == "trial":
    FOLDS_OF_A_JOB, JOB = FOLDS, "trial-{trial}"
else:
    FOLDS_OF_A_JOB, JOB = ["{fold}"], "trial-{trial}/fold-{fold}"


def of_job(kind, name, ending="json"):
    """The files of a kind that one job reads or writes, one per fold."""
    return [f"{RUN}/{kind}/{name}/trial-{{trial}}/fold-{fold}.{ending}" for fold in FOLDS_OF_A_JOB]


def shared_files(name):
    """The scores of a trial that a method takes over from the fits it has in common with others.

    Of all its folds, also for a job of one: another set of inputs would run the others again.
    """
    part = methods.METHODS[name].shared_part(config["n_blocks"])
    folder = f"{RUN}/shared/{methods.SHARED}{part}/trial-{{trial}}"
    return [f"{folder}/fold-{fold}.npz" for fold in FOLDS] if part else []


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
            splits=f"{RUN}/splits/trial-{{trial}}.npz",
            shared=shared_files(name) if name in methods.METHODS else [],
        output:
            folds=of_job(kind, name, ending),
            timings=of_job("timings", name),
        log:
            f"{RUN}/logs/fit/{name}/{JOB}.log",
        benchmark:
            f"{RUN}/benchmarks/fit/{name}/{JOB}.tsv"
        group:
            "fit"
        conda:
            ENVIRONMENT
        resources:
            **FITS,
        params:
            code=code_of("fit", method),
            name=name,
            progress=lambda wildcards: PROGRESS,
            settings=settings(*(FIT_KEYS if method.penalty == "lambda" else OWN_GRID_KEYS)),
        shell:
            job(
                "fit",
                input="study splits shared",
                wildcards="trial",
                params="name settings progress",
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
            "final"
        conda:
            ENVIRONMENT
        resources:
            **FITS,
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
