# One named rule per method, so that `snakemake -R fit_sto_iht` re-runs that method and nothing else. A job
# holds the folds of one trial; each fold has its own file.
for method in METHODS:

    rule:
        name:
            rule_name(method)
        input:
            study=f"{RUN}/study.npz",
            splits=f"{RUN}/splits.npz",
        output:
            folds=expand(
                f"{RUN}/fits/{method}/trial-{{trial}}/fold-{{fold}}.json", fold=FOLDS, allow_missing=True
            ),
            timing=f"{RUN}/timings/{method}/trial-{{trial}}.json",
        log:
            f"{RUN}/logs/fit/{method}/trial-{{trial}}.log",
        benchmark:
            f"{RUN}/benchmarks/fit/{method}/trial-{{trial}}.tsv"
        conda:
            "../../environment.yml"
        params:
            code=code("fit.py"),
            method=method,
            settings=settings(
                "seed",
                "sparsities",
                "n_blocks",
                "lambdas",
                "near_tie",
                "n_components",
                "edge_cost",
                "max_epochs",
                "tolerance",
            ),
        shell:
            "python workflow/scripts/fit.py --study {input.study:q} --splits {input.splits:q} "
            "--method {params.method} --trial {wildcards.trial} --settings {params.settings:q} "
            "--output {output.folds:q} --timing {output.timing:q} 2>&1 | tee {log:q}"
