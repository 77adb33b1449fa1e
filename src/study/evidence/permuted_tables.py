"""What the study's numbers are worth: each beside the same number of trials on permuted outcomes.

Every trial of the study and every permuted one goes through `trial_row`, so that like is compared with like. The study
has the mean of its trials, which varies less than a single one: p errs on the safe side.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.special import expit

from graphiht.network import Network
from study import tables
from study.data.gene_sets import membership
from study.data.studyfile import Study
from study.evidence.permuted import patients_scores
from study.methods import label
from study.stats.enrichment import LEAST_GENES, degree_bins, matched_expectation, pathways_table
from study.stats.supports import STABLE_FREQUENCY, nogueira, selects
from study.stats.survival import hazard_ratio, high_risk

REAL, PERMUTED = "real", "permuted"
# A set that is named in advance, because proliferation is what prognosis in breast cancer is known to be about.
NAMED_SET = ("wikipathways", "WP179")
LEVEL = 0.05
# Of each statistic: how it is called, and whether more (+1) or less (-1) of it speaks for the study; 0: neither.
STATISTICS = {
    "auc": ("AUC", 1),
    "balanced_error_tuned": ("balanced error, cut-off chosen inside", -1),
    "balanced_error": ("balanced error at one half", -1),
    "hazard_ratio": ("hazard ratio of high against low risk", 1),
    "stability": ("stability of the gene sets", 1),
    "cell_cycle": ("stable genes in the set Cell cycle", 1),
    "pathways": (f"gene sets with q < {LEVEL:g}", 1),
    "pathways_matched": (f"gene sets with q < {LEVEL:g}, same degrees", 1),
    "n_nonzero": ("genes selected", 0),
}


class GeneSets(NamedTuple):
    """Gene sets with enough genes in the network: their names, who is in them (sets, genes), and bins of degrees."""

    named: pd.DataFrame
    members: np.ndarray
    bins: np.ndarray

    @classmethod
    def of(cls, sets: pd.DataFrame, study: Study) -> GeneSets:
        """Return the sets of `study.data.gene_sets` on the network of a study."""
        members = membership(sets, study.entrez)
        bins = degree_bins(np.diff(Network(study.edges, len(study.symbol)).indptr))
        large = members.sum(axis=1) >= LEAST_GENES
        return cls(sets.loc[large, ["collection", "pathway", "name"]].reset_index(drop=True), members[large], bins)


def supports_of(folds: list[dict], n_genes: int) -> np.ndarray:
    """Return (folds, genes): which genes each fold of a trial selected."""
    supports = np.zeros((len(folds), n_genes), bool)
    for support, fold in zip(supports, folds, strict=True):
        support[fold["genes"]] = True
    return supports


def stable_genes(folds: list[dict], n_genes: int) -> np.ndarray:
    """Return which genes at least half of the folds of a trial selected; none of a method that does not select."""
    supports = supports_of(folds, n_genes)
    return (supports.mean(axis=0) >= STABLE_FREQUENCY) & selects(supports)


def trial_row(folds: list[dict], study: Study, sets: GeneSets) -> dict:
    """Return the statistics of one trial; what does not apply is NaN.

    Means over folds, but for the hazard ratio, which is of patients above against below the median of their
    out-of-fold risk, and for what is known of the stable genes.
    """
    row = {key: float(np.mean([fold[key] for fold in folds])) for key in STATISTICS if key in folds[0]}
    row["failed"] = sum(fold["status"] == "diverged" for fold in folds)
    high = high_risk(expit(patients_scores(folds)))
    splits_patients = study.has_times and 0 < high.sum() < len(high)
    row["hazard_ratio"] = hazard_ratio(study.time, study.y, high).ratio if splits_patients else np.nan
    supports = supports_of(folds, len(study.symbol))
    row["stability"] = nogueira(supports)[0]
    row |= dict.fromkeys(("stable_genes", "cell_cycle", "cell_cycle_matched", "pathways", "pathways_matched"), np.nan)
    if not selects(supports):
        return row
    stable = stable_genes(folds, len(study.symbol))
    row["stable_genes"] = int(stable.sum())
    named = (sets.named[["collection", "pathway"]] == list(NAMED_SET)).all(axis=1).to_numpy()
    if named.any():
        row["cell_cycle"] = int((sets.members[named] & stable).sum())
        row["cell_cycle_matched"] = float(matched_expectation(stable, sets.members[named], sets.bins)[0])
    if len(sets.named):
        found = _enriched(stable, study, sets)
        row |= {
            "pathways": int((found["q"] < LEVEL).sum()),
            "pathways_matched": int((found["q_matched"] < LEVEL).sum()),
        }
    return row


def _enriched(stable: np.ndarray, study: Study, sets: GeneSets) -> pd.DataFrame:
    """Return the study's own test of every collection."""
    parts = []
    for name in sets.named["collection"].unique():
        own = (sets.named["collection"] == name).to_numpy()
        parts.append(pathways_table(stable, sets.named[own], sets.members[own], study.symbol, sets.bins))
    return pd.concat(parts, ignore_index=True)


Trials = dict[tuple[str, str], dict[int, list[dict]]]


