"""The first paragraph: the result, how sure it is, and what is missing."""

from __future__ import annotations

import pandas as pd
from markupsafe import Markup

from study.evidence.controls_tables import network_sentence as control_network_sentence
from study.evidence.differences import DIFFERENT, EQUIVALENT, UNDECIDED
from study.evidence.external import OF_METHOD
from study.evidence.paper import picked_difference
from study.methods import GROUPS, METHODS, PAIRS, REFERENCE, headline, label
from study.metrics import MARGIN
from study.report.blocks import term, with_commands
from study.report.inputs import Inputs
from study.report.show import interval, listed, share, signed, spread
from study.stats.paired import paired_difference

GRAPH, BASELINES = GROUPS


def missing_sentence(inputs: Inputs) -> str:
    """Return what has no result and what failed; empty when all is there."""
    sentences = []
    if inputs.missing:
        expected = len(inputs.missing) + int(inputs.metrics["method"].isin(METHODS).sum())
        sentences.append(
            f"This study is incomplete: {len(inputs.missing)} of {expected} folds have no result "
            f"({_by_method([method for method, _, _ in inputs.missing])}), so the means below are over fewer folds "
            "than planned."
        )
    if inputs.damaged:
        sentences.append(f"Of them {len(inputs.damaged)} could not be read, the first being {inputs.damaged[0]}.")
    failed = inputs.failed
    if len(failed):
        sentences.append(
            f"{len(failed)} of {len(inputs.metrics)} final fits failed ({_by_method(failed['method'])}): they are "
            "counted in every number."
        )
    return " ".join(sentences)


def _by_method(names) -> str:
    counts = pd.Series(names).value_counts(sort=False)
    return listed([f"{count} of {label(method)}" for method, count in counts.items()])


def headline_sentence(inputs: Inputs) -> Markup:
    """Return how well the headline method predicts, beside ridge on all genes, and how many pairs of methods differ."""
    over_all = inputs.over_all.set_index("method")
    name = headline(list(over_all.index))
    text = Markup("<b>{}</b>, {}, {} on patients it never saw.").format(
        label(name), _genes_of(name, inputs), _accuracy_of(over_all.loc[name])
    )
    if REFERENCE in over_all.index and name != REFERENCE:
        text += Markup(" {}, {}, {}.").format(
            label(REFERENCE).capitalize(), _genes_of(REFERENCE, inputs), _accuracy_of(over_all.loc[REFERENCE])
        )
    table = inputs.evidence.get("differences")
    if table is not None:
        counts = table.loc[table["metric"] == "auc", "verdict"].value_counts()
        text += (
            f" Of {int((table['metric'] == 'auc').sum())} pairs of methods, {counts.get(DIFFERENT, 0)} differ in AUC, "
            f"{counts.get(EQUIVALENT, 0)} are equivalent (within {MARGIN:g}), {counts.get(UNDECIDED, 0)} undecided."
        )
    return text


def _genes_of(name: str, inputs: Inputs) -> str:
    if name not in inputs.selecting:
        return f"on all {inputs.data['n_genes']:,} genes"
    return f"with {inputs.over_all.set_index('method').loc[name, 'n_nonzero_mean']:.0f} genes on average"


def _accuracy_of(row: pd.Series) -> Markup:
    return Markup("has an {auc_term} of {auc} and a {error_term} of {error}").format(
        auc_term=term("AUC"),
        auc=spread(row["auc_mean"], row["auc_std"]),
        error_term=term("balanced error"),
        error=spread(row["balanced_error_tuned_mean"], row["balanced_error_tuned_std"]),
    )


def picked_sentence(inputs: Inputs) -> str:
    """Return how the graph methods compare with the baselines, each picked inside the training sets."""
    table = inputs.picked
    differences = picked_difference(table, inputs.config["folds"]) if len(table) else {}
    if not differences:
        return "No comparison of graph methods with baselines can be made: one of the two groups was not run."
    auc, error = differences["auc"], differences["balanced_error_tuned"]
    means = table.groupby("group")[["auc", "balanced_error_tuned"]].mean()
    graph, baseline = means.loc[GRAPH], means.loc[BASELINES]
    within = "; this is within the margin" if auc["low"] > -MARGIN and auc["high"] < MARGIN else ""
    return (
        f"Picked inside each training set, the graph approach has an AUC of {graph['auc']:.3f} and the picked baseline "
        f"{baseline['auc']:.3f}, difference {signed(3)(auc['difference'])} (95 % interval, corrected for overlapping "
        f"folds: {interval(auc['low'], auc['high'])}{within}); balanced error {graph['balanced_error_tuned']:.3f} "
        f"against {baseline['balanced_error_tuned']:.3f} ({interval(error['low'], error['high'])})."
    )


