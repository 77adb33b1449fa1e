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
        RANK_FIGURES,
    log:
        f"{RUN}/logs/evidence_differences.log",
    benchmark:
        f"{RUN}/benchmarks/evidence_differences.tsv"
    conda:
        "../../environment.yml"
    params:
        code=code("evidence_differences.py"),
        settings=settings("folds"),
        folder=EVIDENCE,
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
        GENE_FIGURES,
    log:
        f"{RUN}/logs/evidence_genes.log",
    benchmark:
        f"{RUN}/benchmarks/evidence_genes.tsv"
    conda:
        "../../environment.yml"
    params:
        code=code("evidence_genes.py"),
        folder=EVIDENCE,
    shell:
        "python workflow/scripts/evidence_genes.py --study {input.study:q} --metrics {input.metrics:q} "
        "--genes {input.genes:q} --known-genes {input.known_genes:q} --published-genes {input.published_genes:q} "
        "--sources {input.sources:q} --pathways {input.pathways:q} --folder {params.folder:q} 2>&1 | tee {log:q}"
