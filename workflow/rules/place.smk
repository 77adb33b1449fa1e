# Where a cohort and a run of it on a network are, and what they are made from.
from study.data import sources
from study.data.registry import COHORTS, GENE_SETS, NETWORKS, files_of, patients_of
from study.run.config import cohort_name

COHORT = COHORTS[config["cohort"]]
NETWORK = NETWORKS[config["network"]]
# Results of the cohort, of the cohort on the network, the evidence from them, and the report.
PATIENTS = f"{config['results']}/{cohort_name(config)}"
RUN = f"{PATIENTS}/{config['network']}"
EVIDENCE = f"{RUN}/evidence"
REPORTS = config["reports"]
# Other cohorts, with the genes of this one.
EXTERNAL = f"{PATIENTS}/external"
EXTERNAL_FILES = [
    *(f"{EXTERNAL}/{name}.npz" for name in COHORT.external),
    *(f"{EXTERNAL}/{name}_clinical.csv" for name in (config["cohort"], *COHORT.external)),
    f"{EXTERNAL}/seventy.csv",
]
TRIALS = [f"{trial:02d}" for trial in range(1, config["trials"] + 1)]
FOLDS = range(1, config["folds"] + 1)
# Genes known to matter in breast cancer; of another disease none are shipped.
KNOWN_GENES = local(f"data/{'no_' if COHORT.is_own else ''}known_genes.csv")
# Whose files a pooled cohort reads.
MEMBERS = config["pooled"]["cohorts"] if COHORT.is_pooled else []


wildcard_constraints:
    trial=r"\d+",
    fold=r"\d+",


def located(files):
    """Where the files of a row of the registry are; those that are shipped are never in a storage."""
    paths = sources.located(files, config["own"], SOURCES)
    return {key: local(path) if files[key].startswith("data:") else path for key, path in paths.items()}


def cohort_files():
    """Where the files are that the cohort is read from."""
    return list(located(files_of(config["cohort"], MEMBERS)).values())


def wheel(name):
    """Where the pinned wheel `name` is kept."""
    return f"data/downloads/{SOURCES[name].file}"


def pathway_wheels():
    """The wheels with gene sets."""
    return [wheel(name) for name in dict.fromkeys(row.wheel for row in GENE_SETS.values())]


def stored_splits():
    """The published files with the outer folds of the trials, if the configuration asks for those folds."""
    if not COHORT.is_papers or config["published"]["splits"] != "stored":
        return []
    names = sorted(name for name in PUBLISHED_FILES if name.startswith("overlap_data_"))
    if config["trials"] > len(names):
        raise WorkflowError(
            f"config: trials: expected at most {len(names)}, as many as there are stored splits, found "
            f"{config['trials']}; for more, set published: splits: ours."
        )
    return list(located({name: f"published:{name}" for name in names[: config["trials"]]}).values())