def network_pairs(inputs: Inputs) -> pd.DataFrame:
    """Return the paired difference graph - plain of the AUC for each method run both ways."""
    rows = []
    for graph, plain in PAIRS.items():
        first, second = (
            inputs.metrics[inputs.metrics["method"] == name].set_index(["trial", "fold"])["auc"]
            for name in (graph, plain)
        )
        common = first.index.intersection(second.index)
        if len(common) > 1:
            difference = paired_difference(first.loc[common], second.loc[common], inputs.config["folds"])
            rows.append({"graph": graph, "plain": plain, **difference})
    return pd.DataFrame(rows, columns=["graph", "plain", "difference", "error", "low", "high", "p"])


def network_sentence(inputs: Inputs) -> str:
    """Return whether the network makes predictions better, by pairs and by controls."""
    pairs = network_pairs(inputs)
    sentences = []
    if len(pairs):
        helped = listed([label(name) for name in pairs.loc[pairs["low"] > 0, "graph"]])
        hurt = listed([label(name) for name in pairs.loc[pairs["high"] < 0, "graph"]])
        verdict = {
            (False, False): "with and without the network, AUCs are not told apart",
            (True, False): f"the network raises the AUC of {helped}",
            (True, True): f"the network raises the AUC of {helped} and lowers that of {hurt}",
            (False, True): f"the network lowers the AUC of {hurt}",
        }[(pairs["low"] > 0).any(), (pairs["high"] < 0).any()]
        span = f"{signed(3)(pairs['difference'].min())} to {signed(3)(pairs['difference'].max())}"
        sentences.append(
            f"In {len(pairs)} matched pair{'s' if len(pairs) > 1 else ''} of "
            f"methods {verdict} (graph minus plain: {span})."
        )
    controls = inputs.evidence.get("controls")
    if controls is None:
        sentences.append("Random networks and shuffled labels have not been run (`snakemake controls`).")
    else:
        sentences += control_sentences(controls)
    return " ".join(sentences)


def control_sentences(controls: pd.DataFrame) -> list[str]:
    """Return what random networks and shuffled labels give."""
    sentences = [control_network_sentence(controls).replace(" -", " −")]
    together = controls[controls["method"] == GRAPH].set_index("control")
    if "labels" in together.index:
        row = together.loc["labels"]
        n, error = int(row["repetitions"]), row["balanced_error"]
        sentences.append(f"On {n} shuffles of the labels their balanced error is {error:.3f}, where 0.5 is guessing.")
    return sentences


def external_sentence(inputs: Inputs) -> str:
    """Return whether the signature holds in cohorts it never saw."""
    notes, table = inputs.evidence.get("external_notes"), inputs.evidence.get("external")
    if notes is not None:
        own = notes[notes["part"].str.startswith(OF_METHOD)]
        sentences = dict(zip(own["part"].str.removeprefix(OF_METHOD), own["note"], strict=True))
        if sentences:
            return sentences[headline(list(sentences))]
    if table is None:
        return "Models have not been tested in other cohorts in this run."
    model = headline(list(dict.fromkeys(table["model"])))
    rows = table[table["model"] == model].to_dict("records")
    holds = sum(row["low"] > 0.5 for row in rows)
    numbers = "; ".join(
        f"{row['cohort']}: AUC {share(row['auc'])} ({share(row['low'])} to {share(row['high'])})" for row in rows
    )
    return (
        f"In patients of other studies, the genes and weights of {label(model)} are better than chance in {holds} of "
        f"{len(rows)} cohorts ({numbers})."
    )


def answer(inputs: Inputs) -> Markup:
    """Return the answer: the first paragraph, which begins with what is missing, and two questions with theirs."""
    gaps = missing_sentence(inputs)
    first = Markup('<strong class="gap">{}</strong> ').format(gaps) if gaps else Markup("")
    return Markup(
        '<div class="answer"><p id="answer-text">{}{} {}</p>\n<p><b>Does the network help?</b> {}</p>\n'
        "<p><b>Does it hold in other cohorts?</b> {}</p></div>"
    ).format(
        first,
        headline_sentence(inputs),
        picked_sentence(inputs),
        with_commands(network_sentence(inputs)),
        external_sentence(inputs),
    )
