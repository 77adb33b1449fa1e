# Outcomes simulated from connected gene sets on the real expression and network, made by `snakemake planted`.
DRAWS_PER_JOB = 5
DRAW_BATCHES = {
    f"{first // DRAWS_PER_JOB + 1:02d}": [*range(first + 1, min(first + DRAWS_PER_JOB, config["planted"]["draws"]) + 1)]
    for first in range(0, config["planted"]["draws"], DRAWS_PER_JOB)
}


rule run_planted:
    input:
        study=f"{RUN}/study.npz",
    output:
        results=f"{RUN}/planted/batch-{{batch}}.json",
    log:
        f"{RUN}/logs/planted/{{batch}}.log",
    benchmark:
        f"{RUN}/benchmarks/planted/{{batch}}.tsv"
    group:
        "planted"
    conda:
        ENVIRONMENT
    resources:
        **needs("run_planted"),
    params:
        code=code_of("run_planted", *(methods.METHODS[name] for name in config["planted"]["methods"])),
        draws=lambda wildcards: DRAW_BATCHES[wildcards.batch],
        settings=settings(
            "seed",
            "folds",
            "inner_folds",
            "planted",
            "edge_cost",
            "n_components",
            "tolerance",
            "scsg_inner_steps",
            "scsg_option",
        ),
    shell:
        job("run_planted", input="study", params="draws settings", output="results")


rule collect_planted:
    input:
        results=expand(f"{RUN}/planted/batch-{{batch}}.json", batch=DRAW_BATCHES),
    output:
        tables.paths(RUN, "evidence/planted", "evidence/planted_summary"),
    log:
        f"{RUN}/logs/collect_planted.log",
    benchmark:
        f"{RUN}/benchmarks/collect_planted.tsv"
    group:
        "planted"
    conda:
        ENVIRONMENT
    resources:
        **needs("collect_planted"),
    params:
        code=code("collect_planted"),
        run=stored(RUN),
    shell:
        job("collect_planted", input="results", params="run")


rule planted:
    input:
        tables.paths(RUN, "evidence/planted_summary"),
    localrule: True
