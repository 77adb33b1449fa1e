# From a cohort and a network to the canonical study file and its folds.
rule prepare:
    input:
        cohort=f"{PATIENTS}/cohort.npz",
        sources=local("data/sources.csv"),
        published=local("data/published_files.csv"),
        files=list(located(NETWORK.files).values()),
        known_genes=KNOWN_GENES,
    output:
        study=f"{RUN}/study.npz",
        summary=f"{RUN}/data_summary.json",
        text=f"{RUN}/data_summary.md",
    log:
        f"{RUN}/logs/prepare.log",
    benchmark:
        f"{RUN}/benchmarks/prepare.tsv"
    localrule: True
    conda:
        ENVIRONMENT
    resources:
        **needs("prepare"),
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


# A file per trial, so that more trials leave those that are finished as they are.
rule split:
    input:
        study=f"{RUN}/study.npz",
        published=local("data/published_files.csv"),
        stored=lambda wildcards: stored_splits()[int(wildcards.trial) - 1 :][:1],
    output:
        splits=f"{RUN}/splits/trial-{{trial}}.npz",
    log:
        f"{RUN}/logs/split/trial-{{trial}}.log",
    benchmark:
        f"{RUN}/benchmarks/split/trial-{{trial}}.tsv"
    group:
        "fit"
    conda:
        ENVIRONMENT
    resources:
        **needs("split"),
    params:
        code=code_of("split"),
        settings=settings("seed", "folds", "inner_folds", "outcome", "pooled"),
    shell:
        job("split", input="study published stored", wildcards="trial", params="settings", output="splits")
