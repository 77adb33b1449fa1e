# A run: a cohort on a network, from its study file to its report.
include: "common.smk"
include: "place.smk"
include: "folds.smk"
include: "data.smk"
include: "fit.smk"
include: "evaluate.smk"
include: "genes.smk"


if COHORT.is_pooled:

    include: "left_out.smk"

else:

    include: "paper.smk"
    include: "evidence.smk"
    include: "external.smk"
    include: "controls.smk"
    include: "permuted.smk"
    include: "planted.smk"


# Defaults are chosen on this cohort alone, and on no patient of the study.
if config["cohort"] == "tcga":

    include: "defaults.smk"


include: "report.smk"
include: "crate.smk"


rule all:
    default_target: True
    input:
        FOLD_FILES,
        FOLD_TABLES,
        COMPARISONS,
        EVIDENCE_TABLES,
        f"{RUN}/data_summary.json",
        f"{RUN}/timings.csv",
        f"{RUN}/manifest.json",
        f"{RUN}/ro-crate-metadata.json",
        f"{REPORTS}/report.html",
