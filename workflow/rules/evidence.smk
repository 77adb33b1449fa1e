# What all fits together say: which methods differ, which genes are selected how often, which patients are at risk.
DIFFERENCE_TABLES = tables.paths(RUN, "evidence/differences", "evidence/ranks", "evidence/cliques")
PATIENT_EVIDENCE = ["patients", "survival", "km", "roc", "calibration", "outcomes", "notes"]
PATIENT_TABLES = tables.paths(RUN, *expand("evidence/{name}", name=PATIENT_EVIDENCE))


rule evidence_differences:
    input:
        tables.paths(RUN, "metrics"),
    output:
        DIFFERENCE_TABLES,
    log:
        f"{RUN}/logs/evidence_differences.log",
    benchmark:
        f"{RUN}/benchmarks/evidence_differences.tsv"
    group:
        "results"
    conda:
        ENVIRONMENT
    resources:
        **needs("evidence_differences"),
    params:
        code=code("evidence_differences"),
        settings=settings("folds"),
        run=stored(RUN),
    shell:
        job("evidence_differences", params="run settings")


rule permute_outcomes:
    input:
        study=f"{RUN}/study.npz",
        splits=f"{RUN}/splits/trial-01.npz",
    output:
        permutation=f"{EVIDENCE}/permutation.json",
    log:
        f"{RUN}/logs/permute_outcomes.log",
    benchmark:
        f"{RUN}/benchmarks/permute_outcomes.tsv"
    group:
        "results"
    conda:
        ENVIRONMENT
    resources:
        **needs("permute_outcomes"),
    params:
        code=code_of("permute_outcomes", methods.METHODS[methods.HEADLINE]),
        settings=settings(
            "seed",
            "permutations",
            "outcome",
            "n_components",
            "head",
            "slack",
            "edge_cost",
            "tolerance",
            "scsg_option",
        ),
    shell:
        job("permute_outcomes", input="study splits", output="permutation", params="settings")


rule evidence_patients:
    input:
        study=f"{RUN}/study.npz",
        permutation=f"{EVIDENCE}/permutation.json",
        folds=FOLD_FILES,
    output:
        PATIENT_TABLES,
    log:
        f"{RUN}/logs/evidence_patients.log",
    benchmark:
        f"{RUN}/benchmarks/evidence_patients.tsv"
    group:
        "results"
    conda:
        ENVIRONMENT
    resources:
        **needs("evidence_patients"),
    params:
        code=code("evidence_patients"),
        settings=words("cohort", "seed", "outcome"),
        run=stored(RUN),
    shell:
        job("evidence_patients", input="study permutation folds", params="run settings")
