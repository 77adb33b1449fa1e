# The results folder as a Workflow Run RO-Crate, for the tools that read such.
WORKFLOW_FILES = ["workflow/Snakefile", *(str(path) for path in sorted(Path("workflow/rules").glob("*.smk")))]


rule crate:
    input:
        workflow=[local(file) for file in WORKFLOW_FILES],
        files=[*FOLD_FILES, *FOLD_TABLES, *COMPARISONS, *EVIDENCE_TABLES, *SIGNATURES],
        manifest=f"{RUN}/manifest.json",
        summary=f"{RUN}/data_summary.json",
    output:
        [f"{RUN}/{file}" for file in WORKFLOW_FILES],
        crate=f"{RUN}/ro-crate-metadata.json",
    log:
        f"{RUN}/logs/crate.log",
    benchmark:
        f"{RUN}/benchmarks/crate.tsv"
    group:
        "results"
    conda:
        ENVIRONMENT
    resources:
        **needs("crate"),
    params:
        code=code("crate"),
        run=stored(RUN),
    shell:
        job("crate", input="workflow files manifest summary", output="crate", params="run")
