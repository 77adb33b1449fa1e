# From fold files to tables.
FOLD_TABLES = tables.paths(RUN, "metrics", "genes", "summary", "chosen", "paths", "fits", "traces")


rule collect:
    input:
        study=f"{RUN}/study.npz",
        folds=FOLD_FILES,
    output:
        in_report(FOLD_TABLES, "Tables", "tables", RUN),
    log:
        f"{RUN}/logs/collect.log",
    benchmark:
        f"{RUN}/benchmarks/collect.tsv"
    group:
        "results"
    conda:
        ENVIRONMENT
    resources:
        **needs("collect"),
    params:
        code=code("collect"),
        run=stored(RUN),
        settings=settings("sparsities", "lambdas", "extend_lambdas", "epochs", "n_blocks"),
    shell:
        job("collect", input="study folds", params="run settings")


# Of every run, whatever evidence there is besides: what a reader takes home.
SIGNATURE_TABLES = tables.paths(RUN, "evidence/signatures", "evidence/final_models")


rule collect_signatures:
    input:
        signatures=SIGNATURES,
    output:
        SIGNATURE_TABLES,
    log:
        f"{RUN}/logs/collect_signatures.log",
    benchmark:
        f"{RUN}/benchmarks/collect_signatures.tsv"
    group:
        "results"
    conda:
        ENVIRONMENT
    resources:
        **needs("collect_signatures"),
    params:
        code=code("collect_signatures"),
        run=stored(RUN),
    shell:
        job("collect_signatures", input="signatures", params="run")


rule collect_timings:
    input:
        timings=fold_files(TIMED, "timings"),
    output:
        tables.paths(RUN, "timings"),
    log:
        f"{RUN}/logs/collect_timings.log",
    benchmark:
        f"{RUN}/benchmarks/collect_timings.tsv"
    group:
        "results"
    conda:
        ENVIRONMENT
    resources:
        **needs("collect_timings"),
    params:
        code=code("collect_timings"),
        run=stored(RUN),
    shell:
        job("collect_timings", input="timings", params="run")


rule manifest:
    input:
        # Every file the run's numbers come from, named there with its hash.
        inputs=[
            f"{RUN}/study.npz",
            expand(f"{RUN}/splits/trial-{{trial}}.npz", trial=TRIALS),
            *STUDY_FILES,
            *stored_splits(),
            *pathway_wheels(),
        ],
        metrics=tables.paths(RUN, "metrics"),
    output:
        manifest=f"{RUN}/manifest.json",
    log:
        f"{RUN}/logs/manifest.log",
    benchmark:
        f"{RUN}/benchmarks/manifest.tsv"
    group:
        "results"
    conda:
        ENVIRONMENT
    resources:
        **needs("manifest"),
    params:
        code=code("manifest"),
        settings=SETTINGS,
    shell:
        job("manifest", input="inputs", params="settings", output="manifest")
