# Fits: nested cross-validation of every method, and its signature, the model of all patients.
FIT_KEYS = ("seed", "sparsities", "n_blocks", "lambdas", "extend_lambdas", "tie_tolerance", "scoring")
FIT_KEYS += ("outcome", "refit", "n_components", "head", "slack", "edge_cost", "epochs", "tolerance")


rule share:
    """Score the one-block fits that several methods share, on the folds of one trial."""
    input:
        study="<results>/{cohort}/{network}/study.npz",
        splits=SPLITS,
    output:
        scores=expand(SCORES, fold=FOLDS, allow_missing=True),
        timings=expand(TIMING, name="shared-{part}", fold=FOLDS, allow_missing=True),
    log:
        "<results>/{cohort}/{network}/logs/share/{part}/trial-{trial}.log",
    benchmark:
        "<results>/{cohort}/{network}/benchmarks/share/{part}/trial-{trial}.tsv"
    conda:
        ENVIRONMENT
    params:
        code=code("share.py", lambda wildcards: [METHODS[PARTS[wildcards.part]]]),
        settings=settings(*FIT_KEYS),
    shell:
        '"$PYTHON" "$SCRIPTS"/share.py --part {wildcards.part} --study {input.study:q} --splits {input.splits:q}'
        " --settings {params.settings:q} --scores {output.scores:q} --timings {output.timings:q} 2>&1 | tee {log:q}"


rule fit:
    """Cross-validate one method on the folds of one trial."""
    input:
        study="<results>/{cohort}/{network}/study.npz",
        splits=SPLITS,
        shared=collect(SCORES, part=shared_part, fold=FOLDS, allow_missing=True),
    output:
        folds=expand(FOLD, fold=FOLDS, allow_missing=True),
        timings=expand(TIMING, name="{method}", fold=FOLDS, allow_missing=True),
    log:
        "<results>/{cohort}/{network}/logs/fit/{method}/trial-{trial}.log",
    benchmark:
        "<results>/{cohort}/{network}/benchmarks/fit/{method}/trial-{trial}.tsv"
    wildcard_constraints:
        method="|".join(SLOW) if config["jobs"] == "trial" else "none",
    conda:
        ENVIRONMENT
    params:
        code=code("fit.py", method_row),
        settings=settings(*FIT_KEYS),
    shell:
        '"$PYTHON" "$SCRIPTS"/fit.py --method {wildcards.method} --study {input.study:q} --splits {input.splits:q}'
        " --shared {input.shared:q} --settings {params.settings:q} --folds {output.folds:q}"
        " --timings {output.timings:q} 2>&1 | tee {log:q}"


# The same with the folds of all trials in one job; the longest jobs start first.
use rule fit as fit_quick with:
    input:
        study="<results>/{cohort}/{network}/study.npz",
        splits=expand(SPLITS, trial=TRIALS, allow_missing=True),
        shared=collect(SCORES, part=shared_part, trial=TRIALS, fold=FOLDS, allow_missing=True),
    output:
        folds=expand(FOLD, trial=TRIALS, fold=FOLDS, allow_missing=True),
        timings=expand(TIMING, name="{method}", trial=TRIALS, fold=FOLDS, allow_missing=True),
    log:
        "<results>/{cohort}/{network}/logs/fit/{method}.log",
    benchmark:
        "<results>/{cohort}/{network}/benchmarks/fit/{method}.tsv"
    wildcard_constraints:
        method="|".join(QUICK) if config["jobs"] == "trial" else "none",
    priority: 1


# The same with one fold in a job, for `jobs: fold`. Other inputs would re-run the other folds, so they stay.
use rule fit as fit_fold with:
    output:
        folds=FOLD,
        timings=TIMING.replace("{name}", "{method}"),
    log:
        "<results>/{cohort}/{network}/logs/fit/{method}/trial-{trial}-fold-{fold}.log",
    benchmark:
        "<results>/{cohort}/{network}/benchmarks/fit/{method}/trial-{trial}-fold-{fold}.tsv"
    wildcard_constraints:
        method="|".join(SLOW) if config["jobs"] == "fold" else "none",


use rule fit_quick as fit_quick_fold with:
    output:
        folds=FOLD,
        timings=TIMING.replace("{name}", "{method}"),
    log:
        "<results>/{cohort}/{network}/logs/fit/{method}/trial-{trial}-fold-{fold}.log",
    benchmark:
        "<results>/{cohort}/{network}/benchmarks/fit/{method}/trial-{trial}-fold-{fold}.tsv"
    wildcard_constraints:
        method="|".join(QUICK) if config["jobs"] == "fold" else "none",


rule fit_final:
    """Fit one method to all patients, with settings chosen by cross-validation."""
    input:
        study="<results>/{cohort}/{network}/study.npz",
        network=network_files,
        cohort=cohort_files,
    output:
        signature=SIGNATURE,
        table="<results>/{cohort}/{network}/signatures/{method}.tsv",
    log:
        "<results>/{cohort}/{network}/logs/fit_final/{method}.log",
    benchmark:
        "<results>/{cohort}/{network}/benchmarks/fit_final/{method}.tsv"
    conda:
        ENVIRONMENT
    params:
        code=code("fit_final.py", method_row),
        settings=settings(*FIT_KEYS, "inner_folds", "cohort", "own"),
    shell:
        '"$PYTHON" "$SCRIPTS"/fit_final.py --method {wildcards.method} --study {input.study:q}'
        " --sources {input.network:q} {input.cohort:q} --settings {params.settings:q} --signature {output.signature:q}"
        " --table {output.table:q} 2>&1 | tee {log:q}"
