# Which genes are selected how often, and what they have in common.
GENE_EVIDENCE = ["frequencies", "stability", "jaccard", "known", "union", "pathways"]
GENE_TABLES = tables.paths(RUN, *expand("evidence/{name}", name=GENE_EVIDENCE))


rule evidence_genes:
    input:
        tables.paths(RUN, "metrics", "genes"),
        study=f"{RUN}/study.npz",
        known_genes=KNOWN_GENES,
        published_genes=local("data/published_genes.csv"),
        sources=local("data/sources.csv"),
        pathways=pathway_wheels(),
    output:
        GENE_TABLES,
    log:
        f"{RUN}/logs/evidence_genes.log",
    benchmark:
        f"{RUN}/benchmarks/evidence_genes.tsv"
    group:
        "results"
    conda:
        ENVIRONMENT
    resources:
        **needs("evidence_genes"),
    params:
        code=code("evidence_genes"),
        run=stored(RUN),
        settings=words(),
    shell:
        job("evidence_genes", input="study known_genes published_genes sources pathways", params="run settings")
