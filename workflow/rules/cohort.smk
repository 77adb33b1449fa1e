# What several runs of a cohort share: its patients, and the other cohorts that its models are tested in.
include: "common.smk"
include: "place.smk"


rule read_cohort:
    input:
        sources=local("data/sources.csv"),
        published=local("data/published_files.csv"),
        files=cohort_files(),
    output:
        cohort=f"{PATIENTS}/cohort.npz",
    log:
        f"{PATIENTS}/logs/read_cohort.log",
    benchmark:
        f"{PATIENTS}/benchmarks/read_cohort.tsv"
    localrule: True
    conda:
        ENVIRONMENT
    resources:
        **needs("read_cohort"),
    params:
        code=code_of("read_cohort", COHORT, *(COHORTS[name] for name in MEMBERS)),
        name=config["cohort"],
        members=MEMBERS,
        settings=settings(*(["own"] if COHORT.is_own else [])),
    shell:
        job("read_cohort", input="sources published files", params="name members settings", output="cohort")


if COHORT.is_pooled:

    rule read_clinical:
        input:
            sources=local("data/sources.csv"),
            published=local("data/published_files.csv"),
            files=cohort_files(),
        output:
            clinical=f"{PATIENTS}/clinical.csv",
        log:
            f"{PATIENTS}/logs/read_clinical.log",
        benchmark:
            f"{PATIENTS}/benchmarks/read_clinical.tsv"
        localrule: True
        conda:
            ENVIRONMENT
        resources:
            **needs("read_clinical"),
        params:
            code=code_of("read_clinical", COHORT, *(COHORTS[name] for name in MEMBERS)),
            name=config["cohort"],
            members=MEMBERS,
        shell:
            job("read_clinical", input="sources published files", params="name members", output="clinical")


if COHORT.external:
    DESCRIBED = [COHORTS[name] for name in (config["cohort"], *COHORT.external)]

    rule read_external:
        input:
            sources=local("data/sources.csv"),
            published=local("data/published_files.csv"),
            files=[path for row in DESCRIBED for path in located(row.files).values()],
            wheel=wheel("survset"),
            cohort=f"{PATIENTS}/cohort.npz",
            annotation=local("data/probe_annotation.tsv"),
            aliases=local("data/symbol_aliases.csv"),
        output:
            EXTERNAL_FILES,
        log:
            f"{PATIENTS}/logs/read_external.log",
        benchmark:
            f"{PATIENTS}/benchmarks/read_external.tsv"
        localrule: True
        conda:
            ENVIRONMENT
        resources:
            **needs("read_external"),
        params:
            code=code("read_external", *sorted({row.module for row in DESCRIBED})),
            folder=stored(EXTERNAL),
            training=config["cohort"],
        shell:
            job(
                "read_external",
                input="sources published files wheel cohort annotation aliases",
                params="folder training",
            )
