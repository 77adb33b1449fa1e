# The report of a run, its manifest, and the page that compares several runs.
rule manifest:
    """Write what a run was made with, the checksums of its results, and both as a Workflow Run RO-Crate."""
    input:
        study="<results>/{cohort}/{network}/study.npz",
        summary="<results>/{cohort}/{network}/data_summary.json",
        network=network_files,
        cohort=cohort_files,
        stored=stored_folds,
        pathways=PATHWAYS,
        splits=expand(SPLITS, trial=TRIALS, allow_missing=True),
        folds=FOLD_FILES,
        tables=tables_of_run,
        signatures=SIGNATURES,
        texts=texts_of_run,
        rules=[SHIPPED / "workflow/Snakefile", *sorted((SHIPPED / "workflow/rules").glob("*.smk"))],
    output:
        manifest="<results>/{cohort}/{network}/manifest.json",
        checksums="<results>/{cohort}/{network}/SHA256SUMS",
        crate="<results>/{cohort}/{network}/ro-crate-metadata.json",
        workflow=directory("<results>/{cohort}/{network}/workflow"),
    log:
        "<results>/{cohort}/{network}/logs/manifest.log",
    conda:
        ENVIRONMENT
    params:
        code=code("manifest.py"),
        config=whole_config,
    shell:
        '"$PYTHON" "$SCRIPTS"/manifest.py --config {params.config:q} --summary {input.summary:q} --sources'
        " {input.network:q} {input.cohort:q} {input.stored:q} {input.pathways:q} --files {input.study:q}"
        " {input.splits:q} {input.folds:q} {input.texts:q} --tables {input.tables:q} {input.signatures:q}"
        " --rules {input.rules:q} --manifest {output.manifest:q} --checksums {output.checksums:q}"
        " --crate {output.crate:q} --workflow {output.workflow:q} 2>&1 | tee {log:q}"


rule report:
    """Write the report of a run."""
    input:
        study="<results>/{cohort}/{network}/study.npz",
        summary="<results>/{cohort}/{network}/data_summary.json",
        manifest="<results>/{cohort}/{network}/manifest.json",
        tables=tables_of_run,
        sources=f"{DATA}/page_sources.csv",
        wheel=f"data/downloads/{PAGE_SOURCES['ipycytoscape'].file}",
    output:
        page=report("<reports>/{cohort}-{network}/report.html", category="{cohort} on {network}"),
        text="<reports>/{cohort}-{network}/summary.md",
        figures=report(
            directory("<reports>/{cohort}-{network}/figures"),
            patterns=["{figure}.svg"],
            category="{cohort} on {network}",
        ),
    log:
        "<reports>/{cohort}-{network}/report.log",
    wildcard_constraints:
        network="|".join(NETWORKS),
    conda:
        ENVIRONMENT
    params:
        code=code("write_report.py"),
        experiments=experiments_run,
        experiments_hash=lambda wildcards: hashlib.sha256(
            b"".join(Path(file).read_bytes() for file in experiments_run(wildcards))
        ).hexdigest(),
        config=whole_config,
    shell:
        '"$PYTHON" "$SCRIPTS"/write_report.py --config {params.config:q} --study {input.study:q}'
        " --summary {input.summary:q} --manifest {input.manifest:q} --tables {input.tables:q}"
        " --experiments {params.experiments:q} --sources {input.sources:q} --wheel {input.wheel:q}"
        " --page {output.page:q} --text {output.text:q} --figures {output.figures:q} 2>&1 | tee {log:q}"


COMPARED = ["runs", "recurrence", "recurrent", "transfer", "patients", "overlaps"]


rule compare_runs:
    """Compare several runs: the page and its tables."""
    input:
        studies=[f"{run.folder}/study.npz" for run in RUNS.values()],
        metrics=[f"{run.folder}/metrics.csv" for run in RUNS.values()],
        frequencies=[f"{run.folder}/evidence/frequencies.csv" for run in RUNS.values()],
        models=[f"{run.folder}/evidence/final_models.csv" for run in RUNS.values()],
        patients=[f"{run.folder}/evidence/patients.csv" for run in RUNS.values() if run.cohort != "pooled"],
    output:
        page="<reports>/report.html",
        figures=directory("<reports>/figures"),
        tables=expand("<results>/compare/{table}.csv", table=COMPARED),
    log:
        "<results>/compare/logs/compare_runs.log",
    conda:
        ENVIRONMENT
    params:
        code=code("compare_runs.py"),
        config=json.dumps({key: value for key, value in config.items() if key != "jobs"}, sort_keys=True),
    shell:
        '"$PYTHON" "$SCRIPTS"/compare_runs.py --config {params.config:q} --studies {input.studies:q}'
        " --metrics {input.metrics:q} --frequencies {input.frequencies:q} --models {input.models:q}"
        " --patients {input.patients:q} --page {output.page:q} --figures {output.figures:q}"
        " --tables {output.tables:q} 2>&1 | tee {log:q}"
