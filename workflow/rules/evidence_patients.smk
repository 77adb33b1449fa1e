# What the study says of patients: those of its own cohort by the test scores of its folds, and, with the NKI cohort,
# those of three others by models trained on all of it.
PATIENT_EVIDENCE = f"{RUN}/evidence"
PATIENT_TABLES = expand(
    f"{PATIENT_EVIDENCE}/{{name}}.csv",
    name=["patients", "survival", "km", "roc", "calibration", "outcomes", "notes"],
)
PATIENT_FIGURES = expand(f"{PATIENT_EVIDENCE}/figures/{{name}}.svg", name=["survival", "roc", "calibration"])


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
            "seed",
            "permutations",
            "n_blocks",
            "n_components",
            "edge_cost",
            "max_epochs",
            "tolerance",
            "scsg_option",
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
        figures_in_report(PATIENT_FIGURES, "Patients"),
    log:
        f"{RUN}/logs/patients.log",
    benchmark:
        f"{RUN}/benchmarks/patients.tsv"
    conda:
        "../../environment.yml"
    params:
        code=code("patients.py"),
        settings=settings("cohort", "seed"),
        tables=lambda wildcards, output: Path(output[0]).parent,
    shell:
        "python workflow/scripts/patients.py --study {input.study:q} --permutation {input.permutation:q} "
        "--folds {input.folds:q} --settings {params.settings:q} --tables {params.tables:q} "
        "--figures {params.tables:q}/figures 2>&1 | tee {log:q}"


OTHERS = f"{config['results']}/{COHORT}/external"
OTHER_COHORTS = ["gse1992", "gse3143", "gse4335"]
TRANSFER_TABLES = expand(
    f"{PATIENT_EVIDENCE}/{{name}}",
    name=[
        "external.csv",
        "external_km.csv",
        "external_differences.csv",
        "external_notes.csv",
        "random_sets.csv",
        "clinical.csv",
        "added_value.csv",
        "final_models.csv",
        "final_models.json",
    ],
)
TRANSFER_FIGURES = expand(
    f"{PATIENT_EVIDENCE}/figures/{{name}}.svg", name=["external_auc", "external_survival"]
)
# The other cohorts have breast cancer, and their genes were matched with those of the NKI cohort.
EVIDENCE_ON_PATIENTS = [
    *PATIENT_TABLES,
    *PATIENT_FIGURES,
    *([*TRANSFER_TABLES, *TRANSFER_FIGURES] if config["cohort"] == "nki" else []),
]

for method in config["methods"]:

    rule:
        name:
            rule_name(f"final-{method}")
        input:
            study=f"{RUN}/study.npz",
        output:
            f"{PATIENT_EVIDENCE}/final/{method}.json",
        log:
            f"{RUN}/logs/final/{method}.log",
        benchmark:
            f"{RUN}/benchmarks/final/{method}.tsv"
        conda:
            "../../environment.yml"
        params:
            code=code("fit_final.py"),
            method=method,
            settings=json.dumps(
                json.loads(FIT_SETTINGS) | {"inner_folds": config["inner_folds"]}, sort_keys=True
            ),
        shell:
            "python workflow/scripts/fit_final.py --study {input.study:q} --method {params.method} "
            "--settings {params.settings:q} --output {output:q} 2>&1 | tee {log:q}"


if config["cohort"] == "nki":

    rule read_external:
        input:
            sources="data/sources.csv",
            wheel=wheel("survset"),
            cohort=f"{config['results']}/{COHORT}/cohort.npz",
            annotation="data/probe_annotation.tsv",
            aliases="data/symbol_aliases.csv",
        output:
            expand(f"{OTHERS}/{{name}}.npz", name=OTHER_COHORTS),
            expand(f"{OTHERS}/{{name}}_clinical.csv", name=["nki", *OTHER_COHORTS]),
            f"{OTHERS}/seventy.csv",
        log:
            f"{config['results']}/{COHORT}/logs/read_external.log",
        benchmark:
            f"{config['results']}/{COHORT}/benchmarks/read_external.tsv"
        conda:
            "../../environment.yml"
        params:
            code=code("read_external.py"),
            folder=lambda wildcards, output: Path(output[0]).parent,
        shell:
            "python workflow/scripts/read_external.py --sources {input.sources:q} --wheel {input.wheel:q} "
            "--cohort {input.cohort:q} --annotation {input.annotation:q} --aliases {input.aliases:q} "
            "--folder {params.folder:q} 2>&1 | tee {log:q}"

    rule elsewhere:
        input:
            rules.read_external.output,
            study=f"{RUN}/study.npz",
            cohort=f"{config['results']}/{COHORT}/cohort.npz",
            patients=f"{PATIENT_EVIDENCE}/patients.csv",
            models=expand(f"{PATIENT_EVIDENCE}/final/{{method}}.json", method=config["methods"]),
        output:
            TRANSFER_TABLES,
            figures_in_report(TRANSFER_FIGURES, "Other cohorts"),
        log:
            f"{RUN}/logs/elsewhere.log",
        benchmark:
            f"{RUN}/benchmarks/elsewhere.tsv"
        conda:
            "../../environment.yml"
        params:
            code=code("elsewhere.py"),
            settings=settings("seed", "random_sets"),
            external=lambda wildcards, input: Path(input[0]).parent,
            tables=lambda wildcards, output: Path(output[0]).parent,
        shell:
            "python workflow/scripts/elsewhere.py --study {input.study:q} --cohort {input.cohort:q} "
            "--external {params.external:q} --patients {input.patients:q} --models {input.models:q} "
            "--settings {params.settings:q} --tables {params.tables:q} --figures {params.tables:q}/figures "
            "2>&1 | tee {log:q}"
