"""A signature: everything it takes to score a patient, in one file that people and programs read."""

import hashlib
import json
import math
import platform
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, fields
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from graphiht._files import replacing
from graphiht.expression import LARGEST
from graphiht.tables import TableError, counted, read_text, shown

FORMAT = "graphiht signature 1"
PACKAGES = ("graphiht", "numpy", "scipy", "numba", "scikit-learn")
# How the genes of new patients are scaled: by the training patients, or within the new patients themselves.
SCALINGS = ("training", "within")
# Values so many standard deviations away from those of the training patients are in another unit.
FAR = 4.0


class SignatureError(ValueError):
    """A signature that cannot be read, or not be applied to these patients."""


class Scored(NamedTuple):
    """Scores of patients.

    Attributes
    ----------
    scores : ndarray of shape (n_patients,)
    high : ndarray of bool of shape (n_patients,)
        Whether each score is above the cut-off.
    missing : list of str
        Genes of the signature that were not measured.
    notes : list of str
        Warnings for a reader: missing genes, filled values, another unit.
    """

    scores: np.ndarray
    high: np.ndarray
    missing: list[str]
    notes: list[str]


@dataclass(frozen=True)
class Signature:
    """A linear score on a few genes, and maybe covariates.

    score = intercept + sum over genes of weight * (expression - mean) / scale; above `cut_off` the risk is high.

    Attributes
    ----------
    method : str
    symbol, entrez : lists
        The genes: what they were called in the training table, and their Entrez ids (0 where unknown).
    weights, mean, scale : lists of float
        Of each gene; mean and standard deviation are those of the training patients. None: the training patients were
        standardised within their cohorts, and so must be those it is applied to.
    intercept, cut_off : float
    covariates : list of str
        Those of `symbol` that are no genes but covariates, such as age.
    edges : list of (str, str)
        Edges of the network between the genes, for methods that use one.
    settings, training, provenance : dict
        What it was fitted with; on whom, and how well it did in cross-validation there; versions, seed, and the sha256
        of the files it was made from.
    """

    method: str
    symbol: list[str]
    entrez: list[int]
    weights: list[float]
    mean: list[float] | None
    scale: list[float] | None
    intercept: float
    cut_off: float
    edges: list[list[str]] = field(default_factory=list)
    settings: dict[str, Any] = field(default_factory=dict)
    training: dict[str, Any] = field(default_factory=dict)
    provenance: dict[str, Any] = field(default_factory=dict)
    covariates: list[str] = field(default_factory=list)

    @property
    def scaling(self) -> str:
        """The default scaling of new patients."""
        return "within" if self.mean is None else "training"

    def score(self, X: np.ndarray, names: Sequence[str], scaling: str | None = None) -> Scored:
        """Score patients.

        The terms of a patient are summed exactly and rounded once, so that her score depends on no other patient and
        on no order.

        Parameters
        ----------
        X : ndarray of shape (n_patients, n_genes)
            Expression in the unit of the training patients, unless `scaling` is "within".
        names : sequence of str
            Genes of X, by symbol or Entrez id. Genes that are not in the signature are ignored. A gene of the
            signature that is missing, or NaN in a patient, counts as average: its term is left out.
        scaling : {"training", "within"}, optional
            Whether genes are standardised as in the training patients or within the new ones.

        Returns
        -------
        Scored
        """
        scaling = scaling or self.scaling
        if scaling not in SCALINGS:
            raise SignatureError(f"scaling must be one of {', '.join(SCALINGS)}; got {scaling!r}")
        where = self._positions(names)
        measured = np.flatnonzero(where >= 0)
        if not len(measured):
            own, theirs = (", ".join(map(str, some[:3])) for some in (self.symbol, list(names)))
            raise SignatureError(f"has none of the signature's {len(self.symbol)} genes, like {own}, among {theirs}")
        values = np.asarray(X, dtype=np.float64)[:, where[measured]]
        if scaling == "training":
            if self.mean is None or self.scale is None:
                raise SignatureError(
                    "The training patients were standardised within several cohorts, so new patients cannot be scaled "
                    "by training. Scale within."
                )
            mean, scale = np.array(self.mean)[measured], np.array(self.scale)[measured]
        else:
            if len(values) < 2:
                raise SignatureError(
                    "Scaling genes within the new patients needs at least 2 patients. Scale by training."
                )
            mean, deviation = np.nanmean(values, axis=0), np.nanstd(values, axis=0)
            scale = np.where(deviation > 0, deviation, 1.0)
            # Units of covariates are the same everywhere.
            fixed = [k for k, i in enumerate(measured) if self.symbol[i] in self.covariates]
            if fixed and self.mean is not None and self.scale is not None:
                mean[fixed], scale[fixed] = (np.array(each)[measured[fixed]] for each in (self.mean, self.scale))
        standardised = (values - mean) / scale
        unknown = np.isnan(standardised)
        standardised[unknown] = 0.0
        terms = standardised * np.array(self.weights)[measured]
        scores = np.array([math.fsum([self.intercept, *row]) for row in terms.tolist()])
        missing = [name for name, place in zip(self.symbol, where, strict=True) if place < 0]
        notes = [*self._missing_note(where), *_unit_note(standardised, scaling)]
        n_unknown = unknown[:, [self.symbol[i] not in self.covariates for i in measured]].sum()
        if n_unknown:
            notes.append(f"{counted(n_unknown, 'missing value')} counted as average")
        return Scored(scores, scores > self.cut_off, missing, notes)

    def _positions(self, names: Sequence[str]) -> np.ndarray:
        """Return the position of each gene in `names`, by symbol or else by Entrez id; -1 if it is missing."""
        place = {str(name).strip(): i for i, name in enumerate(names)}
        by_id = [place.get(str(number), -1) if number else -1 for number in self.entrez]
        return np.array([place.get(name, other) for name, other in zip(self.symbol, by_id, strict=True)])

    def _missing_note(self, where: np.ndarray) -> list[str]:
        absent = where < 0
        if not absent.any():
            return []
        size = np.abs(np.array(self.weights))
        share = size[absent].sum() / size.sum() if size.sum() > 0 else 0.0
        names = [name for name, gone in zip(self.symbol, absent, strict=True) if gone]
        what = "genes and covariates" if self.covariates else "genes"
        shown = ", ".join(names[:10]) + (f" and {len(names) - 10} more" if len(names) > 10 else "")
        return [
            f"{len(names)} of {len(self.symbol)} {what} are missing ({shown}): they count as average, their terms are "
            f"left out; they carry {share:.0%} of the weight"
        ]

    def to_json(self) -> str:
        """Return the file's text; floats keep every bit."""
        return json.dumps({"format": FORMAT, **asdict(self)}, indent=1, ensure_ascii=False, allow_nan=False) + "\n"

    def to_tsv(self) -> str:
        """Return the signature as a table of genes below a few lines that begin with #."""
        neighbours = dict.fromkeys(self.symbol, 0)
        for gene in (gene for edge in self.edges for gene in edge):
            neighbours[gene] += 1
        blank = [""] * len(self.symbol)
        mean, scale = (blank if column is None else map(repr, column) for column in (self.mean, self.scale))
        lines = [
            f"# {FORMAT}: score = intercept + sum of weight * (expression - mean) / scale; above cut_off: high risk",
            f"# method\t{self.method}",
            f"# intercept\t{self.intercept!r}",
            f"# cut_off\t{self.cut_off!r}",
            "gene\tentrez\tweight\tmean\tscale\tneighbours",
        ]
        columns = (self.symbol, (str(e or "") for e in self.entrez), map(repr, self.weights), mean, scale)
        for *cells, name in zip(*columns, self.symbol, strict=True):
            lines.append("\t".join([*cells, str(neighbours[name])]))
        return "\n".join(lines) + "\n"

    def write(self, path: str | Path) -> tuple[Path, Path]:
        """Write <name>.json and <name>.tsv, each completely or not at all; return their paths."""
        path = Path(path)
        name = path.stem if path.suffix in (".json", ".tsv") else path.name
        files = path.with_name(f"{name}.json"), path.with_name(f"{name}.tsv")
        for file, text in zip(files, (self.to_json(), self.to_tsv()), strict=True):
            write_whole(file, text)
        return files

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Read a signature.

        Parameters
        ----------
        path : path
            The .json file.

        Returns
        -------
        Signature

        Examples
        --------
        >>> from graphiht.signature import Signature
        >>> Signature.read("signature.json").score(X, genes).scores  # doctest: +SKIP
        """
        try:
            stored = json.loads(read_text(str(path)))
        except TableError as error:
            raise SignatureError(str(error).removesuffix(".")) from None
        except (ValueError, RecursionError):
            raise SignatureError(
                f"{path}: is no JSON. Give the .json file that `graphiht fit` or a study writes"
            ) from None
        if not isinstance(stored, dict) or stored.get("format") != FORMAT:
            found = stored.get("format", "none") if isinstance(stored, dict) else "none"
            raise SignatureError(
                f"{path}: has the format {shown(found)}, not {FORMAT!r}. Give a signature of `graphiht fit` or a study"
            )
        names = [each.name for each in fields(cls)]
        stored.setdefault("covariates", [])  # which older files do not have
        lacking = [name for name in names if name not in stored]
        if lacking:
            raise SignatureError(f"{path}: lacks {', '.join(lacking)}. Fit the signature again")
        fault = _fault(stored)
        if fault:
            raise SignatureError(f"{path}: lacks {fault}. The file is damaged or was changed; fit the signature again")
        return cls(**{name: stored[name] for name in names})


def _fault(stored: dict[str, Any]) -> str:
    """Return what the values of a signature lack, or an empty text."""
    symbol, scaling = stored["symbol"], [stored["mean"], stored["scale"]]
    scaled = [values for values in scaling if values is not None]
    if not isinstance(stored["method"], str) or not _are(str, symbol):
        return "the name of a method and names of genes"
    if not _are(str, stored["covariates"]) or not set(stored["covariates"]) <= set(symbol):
        return "covariates that have a weight"
    if not _are(int, stored["entrez"]) or len(stored["entrez"]) != len(symbol):
        return "an Entrez id, or 0, for each gene"
    if len(scaled) == 1 or not all(_are_finite(values) and len(values) == len(symbol) for values in scaled):
        return "a finite mean and scale of each gene, or none of all"
    if not _are_finite(stored["weights"]) or len(stored["weights"]) != len(symbol):
        return "a finite weight of each gene"
    if scaled and not all(value > 0 for value in stored["scale"]):
        return "scales above 0"
    if not _are_finite([stored["intercept"], stored["cut_off"]]):
        return "a finite intercept and cut-off"
    return "" if isinstance(stored["settings"], dict) else "settings by name"


def _are(kind: type | tuple[type, ...], values: Any) -> bool:
    return isinstance(values, list) and all(isinstance(each, kind) and not isinstance(each, bool) for each in values)


def _are_finite(values: Any) -> bool:
    return _are((int, float), values) and all(-LARGEST < value < LARGEST for value in values)


def _unit_note(standardised: np.ndarray, scaling: str) -> list[str]:
    distance = float(np.median(np.abs(np.median(standardised, axis=0))))
    if scaling == "within" or distance < FAR:
        return []
    return [
        f"the genes lie {distance:.0f} standard deviations from those of the training patients in the median: the "
        "values are in another unit (counts instead of logarithms, another platform); bring them to that of the "
        "training patients, or scale them within the new patients (--scale within)"
    ]


def provenance(seed: int | None, inputs: Iterable[str | Path]) -> dict[str, Any]:
    """Return versions, seed, and the sha256 of each input file by its name."""
    return {
        "python": platform.python_version(),
        "packages": {name: _installed(name) for name in PACKAGES},
        "seed": seed,
        "sha256": {Path(path).name: hashlib.sha256(Path(path).read_bytes()).hexdigest() for path in inputs},
    }


def _installed(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def write_whole(path: Path, text: str) -> None:
    """Write a file under a temporary name first, so that no half-written one is left behind."""
    try:
        with replacing(path) as partial:
            partial.write_text(text, encoding="utf-8")
    except OSError as error:
        raise SignatureError(f"{path}: cannot be written ({error.strerror})") from None
