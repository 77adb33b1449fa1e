"""How the columns of tables are headed and written, by their keys."""

from __future__ import annotations

from dataclasses import replace

from study.figures.evidence import CONTROLS
from study.metrics import METRICS
from study.report.blocks import Column
from study.report.show import count, digits3, fixed, method, percent, probability, signed, yes

_TEXTS = (
    (str, "claim: The paper's claim; cohort: Cohort; column: Column; covariates: Beside; detail: Detail; "
     "event_means: Event; meaning: Meaning; name: Pathway; note: Note; outcome: Outcome; status: Status; "
     "symbol: Gene; verdict: Verdict"),
    (method, "method: Method; method_a: A; method_b: B; model: Model"),
    (lambda name: METRICS[name].label, "metric: Metric"),
    (lambda name: CONTROLS.get(name, name), "control: Control"),
    (lambda names: names.replace(";", " "), "genes: Genes; union_genes: Genes found"),
)  # fmt: skip
_NUMBERS = (
    (count, "degree: Degree; events: Events; failed: Final fits failed; fits: Fits; fold: Fold; "
     "failed_line_searches: Line searches without a step; genes_in_network: Genes in network; "
     "genes_missing: Genes missing; genes_used: Genes used; known_genes: Known genes found; "
     "known_in_network: Known in network; n_high: High risk; n_low: Low risk; overlap: Among stable genes; "
     "patients: Patients; repetitions: Repetitions; seeds: Seeds; sets: Sets; sparsity: Genes asked for; "
     "supports: Gene sets; trial: Trial; unconverged: Final fits at the epoch limit; union_found: Found by any fold"),
    (probability, "logrank_p: Log-rank p; p: p; p_holm: p, Holm; p_likelihood_ratio: p, likelihood ratio; "
     "p_matched: p, same degrees; permutation_p: p by permutation; q: q; q_matched: q, same degrees"),
    (fixed(3), "auc: AUC; auc_std: std; average_precision: Average precision; balanced_error: Balanced error; "
     "balanced_error_std: std; chance_precision: by chance; concordance: Concordance; concordance_low: 95 % from; "
     "concordance_high: to; mean_jaccard: Mean Jaccard; nogueira: Stability; random_median: Random sets, median; "
     "random_low: 2.5 %; random_high: 97.5 %"),
    (fixed(2), "hazard_ratio: Hazard ratio; hr_low: 95 % from; hr_high: to; stability: Stability"),
    (fixed(1), "epochs: Epochs per final fit; expected: expected; mean_genes: Genes; "
     "pcst_solves: Projections solved per final fit; rewired: On rewired networks"),
    (signed(2), "effect_size: Effect size"),
    (signed(4), "weight: Weight"),
    (percent, "one_block: One block chosen; share_as_good: As good"),
    (yes, "in_network: In network; known: Known"),
    (digits3, "C: C (inverse penalty); lambda: Penalty λ; milliseconds_per_fit: Time per fit (ms); seconds: Seconds"),
)  # fmt: skip
_WIDE = ("detail", "genes", "union_genes")
_BY_KEY = {
    key: Column(key, head, show, numeric=kind is _NUMBERS, wide=key in _WIDE)
    for kind in (_TEXTS, _NUMBERS)
    for show, declared in kind
    for key, head in (pair.split(": ") for pair in declared.split("; "))
}
# How many decimals they have, and whether a sign, depends on the table.
_INTERVAL = {"difference": "Difference", "low": "95 % from", "high": "to"}


def columns(keys: str, digits: int = 3, sign: bool = False, **heads: str) -> list[Column]:
    """Return the columns of some keys; `heads` replaces the usual head of a key.

    `digits` and `sign` are for differences and intervals.
    """
    number = signed(digits) if sign else fixed(digits)
    chosen = [_BY_KEY[key] if key in _BY_KEY else Column(key, _INTERVAL[key], number) for key in keys.split()]
    return [replace(column, head=heads.get(column.key, column.head)) for column in chosen]
