"""The whole study where there is nothing to find: outcomes permuted, and everything repeated, tuning included.

A repetition is a trial like those of the study, on folds of its own; `trial_row` describes both. The study has the mean
of its trials, which varies less than a single one: p errs on the safe side.
"""

from collections import defaultdict
from dataclasses import replace
from typing import NamedTuple, Self

import numpy as np
import pandas as pd
from scipy.special import expit

from graphiht.network import Network
from study import tables
from study.cv.learners import make_learner
from study.cv.nested import score_fold
from study.cv.outcome import Outcome
from study.cv.splits import generator, make_splits
from study.data.gene_sets import membership
from study.data.studyfile import Study
from study.methods import METHODS
from study.stats.enrichment import LEAST_GENES, degree_bins, matched_expectation, pathways_table
from study.stats.supports import STABLE_FREQUENCY, nogueira, selects
from study.stats.survival import hazard_ratio, high_risk

# What tables use of a fold's result.
KEPT = ("auc", "balanced_error_tuned", "balanced_error", "n_nonzero", "status", "genes", "test_patients", "test_scores")
REAL, PERMUTED = "real", "permuted"
# A set that is named in advance, because proliferation is what prognosis in breast cancer is known to be about.
NAMED_SET = ("wikipathways", "WP179")
LEVEL = 0.05
# Whether more (+1) or less (-1) of each statistic speaks for the study; 0: neither.
STATISTICS = {
    "auc": 1,
    "balanced_error_tuned": -1,
    "balanced_error": -1,
    "hazard_ratio": 1,
    "stability": 1,
    "cell_cycle": 1,
    "pathways": 1,
    "pathways_matched": 1,
    "n_nonzero": 0,
}


def permute(study: Study, seed: int) -> Study:
    """Return the study with the outcomes, times included, given to other patients' expression.

    The rows of the expression move, so that a patient's number still means her outcome.
    """
    return replace(study, X=study.X[generator(seed, 0, 0, "permute outcomes").permutation(len(study.y))])


def permuted_trial(method: str, study: Study, settings: dict, repetition: int) -> dict:
    """Return one repetition, counted from 1: its number, and the results of its folds.

    Permutation, folds and draws come from a seed of the repetition, which is the same for every method: the same bits
    whatever else is run, and methods that can be compared repetition by repetition.
    """
    seed = int(generator(settings["seed"], 0, repetition, "permuted trial").integers(2**31))
    row, own = METHODS[method], settings | {"seed": seed, "refit": False}
    changed = permute(study, seed)
    splits = make_splits(Outcome.of(study, own).y, seed, 1, settings["folds"], settings["inner_folds"])
    learner = make_learner(row, own | {"n_blocks": row.blocks(settings["n_blocks"])}, changed)
    folds = [score_fold(row, learner, changed, splits, 1, fold, own) for fold in range(1, splits.n_outer + 1)]
    return {"method": method, "repetition": repetition, "folds": [{key: fold[key] for key in KEPT} for fold in folds]}


class GeneSets(NamedTuple):
    """Gene sets with enough genes in the network: names, members of shape (n_sets, n_genes), bins of degrees."""

    named: pd.DataFrame
    members: np.ndarray
    bins: np.ndarray

    @classmethod
    def of(cls, sets: pd.DataFrame, study: Study) -> Self:
        """Return the sets of `study.data.gene_sets` on the network of a study."""
        members = membership(sets, study.entrez)
        bins = degree_bins(np.diff(Network(study.edges, len(study.symbol)).indptr))
        large = members.sum(axis=1) >= LEAST_GENES
        return cls(sets.loc[large, ["collection", "pathway", "name"]].reset_index(drop=True), members[large], bins)


def supports_of(folds: list[dict], n_genes: int) -> np.ndarray:
    """Return (folds, genes): which genes each fold of a trial selected."""
    return np.array([np.isin(np.arange(n_genes), fold["genes"]) for fold in folds])


def stable_genes(folds: list[dict], n_genes: int) -> np.ndarray:
    """Return which genes at least half of the folds of a trial selected; none of a method that does not select."""
    supports = supports_of(folds, n_genes)
    return (supports.mean(axis=0) >= STABLE_FREQUENCY) & selects(supports)


def trial_row(folds: list[dict], study: Study, sets: GeneSets) -> dict:
    """Return the statistics of one trial that apply.

    Most are means over folds. The hazard ratio is of patients above against below the median of their out-of-fold
    risk; the last four are of the stable genes.
    """
    row = {key: float(np.mean([fold[key] for fold in folds])) for key in STATISTICS if key in folds[0]}
    row["failed"] = sum(fold["status"] == "diverged" for fold in folds)
    scores = np.empty(len(study.y))
    for fold in folds:
        scores[fold["test_patients"]] = fold["test_scores"]
    high = high_risk(expit(scores))
    if study.has_times and 0 < high.sum() < len(high):
        row["hazard_ratio"] = hazard_ratio(study.time, study.y, high).ratio
    supports = supports_of(folds, len(study.symbol))
    row["stability"] = nogueira(supports)[0]
    if not selects(supports):
        return row
    stable = stable_genes(folds, len(study.symbol))
    row["stable_genes"] = int(stable.sum())
    named = (sets.named[["collection", "pathway"]] == list(NAMED_SET)).all(axis=1).to_numpy()
    if named.any():
        row["cell_cycle"] = int((sets.members[named] & stable).sum())
        row["cell_cycle_matched"] = float(matched_expectation(stable, sets.members[named], sets.bins)[0])
    if len(sets.named):
        collections = [(sets.named["collection"] == name).to_numpy() for name in sets.named["collection"].unique()]
        found = pd.concat(
            pathways_table(stable, sets.named[own], sets.members[own], study.symbol, sets.bins) for own in collections
        )
        row["pathways"] = int((found["q"] < LEVEL).sum())
        row["pathways_matched"] = int((found["q_matched"] < LEVEL).sum())
    return row


