"""Read networks of genes, and join a cohort with one."""

import gzip
import lzma

import numpy as np
import pandas as pd

from graphiht.network import Network
from graphiht.tables import some
from study.data.gene_names import read_gene_names
from study.data.sources import Wheel
from study.data.studyfile import Cohort, Study
from study.errors import StudyError

SCNET_MEMBER = "scNET/Data/H_sapiens.net"
BIOPLEX_MEMBER = "cptac/utils/data/BioPlex_293T_Network_10K_Dec_2019.tsv.gz"
PATHWAYCOMMONS_MEMBER = "enricher/data/PathwayCommons9.All.hgnc.sif.gz"
# Relations between proteins that bind; the others concern chemicals, or regulation.
RELATIONS = ("interacts-with", "in-complex-with")
IMEX_MEMBER = "cellphonedb/src/core/data/sources/IMEx_interaction_raw.csv.xz"
UNIPROT_MEMBER = "cellphonedb/src/core/data/sources/uniprot.tab"
NO_NAMES = (
    "Rename probes of a microarray by the annotation of their platform, or use `network: coexpression` (`--network "
    "coexpression`), which needs no gene names."
)
# Confidence of an interaction with one report, in sources without confidences.
REPORT = 0.5


def read_scnet(cohort: Cohort, settings: dict, wheel: Wheel) -> tuple[np.ndarray, np.ndarray]:
    """Return (edges, confidence) of the scNET human interactions between the genes of a cohort."""
    with wheel.open(SCNET_MEMBER) as stream:
        pairs = pd.read_csv(stream, sep="\t", header=None, names=["a", "b", "confidence", "unused"])
    return by_entrez(pairs, cohort.entrez)


def read_bioplex(cohort: Cohort, settings: dict, wheel: Wheel) -> tuple[np.ndarray, np.ndarray]:
    """Return (edges, probability of interaction) of BioPlex 293T between the genes of a cohort."""
    frame = bioplex_table(wheel)
    return by_entrez(frame.rename(columns={"GeneA": "a", "GeneB": "b", "pInt": "confidence"}), cohort.entrez)


def bioplex_table(wheel: Wheel) -> pd.DataFrame:
    """Return the table of BioPlex 293T interactions, which names each gene by Entrez id and symbol."""
    with wheel.open(BIOPLEX_MEMBER) as stream, gzip.open(stream) as table:
        return pd.read_csv(table, sep="\t", keep_default_na=False)


def read_pathwaycommons(cohort: Cohort, settings: dict, wheel: Wheel, names: Wheel) -> tuple[np.ndarray, np.ndarray]:
    """Return (edges, confidence) of PathwayCommons 9 between the genes of a cohort.

    The file has no counts of reports. So each of RELATIONS counts as one report: the confidence is .5 for a pair that
    interacts or shares a complex, and .75 for a pair that does both.
    """
    with wheel.open(PATHWAYCOMMONS_MEMBER) as stream, gzip.open(stream) as table:
        types = {"relation": "category"}
        pairs = pd.read_csv(
            table, sep="\t", header=None, names=["a", "relation", "b"], dtype=types, keep_default_na=False
        )
    entrez = read_gene_names(names).set_index("name")["entrez"]
    each = [_reports(pairs.loc[pairs["relation"] == relation, ["a", "b"]], entrez, cohort) for relation in RELATIONS]
    return in_any([distinct(*part) for part in each])


def read_imex(cohort: Cohort, settings: dict, wheel: Wheel, names: Wheel) -> tuple[np.ndarray, np.ndarray]:
    """Return (edges, confidence) of the IMEx consortium between the genes of a cohort.

    A row is one report; a pair with k reports has confidence 1 - 2^-k. An isoform or chain (P10636-8) counts as its
    protein, and a protein stands for the first of its genes.
    """
    with wheel.open(IMEX_MEMBER) as stream, lzma.open(stream) as table:
        pairs = pd.read_csv(table, usecols=["A", "B"], dtype="category", keep_default_na=False)
    with wheel.open(UNIPROT_MEMBER) as stream:
        proteins = pd.read_csv(stream, sep="\t", usecols=["Entry", "Gene names"], keep_default_na=False)
    symbol = proteins["Gene names"].str.split(n=1).str[0].set_axis("uniprotkb:" + proteins["Entry"])
    entrez = symbol.map(read_gene_names(names).set_index("name")["entrez"])
    genes = {side: pairs[side].astype(str).str.partition("-")[0] for side in pairs}
    return in_any([_reports(pd.DataFrame(genes), entrez, cohort)])


