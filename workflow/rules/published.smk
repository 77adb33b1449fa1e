# The published data set: fetched, verified, and turned into the files the other rules start from.
localrules:
    fetch_published,


# Not a parameter of the rule: another mirror has the same files, so a change of it must not fetch them again.
os.environ.update(PUBLISHED_BASE_URL=config["published"]["base_url"])


rule fetch_published:
    output:
        "data/downloads/published/{published_file}",
    log:
        "data/downloads/published/logs/{published_file}.log",
    benchmark:
        "data/downloads/published/logs/{published_file}.benchmark.tsv"
    wildcard_constraints:
        published_file="|".join(map(re.escape, PUBLISHED_FILES)),
    conda:
        "../../environment.yml"
    params:
        # The id alone decides what the file is, so an edit of the code never fetches it again.
        blob=lambda wildcards: PUBLISHED_FILES[wildcards.published_file][1],
    shell:
        'python workflow/scripts/fetch.py --files data/published_files.csv --base "$PUBLISHED_BASE_URL" '
        "--output {output:q} 2>&1 | tee {log:q}"


if config["cohort"] == "published":

    rule read_published:
        input:
            files="data/published_files.csv",
            matrix=published("vant.mat"),
            entrez=published("entrez.mat"),
            edges=published("edge.txt"),
            pathways=published("pathways.txt"),
            symbols=["data/probe_annotation.tsv", "data/known_genes.csv"],
            sources="data/sources.csv",
            wheel=wheel("cptac"),
        output:
            cohort=f"{config['results']}/{COHORT}/cohort.npz",
            network=f"{config['results']}/{COHORT}/network.tsv",
        log:
            f"{config['results']}/{COHORT}/logs/read_published.log",
        benchmark:
            f"{config['results']}/{COHORT}/benchmarks/read_published.tsv"
        conda:
            "../../environment.yml"
        params:
            code=code("read_published.py"),
        shell:
            "python workflow/scripts/read_published.py --files {input.files:q} --matrix {input.matrix:q} "
            "--entrez {input.entrez:q} --edges {input.edges:q} --pathways {input.pathways:q} "
            "--symbols {input.symbols:q} --sources {input.sources:q} --wheel {input.wheel:q} "
            "--cohort {output.cohort:q} --network {output.network:q} 2>&1 | tee {log:q}"


if stored_splits():

    ruleorder: split_stored > split

    rule split_stored:
        input:
            files="data/published_files.csv",
            study=f"{RUN}/study.npz",
            stored=stored_splits(),
        output:
            f"{RUN}/splits.npz",
        log:
            f"{RUN}/logs/split_stored.log",
        benchmark:
            f"{RUN}/benchmarks/split_stored.tsv"
        conda:
            "../../environment.yml"
        params:
            code=code("split_stored.py"),
            settings=settings("seed", "folds", "inner_folds"),
        shell:
            "python workflow/scripts/split_stored.py --files {input.files:q} --study {input.study:q} "
            "--stored {input.stored:q} --settings {params.settings:q} --output {output:q} 2>&1 | tee {log:q}"