def permuted_table(trials: Trials, study: Study, sets: GeneSets) -> pd.DataFrame:
    """Return a row per method and trial of the study, and per method and permuted one.

    `trials` is by (method, real or permuted) and by number the folds.
    """
    rows = [
        {"method": method, "labels": labels, "number": number, **trial_row(folds, study, sets)}
        for (method, labels), by_number in trials.items()
        for number, folds in by_number.items()
    ]
    return pd.DataFrame(rows, columns=tables.columns("evidence/permuted"))


def permuted_summary(table: pd.DataFrame) -> pd.DataFrame:
    """Return a row per method and statistic: the study's mean over trials, and what permuted outcomes give.

    low and high hold 95 % of the permuted trials. p is (k + 1)/(n + 1), k of n permuted trials being as good as the
    study's mean, one that has no value among them. `matched` is what random genes of the same degrees would share.
    """
    rows = []
    for method, own in table.groupby("method", sort=False):
        real, permuted = own[own["labels"] == REAL], own[own["labels"] == PERMUTED]
        for key, (_, better) in STATISTICS.items():
            value, chance = real[key].mean(), permuted[key].to_numpy(float)
            if np.isnan(value):
                continue
            as_good = ~(better * chance < better * value - 1e-12)
            known = chance[~np.isnan(chance)]
            low, high = np.quantile(known, [0.025, 0.975]) if len(known) else (np.nan, np.nan)
            rows.append(
                {
                    "method": method,
                    "statistic": key,
                    "trials": len(real),
                    "real": value,
                    "matched": real["cell_cycle_matched"].mean() if key == "cell_cycle" else np.nan,
                    "repetitions": len(chance),
                    "permuted": known.mean() if len(known) else np.nan,
                    "low": low,
                    "high": high,
                    "p": (as_good.sum() + 1) / (len(chance) + 1) if better else np.nan,
                }
            )
    return pd.DataFrame(rows, columns=tables.columns("evidence/permuted_summary"))


def permuted_pathways(trials: Trials, study: Study, sets: GeneSets) -> pd.DataFrame:
    """Return a row per method and gene set that stable genes of the study share: how many, and how many by chance.

    overlap is the mean over the study's trials, matched what random genes of the same degrees would share, permuted the
    mean over permuted trials. p is (k + 1)/(n + 1), k of n permuted trials sharing at least the study's mean; it is
    not corrected for the number of sets.
    """
    parts, n_genes = [tables.empty("evidence/permuted_pathways")], len(study.symbol)
    for method in dict.fromkeys(method for method, _ in trials):
        stable = {
            labels: np.array([stable_genes(folds, n_genes) for folds in trials[method, labels].values()])
            for labels in (REAL, PERMUTED)
        }
        shared = {labels: some.astype(int) @ sets.members.T for labels, some in stable.items()}
        real, n = shared[REAL].mean(axis=0), len(shared[PERMUTED])
        expected = [matched_expectation(some, sets.members, sets.bins) for some in stable[REAL]]
        table = sets.named.assign(
            method=method,
            genes_in_network=sets.members.sum(axis=1),
            overlap=real,
            matched=np.mean(expected, axis=0),
            permuted=shared[PERMUTED].mean(axis=0),
            p=((shared[PERMUTED] >= real - 1e-12).sum(axis=0) + 1) / (n + 1),
            repetitions=n,
        )
        order = ["p", "overlap", "pathway"]
        parts.append(table[real > 0].sort_values(order, ascending=[True, False, True]))
    return pd.concat([part for part in parts if len(part)] or parts[:1], ignore_index=True)


def permuted_genes(trials: Trials, study: Study) -> pd.DataFrame:
    """Return a row per method and gene selected on permuted outcomes: in which share of all their folds.

    A gene that is selected there owes it to its place in the network and to its expression, not to outcomes.
    """
    parts = [tables.empty("evidence/permuted_genes")]
    for (method, labels), by_number in trials.items():
        supports = np.vstack([supports_of(folds, len(study.symbol)) for folds in by_number.values()])
        if labels == PERMUTED and selects(supports):
            table = pd.DataFrame({"symbol": study.symbol, "frequency": supports.mean(axis=0)})
            table = table.assign(method=method, repetitions=len(by_number))
            parts.append(table[table["frequency"] > 0].sort_values("frequency", ascending=False, kind="stable"))
    return pd.concat([part for part in parts if len(part)] or parts[:1], ignore_index=True)


def permuted_sentence(summary: pd.DataFrame) -> str:
    """Return what of the study permuted outcomes could give as well, in one sentence."""
    n = int(summary["repetitions"].max())
    if 1 / (n + 1) > LEVEL:
        few = f"{'once' if n == 1 else f'{n} times'}, too few to say what is beyond chance"
        return f"Outcomes were permuted {few}: p cannot be below {1 / (n + 1):.2g}."
    tested = summary.dropna(subset="p")
    not_beyond = tested[tested["p"] > LEVEL]
    text = f"Of {len(tested)} numbers, {len(tested) - len(not_beyond)} are beyond what permuted outcomes give"
    if len(not_beyond):
        which = (
            f"{STATISTICS[key][0]} of {label(name)}" for name, key in not_beyond[["method", "statistic"]].to_numpy()
        )
        text += f"; not beyond it (p > {LEVEL:g}): {', '.join(which)}"
    return f"{text}. {n} repetitions can give no p below {1 / (n + 1):.2g}."
