# From a cohort and a network to the canonical study file and its folds.
rule prepare:
    input:
        cohort=f"{PATIENTS}/cohort.npz",
        sources="data/sources.csv",
        published="data/published_files.csv",
        files=list(located(NETWORK.files).values()),
        known_genes="data/known_genes.csv",
    output:
        study=f"{RUN}/study.npz",
        summary=f"{RUN}/data_summary.json",
        text=f"{RUN}/data_summary.md",
    log:
        f"{RUN}/logs/prepare.log",
    benchmark:
        f"{RUN}/benchmarks/prepare.tsv"
    group:
        "data"
    conda:
        ENVIRONMENT
    resources:
        **LIGHT,
    params:
        code=code_of("prepare", NETWORK),
        settings=settings(
            "cohort",
            "network",
            "min_confidence",
            "coexpression_neighbours",
            "own",
            "sparsities",
            "n_components",
        ),
    shell:
        job(
            "prepare",
            input="cohort sources published files known_genes",
            params="settings",
            output="study summary text",
        )


rule split:
    input:
        study=f"{RUN}/study.npz",
        published="data/published_files.csv",
        stored=stored_splits(),
    output:
        splits=f"{RUN}/splits.npz",
    log:
        f"{RUN}/logs/split.log",
    benchmark:
        f"{RUN}/benchmarks/split.tsv"
    group:
        "data"
    conda:
        ENVIRONMENT
    resources:
        **LIGHT,
    params:
        code=code_of("split"),
        settings=settings("seed", "trials", "folds", "inner_folds", "outcome", "pooled"),
    shell:
        job("split", input="study published stored", params="settings", output="splits")
