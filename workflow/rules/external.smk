# Models of all patients in cohorts they never saw, where the registry names some for the study's own.
EXTERNAL = f"{PATIENTS}/external"
EXTERNAL_EVIDENCE = ["final_models", "external", "external_km", "external_differences", "external_notes"]
EXTERNAL_EVIDENCE += ["random_sets", "clinical", "added_value"]
EXTERNAL_TABLES = tables.paths(RUN, *expand("evidence/{name}", name=EXTERNAL_EVIDENCE)) if COHORT.external else []
EVIDENCE_TABLES = [*DIFFERENCE_TABLES, *GENE_TABLES, *PATIENT_TABLES, *EXTERNAL_TABLES]

if COHORT.external:

    rule read_external:
        input:
            sources="data/sources.csv",
            wheel=wheel("survset"),
            cohort=f"{PATIENTS}/cohort.npz",
            annotation="data/probe_annotation.tsv",
            aliases="data/symbol_aliases.csv",
        output:
            expand(f"{EXTERNAL}/{{name}}.npz", name=COHORT.external),
            expand(f"{EXTERNAL}/{{name}}_clinical.csv", name=[config["cohort"], *COHORT.external]),
            f"{EXTERNAL}/seventy.csv",
        log:
            f"{PATIENTS}/logs/read_external.log",
        benchmark:
            f"{PATIENTS}/benchmarks/read_external.tsv"
        group:
            "evidence"
        conda:
            ENVIRONMENT
        resources:
            **LIGHT,
        params:
            code=code("read_external", f"study.data.{COHORT.clinical_reader.partition(':')[0]}"),
            folder=lambda wildcards: EXTERNAL,
            training=config["cohort"],
        shell:
            job("read_external", input="sources wheel cohort annotation aliases", params="folder training")

    rule evidence_external:
        input:
            rules.read_external.output,
            tables.paths(RUN, "evidence/patients"),
            study=f"{RUN}/study.npz",
            cohort=f"{PATIENTS}/cohort.npz",
            models=expand(f"{EVIDENCE}/final/{{method}}.json", method=config["methods"]),
        output:
            EXTERNAL_TABLES,
        log:
            f"{RUN}/logs/evidence_external.log",
        benchmark:
            f"{RUN}/benchmarks/evidence_external.tsv"
        group:
            "evidence"
        conda:
            ENVIRONMENT
        resources:
            **FITS,
        params:
            code=code("evidence_external"),
            settings=settings("cohort", "seed", "random_sets"),
            folder=lambda wildcards: EXTERNAL,
            run=lambda wildcards: RUN,
        shell:
            job("evidence_external", input="study cohort models", params="run folder settings")
