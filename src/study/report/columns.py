"""How the columns of tables are headed and written, by their keys."""

from dataclasses import replace

from study.data.registry import GENE_SETS
from study.figures.evidence import CONTROLS
from study.metrics import METRICS
from study.report.blocks import Column
from study.report.show import count, digits3, fixed, gene_link, method, percent, probability, signed, yes

_TEXTS = (
    (str, "beside: Known; claim: The paper's claim; cohort: Cohort; cohorts: Cohorts; column: Column; "
     "covariates: Beside; detail: Detail; effects: Effects; event_means: Event; "
     "found: Found under each reading; meaning: Meaning; measure: Measure; name: Pathway; network: Network; "
     "note: Note; number: Number; of: Figure; outcome: Outcome; round: Trained on; "
     "run_a: A; run_b: B; setting: Setting; shown: Statistic; status: Status; stratum: Stratum; symbol: Gene; "
     "verdict: Verdict"),
    (method, "method: Method; method_a: A; method_b: B; model: Model; other: Other method"),
    (lambda name: METRICS[name].label, "metric: Metric"),
    (lambda name: CONTROLS.get(name, name), "control: Control"),
    (lambda name: GENE_SETS[name].label, "collection: Collection"),
    (lambda names: names.replace(";", " "), "genes: Genes; paper_genes: Paper, genes; union_genes: Genes found"),
)  # fmt: skip
_NUMBERS = (
    (count, "degree: Degree; events: Events; failed: Final fits failed; fits: Fits; fold: Fold; folds: Folds; "
     "failed_line_searches: Line searches without a step; frequent_a: Frequent in A; frequent_b: Frequent in B; "
     "frequent_cohorts: in cohorts; frequent_in: Frequent in runs; genes_in_network: Genes in network; "
     "genes_missing: Genes missing; genes_used: Genes used; known_genes: Known genes found; "
     "known_in_network: Known in network; measured_in: Measured in runs; models: Models; n_blocks: Blocks; "
     "n_edges: Edges; n_genes: Genes; n_high: High risk; n_line_searches: Line searches; "
     "n_line_searches_failed: Without a step; n_low: Low risk; n_rows: n needed; overlap: Stable genes in it; "
     "paper_number: Paper, number; patients: Patients; repetitions: Repetitions; runs: Runs; same_sign: Same sign; "
     "seeds: Seeds; sets: Sets; shared_genes: Genes of both; size: Planted genes; sparsity: Genes asked for; "
     "supports: Gene sets; trial: Trial; unconverged: Final fits at the epoch limit; union_found: Found by any fold"),
    (probability, "chance: by chance; logrank_p: Log-rank p; p: p; p_holm: p, Holm; "
     "p_change: p, same at all times; p_likelihood_ratio: p, likelihood ratio; p_matched: p, same degrees; "
     "p_sign: p of signs; q: q; q_matched: q, same degrees"),
    (fixed(3), "auc: AUC; auc_alone: AUC alone; auc_low: 95 % from; auc_high: to; auc_std: std; "
     "average_precision: Average precision; "
     "balanced_error: Balanced error; balanced_error_low: 95 % from; balanced_error_high: to; balanced_error_std: std; "
     "chance_precision: by chance; concordance: Concordance; concordance_low: 95 % from; concordance_high: to; "
     "estimate: Random effects; high: to; inner_error: Error in the cross-validation that chose; low: 95 % from; "
     "mean: Mean; mean_jaccard: Mean Jaccard; nogueira: Stability; random_median: Random sets, median; "
     "random_low: 2.5 %; random_high: 97.5 %; real: Study; tau: Std between cohorts"),
    (fixed(2), "hazard_ratio: Hazard ratio; hr_low: 95 % from; hr_high: to; jaccard: Jaccard; "
     "jaccard_expected: expected; permuted_stability: on permuted outcomes; ratio_before: before; "
     "ratio_after: after; ratio: Ratio; ratio_low: 95 % from; ratio_high: to; stability: Stability"),
    (fixed(1), "epochs: Epochs per final fit; expected: expected; mean_genes: Genes; n_nonzero: Genes selected; "
     "matched: expected, same degrees; pcst_solves: Projections solved per final fit; "
     "permuted: on permuted outcomes"),
    (signed(2), "effect_size: Effect size"),
    (signed(3), "difference: Difference; difference_low: 95 % from; difference_high: to"),
    (signed(4), "cut_off: Cut-off; intercept: Intercept; mean_weight: Mean weight; weight: Weight"),
    (percent, "i2: I²; one_block: One block chosen; share: Share; share_as_good: As good"),
    (yes, "in_network: In network; is_end: End of the grid; known: Known; same_patients: Same patients"),
    (digits3, "C: C (inverse penalty); lambda: Penalty λ; milliseconds_per_fit: Time per fit (ms); scale: Std; "
     "seconds: Seconds; strength: Strength; value: Value"),
)  # fmt: skip
_WIDE = ("detail", "genes", "paper_genes", "union_genes")
_BY_KEY = {
    key: Column(key, head, show, numeric=kind is _NUMBERS, wide=key in _WIDE)
    for kind in (_TEXTS, _NUMBERS)
    for show, declared in kind
    for key, head in (pair.split(": ") for pair in declared.split("; "))
} | {"gene": Column("symbol", "Gene", numeric=False, of_row=lambda row: gene_link(row["symbol"], row["entrez"]))}


def columns(keys: str, **heads: str) -> list[Column]:
    """Return the columns of some keys; `heads` replaces the usual head of a key.

    `low:2` has two decimals instead of its own number of them, `low:+3` three and a sign; `gene` is a gene's symbol
    with a link.
    """
    chosen = []
    for key, _, digits in (part.partition(":") for part in keys.split()):
        column = replace(_BY_KEY[key], head=heads.get(key, _BY_KEY[key].head))
        chosen.append(replace(column, show=(signed if "+" in digits else fixed)(int(digits))) if digits else column)
    return chosen
