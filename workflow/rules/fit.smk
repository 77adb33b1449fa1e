# One named rule per method, so that `snakemake -R fit_sto_iht` re-runs that method and nothing else. A job
# holds the folds of one trial; each fold has its own file. What several methods compute alike, the fits of one
# block, is the output of rules of its own.
for part in SHARED_PARTS:

    rule:
        name:
            f"share_{part}"
        input:
            study=f"{RUN}/study.npz",
            splits=f"{RUN}/splits.npz",
        output:
            scores=f"{RUN}/shared/{part}/trial-{{trial}}.npz",
            timing=f"{RUN}/timings/shared-{part}/trial-{{trial}}.json",
        log:
            f"{RUN}/logs/fit/shared-{part}/trial-{{trial}}.log",
        benchmark:
            f"{RUN}/benchmarks/fit/shared-{part}/trial-{{trial}}.tsv"
        conda:
            "../../environment.yml"
        params:
            code=code("fit_shared.py"),
            part=part,
            settings=FIT_SETTINGS,
        shell:
            "python workflow/scripts/fit_shared.py --study {input.study:q} --splits {input.splits:q} "
            "--part {params.part} --trial {wildcards.trial} --settings {params.settings:q} "
            "--output {output.scores:q} --timing {output.timing:q} 2>&1 | tee {log:q}"


for method in METHODS:

    rule:
        name:
            rule_name(method)
        input:
            study=f"{RUN}/study.npz",
            splits=f"{RUN}/splits.npz",
            shared=shared_file(method),
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
            settings=FIT_SETTINGS,
        shell:
            "python workflow/scripts/fit.py --study {input.study:q} --splits {input.splits:q} "
            "--method {params.method} --trial {wildcards.trial} --shared {input.shared:q} "
            "--settings {params.settings:q} --output {output.folds:q} --timing {output.timing:q} 2>&1 | tee {log:q}"


for method in PEERS:

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
            code=code("fit_peer.py"),
            method=method,
            settings=settings("seed", "near_tie", "n_components"),
        shell:
            "python workflow/scripts/fit_peer.py --study {input.study:q} --splits {input.splits:q} "
            "--method {params.method} --trial {wildcards.trial} --settings {params.settings:q} "
            "--output {output.folds:q} --timing {output.timing:q} 2>&1 | tee {log:q}"


rule stability:
    input:
        fold_files([EXTRAS["stability"]]),


rule peers_full:
    input:
        fold_files([EXTRAS["peers_full"]]),
