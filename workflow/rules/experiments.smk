# Experiments beside the study, each made by its own target: `snakemake controls`, `permuted`, `planted`, `defaults`.
# A job holds several repetitions, because starting a job takes as long as a second of fits.
EXPERIMENTS = {
    "controls": ["controls", "controls_repetitions", "rewired_pathways"],
    "permuted": ["permuted", "permuted_summary", "permuted_pathways", "permuted_genes"],
    "planted": ["planted", "planted_summary"],
}


def batches(repetitions, size):
    """Return the numbers 1..repetitions in batches of at most `size`, by name."""
    numbers = range(1, repetitions + 1)
    return {f"{first // size + 1:03d}": [*numbers[first : first + size]] for first in range(0, repetitions, size)}


CONTROL_BATCHES = {
    (control, batch): numbers
    for control, repetitions in {
        "real": 1,
        "labels": config["controls"]["repetitions"],
        "network": config["controls"]["repetitions"],
        "coexpression": 1,
    }.items()
    for batch, numbers in batches(repetitions, 5).items()
}
PERMUTED_METHODS = [name for name in config["permuted"]["methods"] if name in config["methods"]]
PERMUTED_BATCHES = batches(config["permuted"]["repetitions"], 10)
PLANTED_BATCHES = batches(config["planted"]["draws"], 5)
DEFAULTS_TRIALS = range(1, 5)


localrules:
    controls,
    permuted,
    planted,
    defaults,


rule controls:
    input:
        [f"{run.folder}/evidence/controls.csv" for run in RUNS.values()],


rule permuted:
    input:
        [f"{run.folder}/evidence/permuted_summary.csv" for run in RUNS.values()],


rule planted:
    input:
        [f"{run.folder}/evidence/planted_summary.csv" for run in RUNS.values()],


rule defaults:
    input:
        [f"{run.folder}/{table}.csv" for run in RUNS.values() for table in ("defaults", "defaults_penalties")],


rule run_controls:
    """Cross-validate fixed settings with permuted labels or changed networks."""
    input:
        study="<results>/{cohort}/{network}/study.npz",
    output:
        results="<results>/{cohort}/{network}/controls/{control}/batch-{batch}.json",
    params:
        code=code("run_controls.py", lambda wildcards: [METHODS[name] for name in config["controls"]["methods"]]),
        repetitions=lambda wildcards: CONTROL_BATCHES[wildcards.control, wildcards.batch],
        settings=settings(*FIT_KEYS, "folds", "inner_folds", "controls"),
    log:
        "<results>/{cohort}/{network}/logs/controls/{control}-{batch}.log",
    conda:
        ENVIRONMENT
    shell:
        '"$PYTHON" "$SCRIPTS"/run_controls.py --study {input.study:q} --control {wildcards.control}'
        " --repetitions {params.repetitions} --settings {params.settings:q} --results {output.results:q} 2> {log:q}"


rule collect_controls:
    """Collect the negative controls into tables."""
    input:
        study="<results>/{cohort}/{network}/study.npz",
        results=[
            f"<results>/{{cohort}}/{{network}}/controls/{control}/batch-{batch}.json" for control, batch in CONTROL_BATCHES
        ],
        sources=f"{DATA}/sources.csv",
        pathways=PATHWAYS,
    output:
        tables=expand("<results>/{{cohort}}/{{network}}/evidence/{table}.csv", table=EXPERIMENTS["controls"]),
    params:
        code=code("collect_controls.py"),
        settings=settings("folds"),
    log:
        "<results>/{cohort}/{network}/logs/collect_controls.log",
    conda:
        ENVIRONMENT
    shell:
        '"$PYTHON" "$SCRIPTS"/collect_controls.py --study {input.study:q} --results {input.results:q}'
        " --sources {input.sources:q} --pathways {input.pathways:q} --settings {params.settings:q}"
        " --tables {output.tables:q} 2> {log:q}"


rule run_permuted:
    """Repeat the nested cross-validation of a method on permuted outcomes."""
    input:
        study="<results>/{cohort}/{network}/study.npz",
    output:
        results="<results>/{cohort}/{network}/permuted/{method}/batch-{batch}.json",
    params:
        code=code("run_permuted.py", method_row),
        repetitions=lambda wildcards: PERMUTED_BATCHES[wildcards.batch],
        settings=settings(*FIT_KEYS, "folds", "inner_folds"),
    log:
        "<results>/{cohort}/{network}/logs/permuted/{method}-{batch}.log",
    conda:
        ENVIRONMENT
    shell:
        '"$PYTHON" "$SCRIPTS"/run_permuted.py --study {input.study:q} --method {wildcards.method}'
        " --repetitions {params.repetitions} --settings {params.settings:q} --results {output.results:q} 2> {log:q}"


