# The whole study on permuted outcomes, tuning included, made by `snakemake permuted`.
PERMUTED_METHODS = [name for name in config["permuted"]["methods"] if name in config["methods"]]
# About a minute of fits: a killed run repeats no more, and starting up does not weigh.
PERMUTED_PER_JOB = 10
PERMUTED_BATCHES = {
    f"{first // PERMUTED_PER_JOB + 1:03d}": [
        *range(first + 1, min(first + PERMUTED_PER_JOB, config["permuted"]["repetitions"]) + 1)
    ]
    for first in range(0, config["permuted"]["repetitions"], PERMUTED_PER_JOB)
}


for name in PERMUTED_METHODS:

    rule:
        name:
            f"permute_{name.replace('-', '_')}"
        input:
            study=f"{RUN}/study.npz",
        output:
            results=f"{RUN}/permuted/{name}/batch-{{batch}}.json",
        log:
            f"{RUN}/logs/permuted/{name}-{{batch}}.log",
        benchmark:
            f"{RUN}/benchmarks/permuted/{name}-{{batch}}.tsv"
        group:
            "permuted"
        conda:
            ENVIRONMENT
        resources:
            **needs(f"permute_{name.replace('-', '_')}"),
        params:
            code=code_of("run_permuted", methods.METHODS[name]),
            method=name,
            repetitions=lambda wildcards: PERMUTED_BATCHES[wildcards.batch],
            settings=settings(*FIT_KEYS, "folds", "inner_folds"),
        shell:
            job("run_permuted", input="study", params="method repetitions settings", output="results")


rule collect_permuted:
    input:
        study=f"{RUN}/study.npz",
        folds=fold_files(PERMUTED_METHODS),
        results=expand(f"{RUN}/permuted/{{name}}/batch-{{batch}}.json", name=PERMUTED_METHODS, batch=PERMUTED_BATCHES),
        sources=local("data/sources.csv"),
        pathways=pathway_wheels(),
    output:
        tables.paths(RUN, *expand("evidence/permuted{part}", part=["", "_summary", "_pathways", "_genes"])),
    log:
        f"{RUN}/logs/collect_permuted.log",
    benchmark:
        f"{RUN}/benchmarks/collect_permuted.tsv"
    localrule: True
    conda:
        ENVIRONMENT
    resources:
        **needs("collect_permuted"),
    params:
        code=code("collect_permuted"),
        run=stored(RUN),
    shell:
        job("collect_permuted", input="study folds results sources pathways", params="run")


rule permuted:
    input:
        tables.paths(RUN, "evidence/permuted_summary"),
    localrule: True
