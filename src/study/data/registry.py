"""The registry of cohorts and networks: a row for each, from which rules, allowed configurations, texts and checks
come.

To add one, write its reader and add a row (CONTRIBUTING.md). Imports nothing heavy, because the Snakefile reads it each
time snakemake starts.

Where a file comes from is written as `wheel:<name>` (a row of data/sources.csv), `data:<file>` (in data/),
`own:<key>` (a path in the configuration's `own`) or `published:<file>` (a row of data/published_files.csv).
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Clinical:
    """A clinical column: where it stands, what it means, and how its text becomes a number."""

    name: str
    column: str
    meaning: str
    codes: dict[str, float] | None = None


@dataclass(frozen=True)
class CohortSpec:
    """What is known of a cohort beforehand.

    Attributes
    ----------
    label : str
        What it is called in texts.
    reader : str
        "module:function" below `study.data`; called with the row and a path, or an open wheel, per entry of `files`, it
        returns a `studyfile.Cohort`.
    about : str
        For the configuration's documentation.
    sentence : str
        For the methods text; {patients} and {events} are filled in.
    event, event_means : str
        What the event is called, and what it is exactly.
    unit : str
        Of follow-up times; empty when it is not known.
    patients, events : int, optional
        What the reader must find.
    has_entrez : bool
        Whether every gene has an Entrez id, by which shipped networks and gene sets go.
    is_training : bool
        Whether `cohort:` in the configuration may name it. The others have no reader of their own:
        `study.data.external` reads them with the genes of the cohort whose models are tested there.
    external : tuple of str
        Cohorts that models of this one are tested in.
    clinical : tuple of Clinical
    clinical_note : str
        What a reader must know of them.
    clinical_reader : str
        "module:function" below `study.data`; called with the row and the cohort's wheel, it returns patient and
        clinical columns.
    is_papers : bool
        Whether these are the patients and labels behind the paper's tables.
    """

    label: str
    reader: str = ""
    about: str = ""
    files: dict[str, str] = field(default_factory=dict)
    sentence: str = ""
    event: str = "event"
    event_means: str = ""
    unit: str = ""
    patients: int | None = None
    events: int | None = None
    has_entrez: bool = True
    is_training: bool = True
    external: tuple[str, ...] = ()
    clinical: tuple[Clinical, ...] = ()
    clinical_note: str = ""
    clinical_reader: str = ""
    is_papers: bool = False

    @property
    def module(self) -> str:
        """The module with its reader."""
        return f"study.data.{self.reader.partition(':')[0]}"

    @property
    def used(self) -> list:
        """What reading it depends on of the row."""
        return [self.reader, self.files, self.patients, self.events]

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
        entry of `files`, it returns (edges, confidence) between positions of the cohort's genes.
    sentence : str
        For the methods text.
    needs_entrez : bool
        Whether genes are found by Entrez id.
    cohort : str, optional
        The only cohort it goes with.
    has_confidence : bool
        Whether edges below `min_confidence` are left out.
    """

    reader: str
    about: str
    sentence: str
    files: dict[str, str] = field(default_factory=dict)
    needs_entrez: bool = False
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


_SURVSET = {"wheel": "wheel:survset"}

COHORTS = {
    "nki": CohortSpec(
        "NKI",
        "nki:read_nki",
        "the 295 patients of van de Vijver et al. (2002), outcome death in follow-up",
        {**_SURVSET, "annotation": "data:probe_annotation.tsv"},
        "{patients} patients of the Netherlands Cancer Institute [vijver], {events} of whom died in follow-up",
        event="death",
        event_means="death in follow-up (years)",
        unit="years",
        patients=295,
        events=79,
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
    "own": CohortSpec(
        "own",
        "own:read_own",
        "yours, from the tables named under `own`",
        {"expression": "own:expression", "outcome": "own:outcome"},
        "{patients} patients, {events} of whom had the event",
        has_entrez=False,
    ),
    "gse1992": CohortSpec(
        "GSE1992",
        event="relapse or death",
        event_means="relapse at any site or death of the disease (relapse-free survival, months)",
        unit="months",
        patients=124,
        events=35,
        is_training=False,
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
        event="death",
        event_means="death (alive or dead, months); of what is not documented",
        unit="months",
        patients=158,
        events=50,
        is_training=False,
        clinical=(Clinical("er", "num_erlev", "oestrogen receptor level, 0 to 3; the scale is not documented"),),
    ),
    "gse4335": CohortSpec(
        "GSE4335",
        event="death",
        event_means="death, by the column it comes from (overall survival, months; states alive, alive with disease, "
        "dead of disease, dead of other causes); how the four states became 0 and 1 is not documented",
        unit="months",
        patients=115,
        events=38,
        is_training=False,
        clinical=(
            Clinical("age", "num_age", "age at diagnosis, years"),
            Clinical("er", "fac_er_status", "oestrogen receptor: 1 positive, 0 negative"),
            Clinical("nodes", "fac_node_status", "lymph nodes (N), 0 to 2"),
            Clinical("grade", "fac_grade", "histological grade, 1 to 3"),
            Clinical("size", "fac_tumor_size", "tumour size (T), 1 to 4"),
            Clinical("metastasis", "fac_metastasis", "metastasis at diagnosis (M): 1 yes, 0 no"),
        ),
    ),
}
TRAINING = [name for name, row in COHORTS.items() if row.is_training]

NETWORKS = {
    "scnet": NetworkSpec(
        "networks:read_scnet",
        "protein interactions with confidences",
        "protein interactions with confidences of the scnet package",
        {"wheel": "wheel:scnet"},
        needs_entrez=True,
    ),
    "bioplex": NetworkSpec(
        "networks:read_bioplex",
        "BioPlex protein interactions",
        "BioPlex protein interactions of the cptac package",
        {"wheel": "wheel:cptac"},
        needs_entrez=True,
    ),
    "coexpression": NetworkSpec(
        "networks:coexpression",
        "computed from the expression alone, without outcomes",
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
        {"edges": "own:edges"},
        cohort="own",
    ),
}


def networks_of(cohort: str) -> list[str]:
    """Return the networks a cohort can be joined with."""
    return [
        name
        for name, row in NETWORKS.items()
        if row.cohort in (None, cohort) and (COHORTS[cohort].has_entrez or not row.needs_entrez)
    ]
