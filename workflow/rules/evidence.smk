# From fold files to tables: how well the methods predict, which genes they select, what that means for patients.
rule collect:
    """Collect fold files, run times and signatures into tables."""
    input:
        study="<results>/{cohort}/{network}/study.npz",
        folds=FOLD_FILES,
        timings=TIMINGS,
        signatures=SIGNATURES,
    output:
        tables=expand(TABLE, table=COLLECTED, allow_missing=True),
    log:
        "<results>/{cohort}/{network}/logs/collect.log",
    conda:
        ENVIRONMENT
    params:
        code=code("collect.py"),
        settings=settings("sparsities", "lambdas", "extend_lambdas", "epochs", "n_blocks"),
    shell:
        '"$PYTHON" "$SCRIPTS"/collect.py --study {input.study:q} --folds {input.folds:q}'
        " --timings {input.timings:q} --signatures {input.signatures:q} --settings {params.settings:q}"
        " --tables {output.tables:q} 2>&1 | tee {log:q}"


rule compare:
    """Compare every pair of methods, the graph methods with the baselines, and our metrics with the paper's."""
    input:
        metrics="<results>/{cohort}/{network}/metrics.csv",
        summary="<results>/{cohort}/{network}/summary.csv",
        fits="<results>/{cohort}/{network}/fits.csv",
        union="<results>/{cohort}/{network}/evidence/union.csv",
        published=f"{DATA}/published_metrics.csv",
    output:
        tables=expand(TABLE, table=COMPARISONS, allow_missing=True),
        text="<results>/{cohort}/{network}/comparison.md",
    log:
        "<results>/{cohort}/{network}/logs/compare.log",
    conda:
        ENVIRONMENT
    params:
        code=code("compare.py"),
        settings=settings("cohort", "network", "folds"),
        splits=config["published"]["splits"],
    shell:
        '"$PYTHON" "$SCRIPTS"/compare.py --metrics {input.metrics:q} --summary {input.summary:q}'
        " --fits {input.fits:q} --union {input.union:q}"
        " --published {input.published:q} --splits {params.splits} --settings {params.settings:q}"
        " --tables {output.tables:q} --text {output.text:q} 2>&1 | tee {log:q}"


rule evidence_all_genes:
    """Cross-validate the reference method on all genes of the cohort, in the network or not."""
    input:
        cohort="<results>/{cohort}/cohort.npz",
        splits=expand(SPLITS, trial=TRIALS, allow_missing=True),
    output:
        table="<results>/{cohort}/{network}/evidence/all_genes.csv",
    log:
        "<results>/{cohort}/{network}/logs/evidence_all_genes.log",
    conda:
        ENVIRONMENT
    params:
        code=code("evidence_all_genes.py", lambda wildcards: [METHODS[REFERENCE]]),
        settings=settings(*FIT_KEYS),
    shell:
        '"$PYTHON" "$SCRIPTS"/evidence_all_genes.py --cohort {input.cohort:q} --splits {input.splits:q}'
        " --settings {params.settings:q} --table {output.table:q} 2>&1 | tee {log:q}"


rule evidence_genes:
    """Test which genes are selected how often, and whether they are known genes or pathways; write their network."""
    input:
        study="<results>/{cohort}/{network}/study.npz",
        metrics="<results>/{cohort}/{network}/metrics.csv",
        genes="<results>/{cohort}/{network}/genes.csv",
        known_genes=known_genes,
        published_genes=f"{DATA}/published_genes.csv",
        sources=f"{DATA}/sources.csv",
        pathways=PATHWAYS,
    output:
        tables=evidence("genes"),
        network="<results>/{cohort}/{network}/network.graphml",
    log:
        "<results>/{cohort}/{network}/logs/evidence_genes.log",
    conda:
        ENVIRONMENT
    params:
        code=code("evidence_genes.py"),
        own_known_genes=lambda wildcards: (
            config["own"]["known_genes"] if COHORTS[cohort_of_job(wildcards)].is_own else []
        ),
    shell:
        '"$PYTHON" "$SCRIPTS"/evidence_genes.py --study {input.study:q} --metrics {input.metrics:q}'
        " --genes {input.genes:q} --known-genes {input.known_genes:q} --own-known-genes {params.own_known_genes:q}"
        " --published-genes {input.published_genes:q} --sources {input.sources:q} --pathways {input.pathways:q}"
        " --tables {output.tables:q} --network {output.network:q} 2>&1 | tee {log:q}"


