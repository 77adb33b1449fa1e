# The defaults of the iterative methods, compared by cross-validation: `make defaults`. See docs/defaults.md.
DEFAULTS_TRIALS = range(1, 5)
DEFAULTS_SETTINGS = settings(*FIT_KEYS, "folds", "inner_folds")


rule compare_defaults:
    input:
        study=f"{RUN}/study.npz",
    output:
        results=f"{RUN}/defaults/trial-{{trial}}.json",
    log:
        f"{RUN}/logs/defaults/trial-{{trial}}.log",
    benchmark:
        f"{RUN}/benchmarks/defaults/trial-{{trial}}.tsv"
    group:
        "defaults"
    conda:
        ENVIRONMENT
    resources:
        **needs("compare_defaults"),
    params:
        code=code_of("compare_defaults", *(methods.METHODS[name] for name in (*methods.ITERATIVE, "t-top"))),
        settings=DEFAULTS_SETTINGS,
    shell:
        job("compare_defaults", input="study", output="results", wildcards="trial", params="settings")


rule collect_defaults:
    input:
        results=expand(f"{RUN}/defaults/trial-{{trial}}.json", trial=DEFAULTS_TRIALS),
    output:
        tables.paths(RUN, "defaults", "defaults_penalties"),
    log:
        f"{RUN}/logs/collect_defaults.log",
    benchmark:
        f"{RUN}/benchmarks/collect_defaults.tsv"
    conda:
        ENVIRONMENT
    resources:
        **needs("collect_defaults"),
    params:
        code=code("collect_defaults"),
        run=stored(RUN),
        settings=DEFAULTS_SETTINGS,
    shell:
        job("collect_defaults", input="results", params="run settings")


rule defaults:
    input:
        tables.paths(RUN, "defaults", "defaults_penalties"),
    localrule: True
