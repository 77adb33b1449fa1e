# Which methods differ, which genes are selected how often, and what the network contributes. The first two rules read
# the tables of the study; the controls are fits of their own, made by `snakemake controls`.
EVIDENCE = f"{RUN}/evidence"
DIFFERENCE_TABLES = expand(f"{EVIDENCE}/{{name}}.csv", name=["differences", "ranks", "cliques"])
RANK_FIGURES = expand(
    f"{EVIDENCE}/figures/ranks_{{metric}}.svg", metric=["balanced_error", "auc", "n_nonzero"]
)
GENE_TABLES = expand(
    f"{EVIDENCE}/{{name}}.csv",
    name=[
        "frequencies",
        "stability",
        "jaccard",
        "stable_genes",
        "stable_edges",
        "known",
        "union",
        "pathways",
    ],
)
GENE_FIGURES = expand(f"{EVIDENCE}/figures/{{name}}.svg", name=["jaccard", "frequencies"])
EVIDENCE_ON_GENES = [*DIFFERENCE_TABLES, *RANK_FIGURES, *GENE_TABLES, *GENE_FIGURES]


rule evidence_differences:
    input:
        metrics=f"{RUN}/metrics.csv",
    output:
        DIFFERENCE_TABLES,
        figures_in_report(RANK_FIGURES, "Differences"),
    log:
        f"{RUN}/logs/evidence_differences.log",
    benchmark:
        f"{RUN}/benchmarks/evidence_differences.tsv"
    conda:
        "../../environment.yml"
    params:
        code=code("evidence_differences.py"),
        settings=settings("folds"),
        folder=lambda wildcards, output: str(Path(output[0]).parent),
    shell:
        "python workflow/scripts/evidence_differences.py --metrics {input.metrics:q} --settings {params.settings:q} "
        "--folder {params.folder:q} 2>&1 | tee {log:q}"


rule evidence_genes:
    input:
        study=f"{RUN}/study.npz",
        metrics=f"{RUN}/metrics.csv",
        genes=f"{RUN}/genes.csv",
        known_genes="data/known_genes.csv",
        published_genes="data/published_genes.csv",
        sources="data/sources.csv",
        pathways=pathway_wheel(),
    output:
        GENE_TABLES,
        figures_in_report(GENE_FIGURES, "Genes"),
    log:
        f"{RUN}/logs/evidence_genes.log",
    benchmark:
        f"{RUN}/benchmarks/evidence_genes.tsv"
    conda:
        "../../environment.yml"
    params:
        code=code("evidence_genes.py"),
        folder=lambda wildcards, output: str(Path(output[0]).parent),
    shell:
        "python workflow/scripts/evidence_genes.py --study {input.study:q} --metrics {input.metrics:q} "
        "--genes {input.genes:q} --known-genes {input.known_genes:q} --published-genes {input.published_genes:q} "
        "--sources {input.sources:q} --pathways {input.pathways:q} --folder {params.folder:q} 2>&1 | tee {log:q}"


CONTROL_FILES = [
    f"{RUN}/controls/{control}/batch-{batch:02d}.json"
    for control, number in N_REPETITIONS.items()
    for batch in range(1, -(-number // REPETITIONS_PER_JOB) + 1)
]


localrules:
    controls,


rule run_controls:
    input:
        study=f"{RUN}/study.npz",
    output:
        f"{RUN}/controls/{{control}}/batch-{{batch}}.json",
    log:
        f"{RUN}/logs/controls/{{control}}-{{batch}}.log",
    benchmark:
        f"{RUN}/benchmarks/controls/{{control}}-{{batch}}.tsv"
    wildcard_constraints:
        control="|".join(N_REPETITIONS),
        batch=r"\d+",
    conda:
        "../../environment.yml"
    params:
        code=code("run_controls.py"),
        repetitions=control_repetitions,
        settings=settings(
            "seed",
            "folds",
            "inner_folds",
            "controls",
            "coexpression_neighbours",
            "edge_cost",
            "n_components",
            "max_epochs",
            "tolerance",
            "scsg_inner_steps",
            "scsg_option",
        ),
    shell:
        "python workflow/scripts/run_controls.py --study {input.study:q} --control {wildcards.control} "
        "--repetitions {params.repetitions} --settings {params.settings:q} --output {output:q} 2>&1 | tee {log:q}"


rule collect_controls:
    input:
        study=f"{RUN}/study.npz",
        results=CONTROL_FILES,
        sources="data/sources.csv",
        pathways=pathway_wheel(),
    output:
        table=f"{EVIDENCE}/controls.csv",
        repetitions=f"{EVIDENCE}/controls_repetitions.csv",
        rewired_pathways=f"{EVIDENCE}/rewired_pathways.csv",
        figure=figures_in_report([f"{EVIDENCE}/figures/controls.svg"], "Controls"),
        text=f"{EVIDENCE}/controls.txt",
    log:
        f"{RUN}/logs/collect_controls.log",
    benchmark:
        f"{RUN}/benchmarks/collect_controls.tsv"
    conda:
        "../../environment.yml"
    params:
        code=code("collect_controls.py"),
        settings=settings("folds"),
    shell:
        "python workflow/scripts/collect_controls.py --study {input.study:q} --results {input.results:q} "
        "--sources {input.sources:q} --pathways {input.pathways:q} --settings {params.settings:q} "
        "--table {output.table:q} --repetitions {output.repetitions:q} "
        "--rewired-pathways {output.rewired_pathways:q} --figure {output.figure:q} --text {output.text:q} "
        "2>&1 | tee {log:q}"


rule controls:
    input:
        f"{EVIDENCE}/controls.csv",
