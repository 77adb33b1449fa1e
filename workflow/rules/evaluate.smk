rule collect:
    input:
        study=f"{RUN}/study.npz",
        folds=FOLD_FILES,
    output:
        metrics=f"{RUN}/metrics.csv",
        genes=f"{RUN}/genes.csv",
        summary=f"{RUN}/summary.csv",
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
        expand(f"{RUN}/timings/{{method}}/trial-{{trial}}.json", method=TIMED, trial=TRIALS),
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
