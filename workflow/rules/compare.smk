# Several runs: the page that compares them, and targets that stand for those of every run.
from study.data.registry import COHORTS

ASSETS = "src/study/report/assets"
PAGE_ASSETS = [local(str(path)) for path in sorted(Path(ASSETS).glob("*"))]
COMPARE_TABLES = tables.paths(config["results"], *(name for name in tables.TABLES if name.startswith("compare/")))
COMPARE_FOLDERS = {"assets": lambda wildcards: ASSETS, "folder": lambda wildcards: config["reports"]}
COMPARE_KEYS = ("cohort", "network", "own", "outcome", "pooled", "results", "reports", "trials", "folds", "seed")
COMPARE_RUNS = job("compare_runs", params="settings assets folder which")


rule compare_runs:
    input:
        [f"{run.folder}/study.npz" for run in RUNS],
        [tables.paths(run.folder, "metrics", "evidence/frequencies") for run in RUNS],
        [
            tables.paths(run.folder, "evidence/final_models", "evidence/patients")
            for run in RUNS
            if not COHORTS[run.config["cohort"]].is_pooled
        ],
        PAGE_ASSETS,
    output:
        in_report([f"{config['reports']}/report.html"], "Study", "compare", what="the comparison of the runs"),
        COMPARE_TABLES,
        directory(f"{config['reports']}/figures"),
    log:
        f"{config['results']}/compare/logs/compare_runs.log",
    benchmark:
        f"{config['results']}/compare/benchmarks/compare_runs.tsv"
    conda:
        ENVIRONMENT
    resources:
        **needs("compare_runs"),
    params:
        **COMPARE_FOLDERS,
        code=code("compare_runs"),
        which="all",
        settings=settings(*COMPARE_KEYS),
    shell:
        COMPARE_RUNS


# The page from the runs that are finished; like that of a run it declares no file.
rule page:
    input:
        PAGE_ASSETS,
    log:
        f"{config['results']}/compare/logs/page.log",
    localrule: True
    conda:
        ENVIRONMENT
    resources:
        **needs("page"),
    params:
        **COMPARE_FOLDERS,
        code=code("compare_runs"),
        which="finished",
        settings=settings(*COMPARE_KEYS),
    shell:
        COMPARE_RUNS


for target in ("compare", "controls", "permuted", "planted", *methods.EXTRAS):

    rule:
        name:
            target
        input:
            [getattr(study.rules, target).output or getattr(study.rules, target).input for study in STUDIES],
        localrule: True


rule all:
    default_target: True
    input:
        rules.compare_runs.output,
        [study.rules.all.input for study in STUDIES],
