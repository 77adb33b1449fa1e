# The page and what is written beside it.
from study.report.files import latex_tables_of

PAGE = {
    "sources": local("data/page_sources.csv"),
    "wheel": f"data/downloads/{PAGE_SOURCES['ipycytoscape'].file}",
    "published": local("data/published_metrics.csv"),
}
ASSETS = "src/study/report/assets"
PAGE_ASSETS = [local(str(path)) for path in sorted(Path(ASSETS).glob("*"))]
# Folders, as functions, because they are neither inputs nor outputs.
PAGE_FOLDERS = {
    "run": stored(RUN),
    "assets": lambda wildcards: ASSETS,
    "simulations": stored(SIMULATIONS),
    "folder": stored(REPORTS),
}
WRITE_REPORT = job(
    "write_report", input="sources wheel published", params="run assets simulations folder folds settings"
)
# What takes its own time (controls, synthetic experiments) is in the report once it has been run. Not as an input: then
# the study would make it again whenever it is older than the code.
OWN_TIME = sorted(
    {
        *map(str, Path(EVIDENCE).glob("*.csv")),
        *map(str, Path(SIMULATIONS).glob("*.csv")),
        *map(str, Path(SIMULATIONS).glob("figures/*.svg")),
    }
    - set(EVIDENCE_TABLES)
)


rule report:
    input:
        f"{RUN}/study.npz",
        f"{RUN}/data_summary.json",
        f"{RUN}/manifest.json",
        FOLD_TABLES,
        tables.paths(RUN, "timings"),
        COMPARISONS,
        EVIDENCE_TABLES,
        PAGE_ASSETS,
        **PAGE,
    output:
        in_report([f"{REPORTS}/report.html"], "Study", "study", RUN, what="the whole report"),
        f"{REPORTS}/summary.md",
        [
            in_report([f"{REPORTS}/tables/{name}.tex"], "Tables for a paper", "latex", RUN, table=label)
            for name, label in latex_tables_of(COHORT.is_pooled).items()
        ],
        report(
            directory(f"{REPORTS}/figures"),
            patterns=["{figure}.svg"],
            category="Figures",
            subcategory=RUN,
            caption="../report/figures.rst",
            labels={"figure": "{figure}"},
        ),
    log:
        f"{RUN}/logs/report.log",
    benchmark:
        f"{RUN}/benchmarks/report.tsv"
    group:
        "results"
    conda:
        ENVIRONMENT
    resources:
        **needs("report"),
    params:
        **PAGE_FOLDERS,
        code=code("write_report"),
        own_time=lambda wildcards: provenance.content_hash(OWN_TIME),
        folds="all",
        settings=SETTINGS,
    shell:
        WRITE_REPORT


# The page from whatever is there. It writes the files of `report` and declares none of them, so that it always runs,
# and so that the page of an unfinished study is never taken for that of the finished one.
rule page:
    input:
        PAGE_ASSETS,
        **PAGE,
    log:
        f"{RUN}/logs/page.log",
    localrule: True
    conda:
        ENVIRONMENT
    resources:
        **needs("page"),
    params:
        **PAGE_FOLDERS,
        code=code("write_report"),
        folds="finished",
        settings=SETTINGS,
    shell:
        WRITE_REPORT