rule collect_permuted:
    """Compare the study with trials on permuted outcomes."""
    input:
        study="<results>/{cohort}/{network}/study.npz",
        folds=expand(
            "<results>/{{cohort}}/{{network}}/fits/{method}/trial-{trial}/fold-{fold}.json",
            method=PERMUTED_METHODS,
            trial=TRIALS,
            fold=FOLDS,
        ),
        results=expand(
            "<results>/{{cohort}}/{{network}}/permuted/{method}/batch-{batch}.json",
            method=PERMUTED_METHODS,
            batch=PERMUTED_BATCHES,
        ),
        sources=f"{DATA}/sources.csv",
        pathways=PATHWAYS,
    output:
        tables=expand("<results>/{{cohort}}/{{network}}/evidence/{table}.csv", table=EXPERIMENTS["permuted"]),
    params:
        code=code("collect_permuted.py"),
    log:
        "<results>/{cohort}/{network}/logs/collect_permuted.log",
    conda:
        ENVIRONMENT
    shell:
        '"$PYTHON" "$SCRIPTS"/collect_permuted.py --study {input.study:q} --folds {input.folds:q}'
        " --results {input.results:q} --sources {input.sources:q} --pathways {input.pathways:q}"
        " --tables {output.tables:q} 2> {log:q}"


rule run_planted:
    """Simulate outcomes from connected gene sets, and count how much of each set the methods find."""
    input:
        study="<results>/{cohort}/{network}/study.npz",
    output:
        results="<results>/{cohort}/{network}/planted/batch-{batch}.json",
    params:
        code=code("run_planted.py", lambda wildcards: [METHODS[name] for name in config["planted"]["methods"]]),
        draws=lambda wildcards: PLANTED_BATCHES[wildcards.batch],
        settings=settings(*FIT_KEYS, "folds", "inner_folds", "planted"),
    log:
        "<results>/{cohort}/{network}/logs/planted/{batch}.log",
    conda:
        ENVIRONMENT
    shell:
        '"$PYTHON" "$SCRIPTS"/run_planted.py --study {input.study:q} --draws {params.draws}'
        " --settings {params.settings:q} --results {output.results:q} 2> {log:q}"


rule collect_planted:
    """Collect the planted gene sets into tables."""
    input:
        results=expand("<results>/{{cohort}}/{{network}}/planted/batch-{batch}.json", batch=PLANTED_BATCHES),
    output:
        tables=expand("<results>/{{cohort}}/{{network}}/evidence/{table}.csv", table=EXPERIMENTS["planted"]),
    params:
        code=code("collect_planted.py"),
    log:
        "<results>/{cohort}/{network}/logs/collect_planted.log",
    conda:
        ENVIRONMENT
    shell:
        '"$PYTHON" "$SCRIPTS"/collect_planted.py --results {input.results:q} --tables {output.tables:q} 2> {log:q}'


rule compare_defaults:
    """Compare the values of each default by cross-validation, on the folds of one trial."""
    input:
        study="<results>/{cohort}/{network}/study.npz",
    output:
        results="<results>/{cohort}/{network}/defaults/trial-{trial}.json",
    params:
        code=code("compare_defaults.py", lambda wildcards: [METHODS[name] for name in (*ITERATIVE, "t-top")]),
        settings=settings(*FIT_KEYS, "folds", "inner_folds"),
    log:
        "<results>/{cohort}/{network}/logs/defaults/trial-{trial}.log",
    conda:
        ENVIRONMENT
    shell:
        '"$PYTHON" "$SCRIPTS"/compare_defaults.py --study {input.study:q} --trial {wildcards.trial}'
        " --settings {params.settings:q} --results {output.results:q} 2> {log:q}"


rule collect_defaults:
    """Collect the comparison of defaults into tables."""
    input:
        results=expand("<results>/{{cohort}}/{{network}}/defaults/trial-{trial}.json", trial=DEFAULTS_TRIALS),
    output:
        tables=expand("<results>/{{cohort}}/{{network}}/{table}.csv", table=["defaults", "defaults_penalties"]),
    params:
        code=code("collect_defaults.py"),
        settings=settings(*FIT_KEYS, "folds", "inner_folds"),
    log:
        "<results>/{cohort}/{network}/logs/collect_defaults.log",
    conda:
        ENVIRONMENT
    shell:
        '"$PYTHON" "$SCRIPTS"/collect_defaults.py --results {input.results:q} --settings {params.settings:q}'
        " --tables {output.tables:q} 2> {log:q}"
