"""What the numbers from other cohorts allow one to say, in sentences."""

from __future__ import annotations

import pandas as pd

from study.evidence.external import PEER
from study.evidence.seventy import NAME
from study.palette import label

MODEL = "graph-svrg-iht"


def transfer_sentences(
    external: pd.DataFrame, differences: pd.DataFrame, random_sets: pd.DataFrame, model: str = MODEL
) -> list[str]:
    """Return what the first paragraph of a report must say: does the model hold elsewhere, and is it special?

    It holds in a cohort when the whole 95 % interval of its AUC lies above one half; it differs from ridge when the
    interval of the difference excludes 0; its genes are special when fewer than 5 % of random connected sets of their
    size reach its AUC. A model that is not in the tables gets no sentence.
    """
    own = external[external["model"] == model]
    if own.empty:
        return []
    holds, n_cohorts = int((own["low"] > 0.5).sum()), len(own)
    values = ", ".join(
        f"{row['cohort']} {row['auc']:.2f} ({row['low']:.2f}–{row['high']:.2f})"
        for row in own.to_dict("records")
    )
    verdict = {0: "transfer fails", n_cohorts: "transfer holds"}.get(holds, "transfer holds in part")
    sentences = [
        f"Trained on all NKI patients and applied unchanged elsewhere, {label(model)} is better than chance in {holds} "
        f"of {n_cohorts} cohorts ({verdict}): AUC {values}."
    ]
    against = differences[differences["model"] == model]
    if len(against):
        worse, better = int((against["high"] < 0).sum()), int((against["low"] > 0).sum())
        values = ", ".join(f"{value:+.2f}".replace("-", "−") for value in against["difference"])
        told = f"is worse in {worse} and better in {better}" if worse + better else "is not told apart in any"
        sentences.append(
            f"Compared with {PEER} on all genes it {told} of these {len(against)} cohorts (AUC {values}; nominal "
            "intervals)."
        )
    chance = random_sets[random_sets["model"] == model]
    if len(chance):
        special = int((chance["share_as_good"] < 0.05).sum())
        shares = ", ".join(f"{value:.0%}" for value in chance["share_as_good"])
        plain = (
            "the signal is there, but it is not particular to the selected genes"
            if special == 0
            else "the selected genes are better than chance there"
        )
        sentences.append(
            f"Of random connected gene sets of its size, with weights learned on the same patients, {shares} do "
            f"as well: its genes beat them in {special} of {len(chance)} cohorts ({plain})."
        )
    return sentences


def transfer_notes(
    external: pd.DataFrame, differences: pd.DataFrame, random_sets: pd.DataFrame, graph_methods: list[str]
) -> pd.DataFrame:
    """Return part, note: how the numbers were made, and the sentences of every graph method."""
    said = [
        (
            "method",
            "Genes are standardised within each cohort, without its outcome; weights are those of all NKI "
            "patients; a gene not measured in a cohort is left out of the score. Groups of high and low risk "
            "are cut at the cohort's median score.",
        ),
        (
            "signature",
            f"{NAME}: the published classifier's averages are not in the project's sources, so the 70 genes are "
            "used with a profile of our own: correlation with the mean of the NKI patients without the event. "
            "The genes were chosen on patients of whom some are among these NKI patients, so it is judged in "
            "the other cohorts only. Names that are no known gene count as missing; several probes of one gene "
            "count once.",
        ),
        (
            "added value",
            "Cox regression on patients with every clinical column known; the hazard ratio is that of one "
            "standard deviation of the score. For nki the score is the mean out-of-fold one and the event is "
            "death in follow-up, so p is nominal there.",
        ),
        (
            "random sets",
            "A random set grows from a random gene by random neighbours in the network; its ridge weights "
            "(lambda 1, fixed in advance) are learned on all NKI patients. auc_refit gives the model's own "
            "genes weights of the same kind.",
        ),
    ]
    for method in graph_methods:
        sentences = transfer_sentences(external, differences, random_sets, method)
        if sentences:
            said.append((f"transfer: {method}", " ".join(sentences)))
    return pd.DataFrame(said, columns=["part", "note"])
