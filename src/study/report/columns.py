"""How the columns of tables are headed and written, by their keys."""

from __future__ import annotations

from dataclasses import replace

from study.data.registry import GENE_SETS
from study.figures.evidence import CONTROLS
from study.metrics import METRICS
from study.report.blocks import Column
from study.report.show import count, digits3, fixed, gene_link, method, percent, probability, signed, yes

_TEXTS = (
    (str, "beside: Known; claim: The paper's claim; cohort: Cohort; cohorts: Cohorts; column: Column; "
     "covariates: Beside; detail: Detail; event_means: Event; meaning: Meaning; name: Pathway; network: Network; "
     "note: Note; of: Figure; outcome: Outcome; round: Trained on; run_a: A; run_b: B; setting: Setting; "
     "status: Status; stratum: Stratum; symbol: Gene; verdict: Verdict"),
    (method, "method: Method; method_a: A; method_b: B; model: Model"),
    (lambda name: METRICS[name].label, "metric: Metric"),
    (lambda name: CONTROLS.get(name, name), "control: Control"),
    (lambda name: GENE_SETS[name].label, "collection: Collection"),
    (lambda names: names.replace(";", " "), "genes: Genes; union_genes: Genes found"),
)  # fmt: skip
_NUMBERS = (
    (count, "degree: Degree; events: Events; failed: Final fits failed; fits: Fits; fold: Fold; folds: Folds; "
     "failed_line_searches: Line searches without a step; frequent_a: Frequent in A; frequent_b: Frequent in B; "
     "frequent_cohorts: in cohorts; frequent_in: Frequent in runs; genes_in_network: Genes in network; "
     "genes_missing: Genes missing; genes_used: Genes used; known_genes: Known genes found; "
     "known_in_network: Known in network; measured_in: Measured in runs; n_edges: Edges; n_genes: Genes; "
     "n_high: High risk; n_low: Low risk; observed: Genes; overlap: Among stable genes; patients: Patients; "
     "repetitions: Repetitions; runs: Runs; same_sign: Same sign; seeds: Seeds; sets: Sets; "
     "shared_genes: Genes of both; sparsity: Genes asked for; supports: Gene sets; trial: Trial; "
     "unconverged: Final fits at the epoch limit; union_found: Found by any fold"),
    (probability, "chance: by chance; logrank_p: Log-rank p; p: p; p_holm: p, Holm; "
     "p_change: p, same at all times; p_likelihood_ratio: p, likelihood ratio; p_matched: p, same degrees; "
     "p_sign: p of signs; q: q; q_matched: q, same degrees"),
    (fixed(3), "auc: AUC; auc_low: 95 % from; auc_high: to; auc_std: std; average_precision: Average precision; "
     "balanced_error: Balanced error; balanced_error_low: 95 % from; balanced_error_high: to; balanced_error_std: std; "
     "chance_precision: by chance; concordance: Concordance; concordance_low: 95 % from; concordance_high: to; "
     "mean_jaccard: Mean Jaccard; nogueira: Stability; random_median: Random sets, median; random_low: 2.5 %; "
     "random_high: 97.5 %"),
    (fixed(2), "hazard_ratio: Hazard ratio; hr_low: 95 % from; hr_high: to; jaccard: Jaccard; "
     "jaccard_expected: expected; permuted_stability: on permuted outcomes; ratio_before: before; "
     "ratio_after: after; stability: Stability"),
    (fixed(1), "epochs: Epochs per final fit; expected: expected; mean_genes: Genes; n_nonzero: Genes selected; "
     "matched: expected, same degrees; pcst_solves: Projections solved per final fit; "
     "permuted: on permuted outcomes; rewired: On rewired networks"),
    (signed(2), "effect_size: Effect size"),
    (signed(4), "weight: Weight"),
    (percent, "one_block: One block chosen; share: Share; share_as_good: As good"),
    (yes, "is_end: End of the grid; in_network: In network; known: Known; same_patients: Same patients"),
    (digits3, "C: C (inverse penalty); lambda: Penalty λ; milliseconds_per_fit: Time per fit (ms); seconds: Seconds; "
     "value: Value"),
)  # fmt: skip
_WIDE = ("detail", "genes", "union_genes")
_BY_KEY = {
    key: Column(key, head, show, numeric=kind is _NUMBERS, wide=key in _WIDE)
    for kind in (_TEXTS, _NUMBERS)
    for show, declared in kind
    for key, head in (pair.split(": ") for pair in declared.split("; "))
}
GENE = Column("symbol", "Gene", numeric=False, of_row=lambda row: gene_link(row["symbol"], row["entrez"]))
# How many decimals they have, and whether a sign, depends on the table.
_INTERVAL = {"difference": "Difference", "low": "95 % from", "high": "to"}


def columns(keys: str, digits: int = 3, sign: bool = False, **heads: str) -> list[Column]:
    """Return the columns of some keys; `heads` replaces the usual head of a key.

    `digits` and `sign` are for differences and intervals.
    """
    number = signed(digits) if sign else fixed(digits)
    chosen = [_BY_KEY[key] if key in _BY_KEY else Column(key, _INTERVAL[key], number) for key in keys.split()]
    return [replace(column, head=heads.get(column.key, column.head)) for column in chosen]