rule evidence_patients:
    """Describe what the out-of-fold scores say about patients: survival, ROC, calibration."""
    input:
        study="<results>/{cohort}/{network}/study.npz",
        clinical="<results>/{cohort}/clinical.csv",
        folds=FOLD_FILES,
    output:
        tables=evidence("patients"),
    log:
        "<results>/{cohort}/{network}/logs/evidence_patients.log",
    conda:
        ENVIRONMENT
    params:
        code=code("evidence_patients.py"),
        settings=lambda wildcards: json.dumps(
            {key: run_of(wildcards).config[key] for key in ("cohort", "own", "seed", "outcome")}, sort_keys=True
        ),
    shell:
        '"$PYTHON" "$SCRIPTS"/evidence_patients.py --study {input.study:q} --clinical {input.clinical:q} --folds {input.folds:q}'
        " --settings {params.settings:q} --tables {output.tables:q} 2>&1 | tee {log:q}"


rule evidence_external:
    """Test the models of all patients in cohorts they never saw."""
    input:
        study="<results>/{cohort}/{network}/study.npz",
        cohort="<results>/{cohort}/cohort.npz",
        clinical="<results>/{cohort}/clinical.csv",
        sources=f"{DATA}/sources.csv",
        seventy_genes=wheel("survset"),
        annotation=f"{DATA}/probe_annotation.tsv",
        aliases=f"{DATA}/symbol_aliases.csv",
        external_cohorts=collect("<results>/{name}/cohort.npz", name=external),
        external_clinical=collect("<results>/{name}/clinical.csv", name=external),
        models=SIGNATURES,
        patients="<results>/{cohort}/{network}/evidence/patients.csv",
    output:
        tables=evidence("external"),
    log:
        "<results>/{cohort}/{network}/logs/evidence_external.log",
    conda:
        ENVIRONMENT
    params:
        code=code("evidence_external.py"),
        names=external,
        settings=settings("cohort", "seed", "random_sets"),
    shell:
        '"$PYTHON" "$SCRIPTS"/evidence_external.py --study {input.study:q} --cohort {input.cohort:q}'
        " --clinical {input.clinical:q} --sources {input.sources:q} --seventy-genes {input.seventy_genes:q}"
        " --annotation {input.annotation:q} --aliases {input.aliases:q} --names {params.names:q}"
        " --external-cohorts {input.external_cohorts:q} --external-clinical {input.external_clinical:q}"
        " --models {input.models:q} --patients {input.patients:q} --settings {params.settings:q}"
        " --tables {output.tables:q} 2>&1 | tee {log:q}"


rule evidence_left_out:
    """Test models of pooled cohorts in the cohort that each left out."""
    input:
        study="<results>/{cohort}/{network}/study.npz",
        cohort="<results>/{cohort}/cohort.npz",
        clinical="<results>/{cohort}/clinical.csv",
        folds=FOLD_FILES,
    output:
        tables=evidence("left_out"),
    log:
        "<results>/{cohort}/{network}/logs/evidence_left_out.log",
    conda:
        ENVIRONMENT
    params:
        code=code("evidence_left_out.py"),
        settings=settings("seed", "outcome", "pooled"),
    shell:
        '"$PYTHON" "$SCRIPTS"/evidence_left_out.py --study {input.study:q} --cohort {input.cohort:q}'
        " --clinical {input.clinical:q} --folds {input.folds:q} --settings {params.settings:q}"
        " --tables {output.tables:q} 2>&1 | tee {log:q}"