def _reports(pairs: pd.DataFrame, entrez: pd.Series, cohort: Cohort) -> tuple[np.ndarray, np.ndarray]:
    """Return an edge of confidence REPORT per row of two names; `entrez` maps names to ids."""
    a, b = (pairs[side].map(entrez) for side in pairs)
    return by_entrez(pd.DataFrame({"a": a, "b": b, "confidence": REPORT}), cohort.entrez)


def read_union(
    cohort: Cohort, settings: dict, scnet: Wheel, bioplex: Wheel, pathwaycommons: Wheel, imex: Wheel, names: Wheel
) -> tuple[np.ndarray, np.ndarray]:
    """Return (edges, confidence) of four networks together.

    The confidence of an edge is the probability that at least one network is right if their errors were independent.
    They are not (the sources cite the same experiments), so the confidence only ranks the edges.
    """
    parts = [
        read_scnet(cohort, settings, scnet),
        read_bioplex(cohort, settings, bioplex),
        read_pathwaycommons(cohort, settings, pathwaycommons, names),
        read_imex(cohort, settings, imex, names),
    ]
    return in_any([distinct(*part) for part in parts])


def by_entrez(pairs: pd.DataFrame, entrez: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (edges, confidence) between the genes `entrez`; pairs with any other gene are left out."""
    position = pd.Series(np.arange(len(entrez)), index=entrez)
    position = position[position.index > 0]
    kept = pairs[pairs["a"].isin(position.index) & pairs["b"].isin(position.index)]
    edges = np.column_stack([position[kept["a"]].to_numpy(), position[kept["b"]].to_numpy()])
    return edges.reshape(-1, 2).astype(np.int64), kept["confidence"].to_numpy(float)


def coexpression(cohort: Cohort, settings: dict, n_neighbours: int = 3) -> tuple[np.ndarray, np.ndarray]:
    """Return (edges, absolute Pearson r) between each gene and the `n_neighbours` most correlated ones.

    The outcome is not used. A missing value counts as the gene's mean.
    """
    X = cohort.X
    if cohort.missing:
        X = np.where(np.isnan(X), np.nanmean(X, axis=0), X)
    if n_neighbours >= X.shape[1]:
        raise StudyError(
            f"network: coexpression links every gene to {n_neighbours} others, but there are only {X.shape[1]} genes."
        )
    standardised = (X - X.mean(axis=0)) / X.std(axis=0)
    r = np.abs(standardised.T @ standardised) / len(X)
    np.fill_diagonal(r, -1.0)
    nearest = np.argsort(-r, axis=1, kind="stable")[:, :n_neighbours]
    edges = np.column_stack([np.repeat(np.arange(len(r)), n_neighbours), nearest.ravel()])
    return edges.astype(np.int64), np.clip(r[edges[:, 0], edges[:, 1]], 1e-12, 1.0)


def distinct(edges: np.ndarray, confidence: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the edges sorted, lower end first, without self-loops; of parallel edges the most confident stays."""
    table = _sorted(edges, confidence).drop_duplicates(["a", "b"])
    return table[["a", "b"]].to_numpy(), table["confidence"].to_numpy()


def in_any(parts: list[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    """Return the edges of all parts, each once, with confidence 1 - prod(1 - c) over its entries of confidence c."""
    table = _sorted(*map(np.concatenate, zip(*parts, strict=True)))
    table = table.assign(doubt=1 - table["confidence"]).groupby(["a", "b"], as_index=False)
    joined = table.agg(n=("doubt", "size"), doubt=("doubt", "prod"), confidence=("confidence", "first"))
    # A single entry keeps its exact confidence: 1 - (1 - c) can fall below a threshold of c.
    confidence = np.where(joined["n"] > 1, 1 - joined["doubt"], joined["confidence"])
    return joined[["a", "b"]].to_numpy(), confidence


def _sorted(edges: np.ndarray, confidence: np.ndarray) -> pd.DataFrame:
    """Return the edges (a, b, confidence) without self-loops, by lower end, higher end, and falling confidence."""
    table = pd.DataFrame(np.sort(edges, axis=1), columns=["a", "b"]).assign(confidence=confidence).query("a != b")
    return table.sort_values(["a", "b", "confidence"], ascending=[True, True, False])


def join(cohort: Cohort, edges: np.ndarray, confidence: np.ndarray, min_confidence: float, origin: str) -> Study:
    """Return the cohort restricted to the largest connected component of the network.

    Edges below `min_confidence`, to unmeasured genes (-1) and from a gene to itself are dropped; of parallel edges the
    most confident stays. `origin` names the network in errors.
    """
    wanted = (confidence >= min_confidence) & (edges >= 0).all(axis=1)
    if not wanted.any():
        raise StudyError(_nothing_joined(cohort, confidence, min_confidence, origin))
    edges, confidence = distinct(edges[wanted], confidence[wanted])
    if not len(edges):
        raise StudyError(f"{origin}: every edge joins a gene to itself. Add edges between different genes.")
    part, genes = Network(edges, cohort.X.shape[1]).largest_component()
    inside = np.isin(edges[:, 0], genes)
    kept = {
        "X": np.ascontiguousarray(cohort.X[:, genes]),
        "entrez": cohort.entrez[genes],
        "symbol": cohort.symbol[genes],
    }
    return Study(**vars(cohort) | kept | {"edges": part.edges.astype(np.int64), "confidence": confidence[inside]})


def _nothing_joined(cohort: Cohort, confidence: np.ndarray, min_confidence: float, origin: str) -> str:
    """Return the error for a cohort and a network that have no edge in common."""
    known, others = cohort.symbol[cohort.entrez > 0].tolist(), cohort.symbol[cohort.entrez == 0].tolist()
    genes = (
        f"{len(known):,} of {len(cohort.symbol):,} names are human genes ({some(known) or 'none'}), the others are "
        f"like {some(others) or 'none'}"
    )
    start = f"{origin}: no edge joins measured genes"
    if not len(confidence):
        return f"{start}: {genes}. Name genes by symbol, Entrez id or Ensembl id. {NO_NAMES}"
    highest = f"confidence {confidence.max():.3g} is the highest of {len(confidence):,} edges"
    return f"{start} with confidence >= {min_confidence:g}: {highest}. Set min_confidence lower ({genes})."


def edge_counts(edges: np.ndarray, confidence: np.ndarray, min_confidence: float, study: Study) -> dict[str, int]:
    """Return the numbers of edges read, dropped (by reason) and kept."""
    measured = (edges >= 0).all(axis=1)
    sure = measured & (confidence >= min_confidence)
    proper = sure & (edges[:, 0] != edges[:, 1])
    n_distinct = len(distinct(edges[sure], confidence[sure])[0])
    return {
        "read": len(edges),
        "to a gene that was not measured": int((~measured).sum()),
        f"of confidence below {min_confidence:g}": int((measured & ~sure).sum()),
        "of a gene to itself": int((sure & ~proper).sum()),
        "repeated": int(proper.sum()) - n_distinct,
        "outside the largest connected part": n_distinct - len(study.edges),
        "kept": len(study.edges),
    }


def check_sizes(n_genes: int, settings: dict) -> None:
    """Raise StudyError if a sparsity exceeds the number of genes, or `n_components` exceeds a sparsity."""
    smallest, largest = min(settings["sparsities"]), max(settings["sparsities"])
    if largest > n_genes:
        fitting = [size for size in settings["sparsities"] if size <= n_genes] or [max(n_genes // 4, 1)]
        raise StudyError(
            f"config: sparsities: {largest} is more than the {n_genes} genes of the network. Set `sparsities: "
            f"{fitting}`."
        )
    if settings["n_components"] > smallest:
        raise StudyError(
            f"config: n_components: {settings['n_components']} is more than the smallest sparsity, {smallest}. Set it "
            "lower."
        )
