PAGE_WHEEL = f"data/downloads/{PAGE_SOURCES['ipycytoscape'].file}"
PAGE_ASSETS = [
    f"src/study/report/assets/{name}"
    for name in (
        "page.html.j2",
        "viewer.html.j2",
        "page.css",
        "tables.js",
        "charts.js",
        "viewer.js",
        "page.js",
        "licences.txt",
    )
]
SIMULATIONS = f"{config['results']}/simulations"
STUDY_TABLES = [file for file in [*EVIDENCE_ON_GENES, *EVIDENCE_ON_PATIENTS] if file.endswith(".csv")]
# What takes its own time (controls, synthetic experiments) is in the report once it has been run. Not as an input: then
# the study would make it again whenever it is older than the code.
OWN_TIME = sorted(
    {
        *map(str, Path(f"{RUN}/evidence").glob("*.csv")),
        *map(str, Path(SIMULATIONS).glob("*.csv")),
        *map(str, Path(SIMULATIONS).glob("figures/*.svg")),
    }
    - set(STUDY_TABLES)
)


localrules:
    download_page,
    page,


ruleorder: download_page > download


rule download_page:
    input:
        sources="data/page_sources.csv",
    output:
        PAGE_WHEEL,
    log:
        f"{PAGE_WHEEL}.log",
    benchmark:
        f"{PAGE_WHEEL}.benchmark.tsv"
    conda:
        "../../environment.yml"
    params:
        sha256=PAGE_SOURCES["ipycytoscape"].sha256,
    shell:
        "python workflow/scripts/download.py --sources {input.sources:q} --output {output:q} 2>&1 | tee {log:q}"


rule collect_fits:
    input:
        FOLD_FILES,
    output:
        fits=f"{RUN}/fits.csv",
        traces=f"{RUN}/traces.csv",
    log:
        f"{RUN}/logs/collect_fits.log",
    benchmark:
        f"{RUN}/benchmarks/collect_fits.tsv"
    conda:
        "../../environment.yml"
    params:
        code=code("collect_fits.py"),
    shell:
        "python workflow/scripts/collect_fits.py --folds {input:q} --fits {output.fits:q} "
        "--traces {output.traces:q} 2>&1 | tee {log:q}"


rule report:
    input:
        study=f"{RUN}/study.npz",
        data=f"{RUN}/data_summary.json",
        tables=expand(
            f"{RUN}/{{table}}.csv", table=["metrics", "summary", "genes", "fits", "traces", "timings"]
        ),
        manifest=f"{RUN}/manifest.json",
        published=expand("data/published_{table}.csv", table=["metrics", "genes"]),
        extra=STUDY_TABLES,
        assets=PAGE_ASSETS,
        sources="data/page_sources.csv",
        wheel=PAGE_WHEEL,
    output:
        page=report(
            f"{REPORTS}/report.html",
            category="Study",
            labels={"what": "the whole report"},
            caption="../report/study.rst",
        ),
        summary=f"{REPORTS}/summary.md",
        tables=[
            report(
                f"{REPORTS}/tables/{name}.tex",
                category="Tables for a paper",
                labels={"table": label},
                caption="../report/tables.rst",
            )
            for name, label in LATEX_TABLES.items()
        ],
        figures=[
            report(
                f"{REPORTS}/figures/{name}.svg",
                category="Figures",
                labels={"figure": label},
                caption=f"../report/{name}.rst",
            )
            for name, label in FIGURES.items()
        ],
    log:
        f"{RUN}/logs/report.log",
    benchmark:
        f"{RUN}/benchmarks/report.tsv"
    conda:
        "../../environment.yml"
    params:
        code=code("write_report.py"),
        own_time=content_hash(OWN_TIME),
        settings=json.dumps(config, sort_keys=True),
        run=lambda wildcards, input: str(Path(input.study).parent),
        simulations=SIMULATIONS,
        folder=lambda wildcards, output: str(Path(output.page).parent),
    shell:
        "python workflow/scripts/write_report.py --run {params.run:q} --data data --assets src/study/report/assets "
        "--sources {input.sources:q} --wheel {input.wheel:q} --simulations {params.simulations:q} "
        "--settings {params.settings:q} --output {params.folder:q} 2>&1 | tee {log:q}"


# The page alone, from whatever is there: it has no output of its own, so it always runs.
rule page:
    input:
        assets=PAGE_ASSETS,
        sources="data/page_sources.csv",
        wheel=PAGE_WHEEL,
    log:
        f"{RUN}/logs/page.log",
    benchmark:
        f"{RUN}/benchmarks/page.tsv"
    conda:
        "../../environment.yml"
    params:
        code=code("write_report.py"),
        settings=json.dumps(config, sort_keys=True),
        run=RUN,
        simulations=SIMULATIONS,
        folder=REPORTS,
    shell:
        "python workflow/scripts/write_report.py --partial --run {params.run:q} --data data "
        "--assets src/study/report/assets --sources {input.sources:q} --wheel {input.wheel:q} "
        "--simulations {params.simulations:q} --settings {params.settings:q} --output {params.folder:q} "
        "2>&1 | tee {log:q}"


onerror:
    if any(Path(f"{RUN}/fits").glob("*/trial-*/fold-*.json")):
        print(
            f"Some jobs failed. `make report` writes {REPORTS}/report.html from the folds that are finished."
        )