# By (method, real or permuted) and by number: the results of a trial's folds.
Trials = dict[tuple[str, str], dict[int, list[dict]]]


def permuted_tables(
    folds: list[dict], results: list[dict], study: Study, sets: pd.DataFrame
) -> dict[str, pd.DataFrame]:
    """Return the tables by name, from the study's folds and from what `permuted_trial` returned of the same methods.

    `sets` are those of `study.data.gene_sets.read_gene_sets`.
    """
    trials: Trials = defaultdict(lambda: defaultdict(list))
    for fold in folds:
        trials[fold["method"], REAL][fold["trial"]].append(fold)
    for result in results:
        trials[result["method"], PERMUTED][result["repetition"]] = result["folds"]
    gene_sets = GeneSets.of(sets, study)
    rows = [
        {"method": method, "labels": labels, "number": number, **trial_row(its_folds, study, gene_sets)}
        for (method, labels), by_number in trials.items()
        for number, its_folds in by_number.items()
    ]
    table = pd.DataFrame(rows, columns=tables.columns("evidence/permuted"))
    return {
        "evidence/permuted": table,
        "evidence/permuted_summary": permuted_summary(table),
        "evidence/permuted_pathways": permuted_pathways(trials, study, gene_sets),
        "evidence/permuted_genes": permuted_genes(trials, study),
    }


def permuted_summary(table: pd.DataFrame) -> pd.DataFrame:
    """Return a row per method and statistic: the study's mean over trials, and what permuted outcomes give.

    low and high hold 95 % of the permuted trials. p is (k + 1)/(n + 1), where k of n permuted trials are as good as
    the study's mean or have no value. `matched` is what random genes of the same degrees would share.
    """
    rows = []
    for method, own in table.groupby("method", sort=False):
        real, permuted = own[own["labels"] == REAL], own[own["labels"] == PERMUTED]
        for key, better in STATISTICS.items():
            value, chance = real[key].mean(), permuted[key].to_numpy(float)
            if np.isnan(value):
                continue
            as_good = ~(better * chance < better * value - 1e-12)
            known = chance[~np.isnan(chance)]
            spread = [known.mean(), *np.quantile(known, [0.025, 0.975])] if len(known) else [np.nan] * 3
            matched = real["cell_cycle_matched"].mean() if key == "cell_cycle" else np.nan
            p = (as_good.sum() + 1) / (len(chance) + 1) if better else np.nan
            rows.append([method, key, len(real), value, matched, len(chance), *spread, p])
    return pd.DataFrame(rows, columns=tables.columns("evidence/permuted_summary"))


def permuted_pathways(trials: Trials, study: Study, sets: GeneSets) -> pd.DataFrame:
    """Return a row per method and gene set that stable genes of the study share: how many, and how many by chance.

    overlap is the mean over the study's trials, matched what random genes of the same degrees would share, permuted the
    mean over permuted trials. p is (k + 1)/(n + 1), where k of n permuted trials share at least the study's mean; it is
    not corrected for the number of sets.
    """
    parts, n_genes = [], len(study.symbol)
    for method in dict.fromkeys(method for method, _ in trials):
        stable, by_chance = (
            np.array([stable_genes(folds, n_genes) for folds in trials[method, labels].values()])
            for labels in (REAL, PERMUTED)
        )
        real, permuted = (some.astype(int) @ sets.members.T for some in (stable, by_chance))
        overlap = real.mean(axis=0)
        expected = [matched_expectation(some, sets.members, sets.bins) for some in stable]
        table = sets.named.assign(
            method=method,
            genes_in_network=sets.members.sum(axis=1),
            overlap=overlap,
            matched=np.mean(expected, axis=0),
            permuted=permuted.mean(axis=0),
            p=((permuted >= overlap - 1e-12).sum(axis=0) + 1) / (len(permuted) + 1),
            repetitions=len(permuted),
        )
        parts.append(table[overlap > 0].sort_values(["p", "overlap", "pathway"], ascending=[True, False, True]))
    return tables.stack("evidence/permuted_pathways", parts)


def permuted_genes(trials: Trials, study: Study) -> pd.DataFrame:
    """Return a row per method and gene selected on permuted outcomes: in which share of all their folds.

    Such a gene is selected for its neighbours in the network and its expression, not for outcomes.
    """
    parts = []
    for (method, labels), by_number in trials.items():
        supports = np.vstack([supports_of(folds, len(study.symbol)) for folds in by_number.values()])
        if labels == PERMUTED and selects(supports):
            table = pd.DataFrame({"symbol": study.symbol, "frequency": supports.mean(axis=0)})
            table = table.assign(method=method, repetitions=len(by_number))
            parts.append(table[table["frequency"] > 0].sort_values("frequency", ascending=False, kind="stable"))
    return tables.stack("evidence/permuted_genes", parts)
