# Pooled cohorts: models of all but one, judged in the one left out.
LEFT_OUT = ["left_out", "left_out_differences", "left_out_summary", "left_out_models", "left_out_genes", "strata"]
LEFT_OUT += ["left_out_value"]
LEFT_OUT_TABLES = tables.paths(RUN, *expand("evidence/{name}", name=LEFT_OUT))
EVIDENCE_TABLES = [*GENE_TABLES, *SIGNATURE_TABLES, *LEFT_OUT_TABLES]
COMPARISONS = []


rule evidence_left_out:
    input:
        study=f"{RUN}/study.npz",
        cohort=f"{PATIENTS}/cohort.npz",
        clinical=f"{PATIENTS}/clinical.csv",
        folds=FOLD_FILES,
    output:
        LEFT_OUT_TABLES,
    log:
        f"{RUN}/logs/evidence_left_out.log",
    benchmark:
        f"{RUN}/benchmarks/evidence_left_out.tsv"
    group:
        "results"
    conda:
        ENVIRONMENT
    resources:
        **needs("evidence_left_out"),
    params:
        code=code("evidence_left_out"),
        settings=settings("seed", "outcome", "pooled"),
        run=stored(RUN),
    shell:
        job("evidence_left_out", input="study cohort clinical folds", params="run settings")
