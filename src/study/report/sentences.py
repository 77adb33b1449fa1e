"""The first paragraph: the result, how sure it is, and what is missing."""

from __future__ import annotations

import pandas as pd
from markupsafe import Markup

from study.evidence.controls_tables import network_sentence as control_network_sentence
from study.evidence.external import OF_METHOD
from study.evidence.paper import picked_difference
from study.methods import GROUPS, METHODS, PAIRS, headline, label
from study.report.blocks import term
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


def best_sentence(inputs: Inputs) -> Markup:
    """Return which method has the lowest error, and where the others are."""
    over_all = inputs.over_all
    best = over_all.loc[over_all["balanced_error_mean"].idxmin()]
    errors = over_all["balanced_error_mean"]
    genes = (
        f"all {inputs.data['n_genes']:,}" if best["method"] not in inputs.selecting else f"{best['n_nonzero_mean']:.0f}"
    )
    return Markup(
        "Of {n} methods, <b>{name}</b> has the lowest {term} on patients it never saw: {error} with "
        "{genes} genes on average ({auc_term} {auc}); the others reach {low} to {high}."
    ).format(
        n=len(over_all),
        name=label(best["method"]),
        term=term("balanced error"),
        error=spread(best["balanced_error_mean"], best["balanced_error_std"]),
        genes=genes,
        auc_term=term("AUC"),
        auc=f"{best['auc_mean']:.3f}",
        low=f"{errors.drop(best.name).min() if len(errors) > 1 else errors.min():.3f}",
        high=f"{errors.max():.3f}",
    )


def picked_sentence(inputs: Inputs) -> str:
    """Return how the graph methods compare with the baselines, each picked inside the training sets."""
    table = inputs.picked
    baselines = " or ".join(label(name) for name in GROUPS[BASELINES] if name in inputs.methods) or "a baseline"
    differences = picked_difference(table, inputs.config["folds"]) if len(table) else {}
    if not differences:
        return f"No comparison with {baselines} can be made: one of the two groups was not run."
    error, auc = differences["balanced_error"], differences["auc"]
    clear = (
        "no clear difference"
        if error["low"] <= 0 <= error["high"]
        else "fewer errors"
        if error["high"] < 0
        else "more errors"
    )
    means = table.groupby("group")[["balanced_error", "auc"]].mean()
    graph, baseline = means.loc[GRAPH], means.loc[BASELINES]
    return (
        f"Picked inside each training set, the graph approach has {clear} against the picked baseline ({baselines}): "
        f"balanced error {graph['balanced_error']:.3f} against {baseline['balanced_error']:.3f}, "
        f"difference {signed(3)(error['difference'])} (95 % interval, corrected for overlapping folds: "
        f"{interval(error['low'], error['high'])}); AUC {graph['auc']:.3f} against {baseline['auc']:.3f} "
        f"({interval(auc['low'], auc['high'])})."
    )


def network_pairs(inputs: Inputs) -> pd.DataFrame:
    """Return the paired difference graph - plain of balanced error for each method run both ways."""
    rows = []
    for graph, plain in PAIRS.items():
        first, second = (
            inputs.metrics[inputs.metrics["method"] == name].set_index(["trial", "fold"])["balanced_error"]
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
        helped = listed([label(name) for name in pairs.loc[pairs["high"] < 0, "graph"]])
        hurt = listed([label(name) for name in pairs.loc[pairs["low"] > 0, "graph"]])
        verdict = {
            (False, False): "with and without the network, errors are not told apart",
            (True, False): f"the network lowers the error of {helped}",
            (True, True): f"the network lowers the error of {helped} and raises that of {hurt}",
            (False, True): f"the network raises the error of {hurt}",
        }[(pairs["high"] < 0).any(), (pairs["low"] > 0).any()]
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
        best_sentence(inputs),
        picked_sentence(inputs),
        network_sentence(inputs),
        external_sentence(inputs),
    )
