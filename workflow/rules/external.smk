# Models of all patients in cohorts they never saw, where the registry names some for the study's own.
EXTERNAL_EVIDENCE = ["external", "external_km", "external_differences", "external_notes"]
EXTERNAL_EVIDENCE += ["random_sets", "clinical", "added_value"]
EXTERNAL_TABLES = tables.paths(RUN, *expand("evidence/{name}", name=EXTERNAL_EVIDENCE)) if COHORT.external else []
EVIDENCE_TABLES = [*DIFFERENCE_TABLES, *GENE_TABLES, *PATIENT_TABLES, *SIGNATURE_TABLES, *EXTERNAL_TABLES]

if COHORT.external:

    rule evidence_external:
        input:
            EXTERNAL_FILES,
            tables.paths(RUN, "evidence/patients"),
            study=f"{RUN}/study.npz",
            cohort=f"{PATIENTS}/cohort.npz",
            models=SIGNATURES,
        output:
            EXTERNAL_TABLES,
        log:
            f"{RUN}/logs/evidence_external.log",
        benchmark:
            f"{RUN}/benchmarks/evidence_external.tsv"
        group:
            "results"
        conda:
            ENVIRONMENT
        resources:
            **needs("evidence_external"),
        params:
            code=code("evidence_external"),
            settings=settings("cohort", "seed", "random_sets"),
            folder=stored(EXTERNAL),
            run=stored(RUN),
        shell:
            job("evidence_external", input="study cohort models", params="run folder settings")
