"""The first paragraph: what was found, how sure it is, and what is missing."""

from __future__ import annotations

import pandas as pd
from markupsafe import Markup

from study.evidence.control_tables import ALL_GRAPH
from study.evidence.control_tables import network_sentence as control_network_sentence
from study.evidence.paper import paired_difference, picked_difference
from study.palette import label
from study.report.blocks import term
from study.report.inputs import Inputs
from study.report.show import interval, listed, share, signed, spread

PAIRS = {base: f"graph-{base}" for base in ("iht", "sto-iht", "svrg-iht", "scsg-iht")}


def missing_sentence(inputs: Inputs) -> str:
    """Return what has no result and what failed; empty when all is there."""
    sentences = []
    if inputs.missing:
        per_method = pd.Series([method for method, _, _ in inputs.missing]).value_counts(sort=False)
        expected = len(inputs.missing) + len(inputs.metrics[~inputs.metrics["method"].str.endswith("+ridge")])
        counted = listed([f"{count} of {label(method)}" for method, count in per_method.items()])
        sentences.append(
            f"This study is incomplete: {len(inputs.missing)} of {expected} folds have no result "
            f"({counted}), so the means below are over fewer folds than planned."
        )
    if inputs.damaged:
        sentences.append(
            f"Of them {len(inputs.damaged)} could not be read, the first being {inputs.damaged[0]}."
        )
    failed = inputs.failed
    if len(failed):
        counts = failed["method"].value_counts(sort=False)
        counted = listed([f"{count} of {label(method)}" for method, count in counts.items()])
        sentences.append(
            f"{len(failed)} of {len(inputs.metrics)} final fits failed ({counted}): they are counted in "
            "every number."
        )
    return " ".join(sentences)


def best_sentence(inputs: Inputs) -> Markup:
    """Return which method has the lowest error, and where the others are."""
    over_all = inputs.over_all
    best = over_all.loc[over_all["balanced_error_mean"].idxmin()]
    errors = over_all["balanced_error_mean"]
    genes = (
        f"all {inputs.data['n_genes']:,}"
        if best["method"] not in inputs.selecting
        else f"{best['n_nonzero_mean']:.0f}"
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
    """Return how the graph methods compare with the peers, each picked inside the training sets."""
    table = inputs.picked
    found = picked_difference(table, inputs.config["folds"]) if len(table) else {}
    if not found:
        return "No comparison with ridge or L1 can be made: one of the two groups was not run."
    error, auc = found["balanced_error"], found["auc"]
    clear = (
        "no clear difference"
        if error["low"] <= 0 <= error["high"]
        else "fewer errors"
        if error["high"] < 0
        else "more errors"
    )
    means = table.groupby("group")[["balanced_error", "auc"]].mean()
    graph, peer = means.loc["graph methods"], means.loc["peers"]
    return (
        f"Picked inside each training set, the graph approach has {clear} against the picked peer (ridge "
        f"or L1): balanced error {graph['balanced_error']:.3f} against {peer['balanced_error']:.3f}, "
        f"difference {signed(3)(error['difference'])} (95 % interval, corrected for overlapping folds: "
        f"{interval(error['low'], error['high'])}); AUC {graph['auc']:.3f} against {peer['auc']:.3f} "
        f"({interval(auc['low'], auc['high'])})."
    )


def network_pairs(inputs: Inputs) -> pd.DataFrame:
    """Return the paired difference graph - plain of balanced error for each method run both ways."""
    rows = []
    for base, graph in PAIRS.items():
        first, second = (
            inputs.metrics[inputs.metrics["method"] == name].set_index(["trial", "fold"])["balanced_error"]
            for name in (graph, base)
        )
        common = first.index.intersection(second.index)
        if len(common) > 1:
            found = paired_difference(first.loc[common], second.loc[common], inputs.config["folds"])
            rows.append({"graph": graph, "plain": base, **found})
    return pd.DataFrame(rows, columns=["graph", "plain", "difference", "error", "low", "high", "p"])


def network_sentence(inputs: Inputs) -> str:
    """Return whether the network makes predictions better, by pairs and by controls."""
    pairs = network_pairs(inputs)
    sentences = []
    if len(pairs):
        helped = pairs[pairs["high"] < 0]["graph"].tolist()
        hurt = pairs[pairs["low"] > 0]["graph"].tolist()
        span = f"{signed(3)(pairs['difference'].min())} to {signed(3)(pairs['difference'].max())}"
        verdict = (
            "with and without the network, errors are not told apart"
            if not helped and not hurt
            else f"the network lowers the error of {listed([label(name) for name in helped])}"
            + (f" and raises that of {listed([label(name) for name in hurt])}" if hurt else "")
            if helped
            else f"the network raises the error of {listed([label(name) for name in hurt])}"
        )
        sentences.append(
            f"In {len(pairs)} matched pair{'s' if len(pairs) > 1 else ''} of "
            f"methods {verdict} (graph minus plain: {span})."
        )
    controls = inputs.evidence.get("controls")
    if controls is None:
        sentences.append("Random networks and shuffled labels have not been run (snakemake controls).")
    else:
        sentences += control_sentences(controls)
    return " ".join(sentences)


def control_sentences(controls: pd.DataFrame) -> list[str]:
    """Return what random networks and shuffled labels give."""
    sentences = [control_network_sentence(controls).replace(" -", " −")]
    together = controls[controls["method"] == ALL_GRAPH].set_index("control")
    if "labels" in together.index:
        row = together.loc["labels"]
        n, error = int(row["repetitions"]), row["balanced_error"]
        sentences.append(
            f"On {n} shuffles of the labels their balanced error is {error:.3f}, where 0.5 is guessing."
        )
    return sentences


def transfer_sentence(inputs: Inputs) -> str:
    """Return whether the signature holds in cohorts it never saw."""
    notes, table = inputs.evidence.get("external_notes"), inputs.evidence.get("external")
    if notes is not None:
        said = notes.set_index("part")["note"]
        for name in ("graph-svrg-iht", *sorted(part.partition(": ")[2] for part in said.index)):
            if f"transfer: {name}" in said.index:
                return said[f"transfer: {name}"]
    if table is None:
        return "Transfer to other cohorts has not been tested in this run."
    graph = table[table["model"].astype(str).str.startswith("graph")]
    chosen = graph if len(graph) else table
    best = chosen["model"].iloc[0]
    rows = chosen[chosen["model"] == best].to_dict("records")
    holds = sum(row["low"] > 0.5 for row in rows)
    numbers = "; ".join(
        f"{row['cohort']}: AUC {share(row['auc'])} ({share(row['low'])} to {share(row['high'])})"
        for row in rows
    )
    return (
        f"In patients of other studies, the genes and weights of {label(best)} are better than chance in {holds} of "
        f"{len(rows)} cohorts ({numbers})."
    )


def answer(inputs: Inputs) -> Markup:
    """Return the answer: the first paragraph, which begins with what is missing, and two questions with theirs."""
    gaps = missing_sentence(inputs)
    first = Markup('<strong class="gap">{}</strong> ').format(gaps) if gaps else Markup("")
    return Markup(
        '<div class="answer"><p id="answer-text">{}{} {}</p>\n<p><b>Does the network help?</b> {}</p>\n'
        "<p><b>Does it hold elsewhere?</b> {}</p></div>"
    ).format(
        first,
        best_sentence(inputs),
        picked_sentence(inputs),
        network_sentence(inputs),
        transfer_sentence(inputs),
    )
