rule collect:
    input:
        study=f"{RUN}/study.npz",
        folds=FOLD_FILES,
    output:
        metrics=f"{RUN}/metrics.csv",
        genes=f"{RUN}/genes.csv",
        summary=report(
            f"{RUN}/summary.csv",
            category="Tables",
            labels={"table": "metrics by method and trial"},
            caption="../report/summary.rst",
        ),
    log:
        f"{RUN}/logs/collect.log",
    benchmark:
        f"{RUN}/benchmarks/collect.tsv"
    conda:
        "../../environment.yml"
    params:
        code=code("collect.py"),
    shell:
        "python workflow/scripts/collect.py --study {input.study:q} --folds {input.folds:q} "
        "--metrics {output.metrics:q} --genes {output.genes:q} --summary {output.summary:q} 2>&1 | tee {log:q}"


rule collect_timings:
    input:
        TIMING_FILES,
    output:
        f"{RUN}/timings.csv",
    log:
        f"{RUN}/logs/collect_timings.log",
    benchmark:
        f"{RUN}/benchmarks/collect_timings.tsv"
    conda:
        "../../environment.yml"
    params:
        code=code("collect_timings.py"),
    shell:
        "python workflow/scripts/collect_timings.py --timings {input:q} --output {output:q} 2>&1 | tee {log:q}"


rule compare:
    input:
        metrics=f"{RUN}/metrics.csv",
        summary=f"{RUN}/summary.csv",
        published="data/published_metrics.csv",
    output:
        comparison=f"{RUN}/comparison.csv",
        picked=f"{RUN}/picked.csv",
        text=f"{RUN}/comparison.md",
        trials=COMPARED_TRIALS,
    log:
        f"{RUN}/logs/compare.log",
    benchmark:
        f"{RUN}/benchmarks/compare.tsv"
    conda:
        "../../environment.yml"
    params:
        code=code("compare.py"),
        settings=settings("cohort", "network", "folds"),
        splits=config["published"]["splits"],
    shell:
        "python workflow/scripts/compare.py --metrics {input.metrics:q} --summary {input.summary:q} "
        "--published {input.published:q} --settings {params.settings:q} --comparison {output.comparison:q} "
        "--picked {output.picked:q} --text {output.text:q} --splits {params.splits} "
        "--trials {output.trials:q} 2>&1 | tee {log:q}"


rule manifest:
    input:
        data=[f"{RUN}/study.npz", f"{RUN}/splits.npz", *MANIFEST_INPUTS],
        metrics=f"{RUN}/metrics.csv",
    output:
        f"{RUN}/manifest.json",
    log:
        f"{RUN}/logs/manifest.log",
    benchmark:
        f"{RUN}/benchmarks/manifest.tsv"
    conda:
        "../../environment.yml"
    params:
        code=code("manifest.py"),
        settings=json.dumps(config, sort_keys=True),
    shell:
        "python workflow/scripts/manifest.py --inputs {input.data:q} --settings {params.settings:q} "
        "--output {output:q} 2>&1 | tee {log:q}"


rule cost:
    input:
        timings=TIMING_FILES,
        # Last, so that the run's wall time is nearly all in.
        report=f"{REPORTS}/report.html",
    output:
        f"{RUN}/benchmarks/cost.json",
    log:
        f"{RUN}/logs/cost.log",
    benchmark:
        f"{RUN}/benchmarks/cost.tsv"
    conda:
        "../../environment.yml"
    params:
        code=code("cost.py"),
        benchmarks=BENCHMARK_FILES,
    shell:
        "python workflow/scripts/cost.py --timings {input.timings:q} --benchmarks {params.benchmarks:q} "
        "--output {output:q} 2>&1 | tee {log:q}"
