# What the study says of patients: those of its own cohort by the test scores of its folds, and, with the NKI cohort,
# those of three others by models trained on all of it.
PATIENT_EVIDENCE = f"{RUN}/evidence"
PATIENT_TABLES = expand(
    f"{PATIENT_EVIDENCE}/{{name}}.csv",
    name=["patients", "survival", "km", "roc", "calibration", "outcomes", "notes"],
)
PATIENT_FIGURES = expand(
    f"{PATIENT_EVIDENCE}/figures/{{name}}.svg", name=["survival", "roc", "calibration"]
)


rule permute_outcomes:
    input:
        study=f"{RUN}/study.npz",
        splits=f"{RUN}/splits.npz",
    output:
        f"{PATIENT_EVIDENCE}/permutation.json",
    log:
        f"{RUN}/logs/permute_outcomes.log",
    benchmark:
        f"{RUN}/benchmarks/permute_outcomes.tsv"
    conda:
        "../../environment.yml"
    params:
        code=code("permute.py"),
        settings=settings(
            "seed", "permutations", "n_blocks", "n_components", "edge_cost", "max_epochs", "tolerance"
        ),
    shell:
        "python workflow/scripts/permute.py --study {input.study:q} --splits {input.splits:q} "
        "--settings {params.settings:q} --output {output:q} 2>&1 | tee {log:q}"


rule patients:
    input:
        study=f"{RUN}/study.npz",
        permutation=f"{PATIENT_EVIDENCE}/permutation.json",
        folds=FOLD_FILES,
    output:
        PATIENT_TABLES,
        PATIENT_FIGURES,
    log:
        f"{RUN}/logs/patients.log",
    benchmark:
        f"{RUN}/benchmarks/patients.tsv"
    conda:
        "../../environment.yml"
    params:
        code=code("patients.py"),
        settings=settings("cohort", "seed"),
        tables=PATIENT_EVIDENCE,
    shell:
        "python workflow/scripts/patients.py --study {input.study:q} --permutation {input.permutation:q} "
        "--folds {input.folds:q} --settings {params.settings:q} --tables {params.tables:q} "
        "--figures {params.tables:q}/figures 2>&1 | tee {log:q}"
