rule report:
    input:
        template="workflow/report/page.html.j2",
        data=f"{RUN}/data_summary.json",
        metrics=f"{RUN}/metrics.csv",
        summary=f"{RUN}/summary.csv",
        genes=f"{RUN}/genes.csv",
    output:
        report(f"{REPORTS}/report.html", category="Study", caption="../report/study.rst"),
    log:
        f"{RUN}/logs/report.log",
    benchmark:
        f"{RUN}/benchmarks/report.tsv"
    conda:
        "../../environment.yml"
    params:
        code=code("report.py"),
        settings=json.dumps(config, sort_keys=True),
    shell:
        "python workflow/scripts/report.py --template {input.template:q} --data {input.data:q} --metrics {input.metrics:q} "
        "--summary {input.summary:q} --genes {input.genes:q} --settings {params.settings:q} "
        "--output {output:q} 2>&1 | tee {log:q}"
