localrules:
    download,
    downloads,
    stability,
    peers_full,


rule downloads:
    input:
        [f"data/downloads/{source.file}" for source in [*SOURCES.values(), *PAGE_SOURCES.values()]],


rule download:
    output:
        "data/downloads/{file}.whl",
    log:
        "data/downloads/{file}.log",
    benchmark:
        "data/downloads/{file}.benchmark.tsv"
    conda:
        "../../environment.yml"
    params:
        # The checksum alone decides what the file is, so an edit of the code never downloads it again.
        sha256=lambda wildcards: {s.file: s.sha256 for s in SOURCES.values()}.get(f"{wildcards.file}.whl"),
    shell:
        "python workflow/scripts/download.py --sources data/sources.csv --output {output:q} 2>&1 | tee {log:q}"


if config["cohort"] == "own":

    rule read_cohort:
        input:
            expression=config["own"]["expression"],
            outcome=config["own"]["outcome"],
        output:
            f"{config['results']}/{COHORT}/cohort.npz",
        log:
            f"{config['results']}/{COHORT}/logs/read_cohort.log",
        benchmark:
            f"{config['results']}/{COHORT}/benchmarks/read_cohort.tsv"
        conda:
            "../../environment.yml"
        params:
            code=code("read_own.py"),
        shell:
            "python workflow/scripts/read_own.py --expression {input.expression:q} --outcome {input.outcome:q} "
            "--output {output:q} 2>&1 | tee {log:q}"

elif config["cohort"] == "nki":

    rule read_cohort:
        input:
            sources="data/sources.csv",
            wheel=wheel("survset"),
            annotation="data/probe_annotation.tsv",
        output:
            f"{config['results']}/{COHORT}/cohort.npz",
        log:
            f"{config['results']}/{COHORT}/logs/read_cohort.log",
        benchmark:
            f"{config['results']}/{COHORT}/benchmarks/read_cohort.tsv"
        conda:
            "../../environment.yml"
        params:
            code=code("read_nki.py"),
        shell:
            "python workflow/scripts/read_nki.py --sources {input.sources:q} --wheel {input.wheel:q} "
            "--annotation {input.annotation:q} --output {output:q} 2>&1 | tee {log:q}"


rule prepare:
    input:
        sources="data/sources.csv",
        cohort=f"{config['results']}/{COHORT}/cohort.npz",
        table=network_table(),
        known_genes="data/known_genes.csv",
    output:
        study=f"{RUN}/study.npz",
        summary=f"{RUN}/data_summary.json",
        text=f"{RUN}/data_summary.md",
    log:
        f"{RUN}/logs/prepare.log",
    benchmark:
        f"{RUN}/benchmarks/prepare.tsv"
    conda:
        "../../environment.yml"
    params:
        code=code("prepare.py"),
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
        "python workflow/scripts/prepare.py --sources {input.sources:q} --cohort {input.cohort:q} "
        "--table {input.table:q} --known-genes {input.known_genes:q} --settings {params.settings:q} "
        "--study {output.study:q} --summary {output.summary:q} --text {output.text:q} 2>&1 | tee {log:q}"


rule split:
    input:
        study=f"{RUN}/study.npz",
    output:
        f"{RUN}/splits.npz",
    log:
        f"{RUN}/logs/split.log",
    benchmark:
        f"{RUN}/benchmarks/split.tsv"
    conda:
        "../../environment.yml"
    params:
        code=code("split.py"),
        settings=settings("seed", "trials", "folds", "inner_folds"),
    shell:
        "python workflow/scripts/split.py --study {input.study:q} --settings {params.settings:q} "
        "--output {output:q} 2>&1 | tee {log:q}"
