# Negative controls: fits of their own, at one fixed setting, made by `snakemake controls`.
N_REPETITIONS = {
    "real": 1,
    "labels": config["controls"]["repetitions"],
    "network": config["controls"]["repetitions"],
    "coexpression": 1,
}
# A job holds a few repetitions, because starting one costs as much as a second of fits.
REPETITIONS_PER_JOB = 5
BATCHES = {
    (control, f"{first // REPETITIONS_PER_JOB + 1:02d}"): [
        *range(first + 1, min(first + REPETITIONS_PER_JOB, number) + 1)
    ]
    for control, number in N_REPETITIONS.items()
    for first in range(0, number, REPETITIONS_PER_JOB)
}


rule run_controls:
    input:
        study=f"{RUN}/study.npz",
    output:
        results=f"{RUN}/controls/{{control}}/batch-{{batch}}.json",
    log:
        f"{RUN}/logs/controls/{{control}}-{{batch}}.log",
    benchmark:
        f"{RUN}/benchmarks/controls/{{control}}-{{batch}}.tsv"
    group:
        "controls"
    conda:
        ENVIRONMENT
    resources:
        **needs("run_controls"),
    params:
        code=code_of("run_controls", *(methods.METHODS[name] for name in config["controls"]["methods"])),
        repetitions=lambda wildcards: BATCHES[wildcards.control, wildcards.batch],
        settings=settings(
            "seed",
            "folds",
            "inner_folds",
            "controls",
            "coexpression_neighbours",
            "edge_cost",
            "n_components",
            "head",
            "slack",
            "tolerance",
            "scsg_inner_steps",
            "scsg_option",
        ),
    shell:
        job(
            "run_controls",
            input="study",
            output="results",
            wildcards="control",
            params="repetitions settings",
        )


rule collect_controls:
    input:
        study=f"{RUN}/study.npz",
        results=[f"{RUN}/controls/{control}/batch-{batch}.json" for control, batch in BATCHES],
        sources=local("data/sources.csv"),
        pathways=pathway_wheels(),
    output:
        tables.paths(RUN, "evidence/controls", "evidence/controls_repetitions", "evidence/rewired_pathways"),
        text=f"{EVIDENCE}/controls.txt",
    log:
        f"{RUN}/logs/collect_controls.log",
    benchmark:
        f"{RUN}/benchmarks/collect_controls.tsv"
    group:
        "controls"
    conda:
        ENVIRONMENT
    resources:
        **needs("collect_controls"),
    params:
        code=code("collect_controls"),
        settings=settings("folds"),
        run=stored(RUN),
    shell:
        job("collect_controls", input="study results sources pathways", output="text", params="run settings")


rule controls:
    input:
        tables.paths(RUN, "evidence/controls"),
    localrule: True
