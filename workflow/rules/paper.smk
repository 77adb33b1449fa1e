# Ours beside the paper's tables, and the graph methods beside the baselines.
COMPARISONS = tables.paths(RUN, "comparison", "picked")
# Trial by trial only where the patients are the same.
if COHORT.is_papers:
    COMPARISONS += tables.paths(RUN, "comparison_trials")


rule compare:
    input:
        tables.paths(RUN, "metrics", "summary"),
        published=local("data/published_metrics.csv"),
    output:
        COMPARISONS,
        text=f"{RUN}/comparison.md",
    log:
        f"{RUN}/logs/compare.log",
    benchmark:
        f"{RUN}/benchmarks/compare.tsv"
    group:
        "results"
    conda:
        ENVIRONMENT
    resources:
        **needs("compare"),
    params:
        code=code("compare"),
        settings=settings("cohort", "network", "folds"),
        splits=config["published"]["splits"],
        run=stored(RUN),
    shell:
        job("compare", input="published", output="text", params="run splits settings")
