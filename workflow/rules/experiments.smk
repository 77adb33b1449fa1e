# Further experiments, each run by its own target: `snakemake controls`, `permuted`, `planted`.
CONTROLS = config["controls"]["repetitions"]
# The tables of each experiment, and the batches of its parts.
EXPERIMENTS = {
    "controls": (
        ["evidence/controls"],
        {
            "real": batches(1, 1),
            "labels": batches(CONTROLS, 5),
            "network": batches(CONTROLS, 5),
            "coexpression": batches(1, 1),
        },
    ),
    "permuted": (
        [f"evidence/permuted{part}" for part in ("", "_summary", "_pathways", "_genes")],
        {
            name: batches(config["permuted"]["repetitions"], 10)
            for name in config["permuted"]["methods"]
            if name in config["methods"]
        },
    ),
    "planted": (
        ["evidence/planted", "evidence/planted_summary", "evidence/planted_pairs", "evidence/lambda_path"],
        {
            "sets": batches(config["planted"]["draws"], 5),
            "penalty": batches(config["planted"]["draws"], 15),
            "stability": batches(1, 1),
        },
    ),
}


rule run_experiment:
    """Run a batch of repetitions of a part of an experiment."""
    input:
        study="<results>/{cohort}/{network}/study.npz",
    output:
        results="<results>/{cohort}/{network}/experiments/{experiment}/{part}/batch-{batch}.json",
    log:
        "<results>/{cohort}/{network}/logs/experiments/{experiment}/{part}-{batch}.log",
    benchmark:
        "<results>/{cohort}/{network}/benchmarks/experiments/{experiment}/{part}-{batch}.tsv"
    wildcard_constraints:
        experiment="|".join(EXPERIMENTS),
    conda:
        ENVIRONMENT
    params:
        code=code("run_experiment.py", experiment_rows),
        repetitions=lambda wildcards: EXPERIMENTS[wildcards.experiment][1][wildcards.part][wildcards.batch],
        settings=experiment_settings,
    shell:
        '"$PYTHON" "$SCRIPTS"/run_experiment.py --experiment {wildcards.experiment} --part {wildcards.part}'
        " --study {input.study:q} --repetitions {params.repetitions} --settings {params.settings:q}"
        " --results {output.results:q} 2>&1 | tee {log:q}"


for experiment, (tables, parts) in EXPERIMENTS.items():

    # One rule per experiment, because each has tables of its own.
    rule:
        name:
            f"collect_{experiment}"
        input:
            study="<results>/{cohort}/{network}/study.npz",
            # Permuted trials are compared with those of the study.
            folds=expand(
                FOLD, method=parts if experiment == "permuted" else [], trial=TRIALS, fold=FOLDS, allow_missing=True
            ),
            results=[
                f"<results>/{{cohort}}/{{network}}/experiments/{experiment}/{part}/batch-{batch}.json"
                for part, numbers in parts.items()
                for batch in numbers
            ],
            sources=f"{DATA}/sources.csv",
            pathways=PATHWAYS,
        output:
            tables=expand(TABLE, table=tables, allow_missing=True),
        log:
            f"<results>/{{cohort}}/{{network}}/logs/collect_{experiment}.log",
        conda:
            ENVIRONMENT
        params:
            code=code("collect_experiment.py"),
            experiment=experiment,
            n_folds=FIRST["folds"],
        shell:
            '"$PYTHON" "$SCRIPTS"/collect_experiment.py --experiment {params.experiment} --study {input.study:q}'
            " --folds {input.folds:q} --results {input.results:q} --sources {input.sources:q}"
            " --pathways {input.pathways:q} --n-folds {params.n_folds} --tables {output.tables:q} 2>&1 | tee {log:q}"

    rule:
        name:
            experiment
        input:
            lambda wildcards, experiment=experiment, tables=tables: experiment_tables(experiment, tables),
