"""The sentences of the first screen: how well, which genes, does the network help, does it hold, how sure, what is
missing.
"""

from __future__ import annotations

import pandas as pd
from markupsafe import Markup, escape

from study.evidence.differences import DIFFERENT, EQUIVALENT
from study.evidence.paper import picked_difference
from study.figures.evidence import CONTROLS
from study.methods import GROUPS, HEADLINE, METHODS, PAIRS, headline, label
from study.metrics import MARGIN
from study.report.blocks import Missing, paragraph, term, with_commands
from study.report.frequencies import frequencies
from study.report.inputs import Inputs
from study.report.show import interval, listed, signed
from study.report.templates import render
from study.stats.paired import paired_difference

GRAPH, BASELINES = GROUPS
OFTEN = 0.9
NAMED = 12
LEVEL = 0.05


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


def accuracies(inputs: Inputs, names: list[str]) -> pd.DataFrame:
    """Return a row per method: its mean AUC over the folds, with an interval corrected for overlapping ones."""
    rows = []
    for name in names:
        values = inputs.metrics.loc[inputs.metrics["method"] == name, "auc"]
        mean = paired_difference(values, 0.0, inputs.config["folds"])
        rows.append({"method": name, "value": mean["difference"], "low": max(mean["low"], 0.0)})
        rows[-1]["high"] = min(mean["high"], 1.0)
    return pd.DataFrame(rows)


def strongest_baseline(inputs: Inputs) -> str | None:
    """Return the baseline of largest mean AUC, chosen by the result and so in its favour; None if none was run."""
    over_all = inputs.over_all.set_index("method")["auc_mean"]
    present = [name for name in GROUPS[BASELINES] if name in over_all.index]
    return over_all[present].idxmax() if present else None


def shown_first(inputs: Inputs) -> list[str]:
    """Return the methods of the first figure: the headline, the same without the network, the strongest baseline."""
    chosen = headline(inputs.methods)
    names = [chosen, PAIRS.get(chosen), strongest_baseline(inputs)]
    return [name for name in dict.fromkeys(names) if name in inputs.methods]


def accuracy_sentence(inputs: Inputs) -> Markup:
    """Return how well the headline method predicts, beside the strongest baseline."""
    chosen, best = headline(inputs.methods), strongest_baseline(inputs)
    table = accuracies(inputs, inputs.methods).set_index("method")
    text = Markup("<b>{}</b>, {}, has an {} of {} in patients it never saw").format(
        label(chosen), _genes_of(chosen, inputs), term("AUC"), _estimate(table.loc[chosen])
    )
    if best and best != chosen:
        text += Markup("; the strongest baseline, {} {}, {}").format(
            label(best), _genes_of(best, inputs), _estimate(table.loc[best])
        )
    return text + "."


def _genes_of(name: str, inputs: Inputs) -> str:
    if name not in inputs.selecting:
        return f"on all {inputs.data['n_genes']:,} genes"
    return f"with {inputs.over_all.set_index('method').loc[name, 'n_nonzero_mean']:.0f} genes on average"


def _estimate(row: pd.Series) -> str:
    if pd.isna(row["low"]):
        return f"{row['value']:.3f}"
    return f"{row['value']:.3f} (95 % interval {row['low']:.3f} to {row['high']:.3f})"


def stable_genes(inputs: Inputs) -> pd.DataFrame:
    """Return the genes that the headline method selects in at least half of the folds, the most frequent first."""
    table = frequencies(inputs)
    if not len(table):
        return table
    own = table[table["method"] == headline(list(dict.fromkeys(table["method"])))]
    return own[own["frequency"] >= 0.5].sort_values("frequency", ascending=False, kind="stable")


def genes_sentence(genes: pd.DataFrame) -> str:
    """Return the genes that more than nine of ten folds select, by direction; empty when no method selects."""
    if not len(genes):
        return ""
    often = genes[genes["frequency"] > OFTEN]
    parts = []
    for more, side in (("more", often["mean_weight"] > 0), ("fewer", often["mean_weight"] <= 0)):
        names = often.loc[side, "symbol"].tolist()
        if names:
            rest = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
            shown = ", ".join(names[:NAMED]) + rest if rest else listed(names)
            parts.append(f"{shown} (higher: {more} events)")
    which = "; ".join(parts) if parts else "none"
    return f"Selected in more than nine of ten folds: {which}."


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


def difference_row(inputs: Inputs, a: str, b: str) -> pd.Series | None:
    """Return the AUC of a minus that of b with its interval and verdict, from the tests of every pair; None without."""
    table = inputs.evidence.get("differences")
    if table is None:
        return None
    by_pair = table[table["metric"] == "auc"].set_index(["method_a", "method_b"])
    if (a, b) in by_pair.index:
        return by_pair.loc[(a, b), ["difference", "low", "high", "verdict"]]
    if (b, a) in by_pair.index:
        row = by_pair.loc[(b, a)]
        turned = {"difference": -row["difference"], "low": -row["high"], "high": -row["low"]}
        return pd.Series(turned | {"verdict": row["verdict"]})
    return None


def network_sentence(inputs: Inputs) -> str:
    """Return whether the network makes the predictions of the headline method better, and random networks as good."""
    chosen = headline(inputs.methods)
    row = difference_row(inputs, chosen, PAIRS[chosen]) if chosen in PAIRS else None
    if row is None:
        return ""
    verdict = "Not shown"
    if row["verdict"] == EQUIVALENT:
        verdict = f"No: the AUC is the same within {MARGIN:g}"
    if row["verdict"] == DIFFERENT:
        verdict = "Yes, by AUC" if row["difference"] > 0 else "No: it makes the AUC worse"
    text = (
        f"{verdict}. With the network minus without, the AUC differs by {signed(3)(row['difference'])} "
        f"({interval(row['low'], row['high'])})"
    )
    controls = inputs.evidence.get("controls")
    if controls is not None:
        own = controls[controls["method"] == chosen].set_index("control")
        if {"real", "network"} <= set(own.index):
            real, rewired = own.loc["real"], own.loc["network"]
            text += (
                f"; at one fixed setting it is {real['auc']:.3f}, and {rewired['auc']:.3f} on "
                f"{rewired['repetitions']:.0f} networks with random edges (p = {rewired['p_auc']:.2g})"
            )
    return text + "."


def pairs_sentence(inputs: Inputs) -> str:
    """Return the same for every method that was run both ways."""
    pairs = network_pairs(inputs)
    if not len(pairs):
        return ""
    helped = listed([label(name) for name in pairs.loc[pairs["low"] > 0, "graph"]])
    hurt = listed([label(name) for name in pairs.loc[pairs["high"] < 0, "graph"]])
    verdict = {
        (False, False): "with and without the network, AUCs are not told apart",
        (True, False): f"the network raises the AUC of {helped}",
        (True, True): f"the network raises the AUC of {helped} and lowers that of {hurt}",
        (False, True): f"the network lowers the AUC of {hurt}",
    }[(pairs["low"] > 0).any(), (pairs["high"] < 0).any()]
    span = f"{signed(3)(pairs['difference'].min())} to {signed(3)(pairs['difference'].max())}"
    return (
        f"In {len(pairs)} matched pair{'s' if len(pairs) > 1 else ''} of methods {verdict} (graph minus plain: {span})."
    )


def control_numbers(controls: pd.DataFrame) -> dict:
    """Return the rows of the controls for the graph methods together, and of the real data without a network."""
    together = controls[controls["method"] == GRAPH].set_index("control")
    without = controls[(controls["control"] == "real") & (controls["method"] == PAIRS[HEADLINE])]
    rows = {name: together.loc[name] if name in together.index else None for name in CONTROLS}
    if rows["real"] is None:
        rows["network"] = None
    return rows | {"without": without.iloc[0] if len(without) else None}


def control_text(controls: pd.DataFrame) -> Markup:
    """Return what random networks and shuffled labels give."""
    rows = {name: None if row is None else row.to_dict() for name, row in control_numbers(controls).items()}
    return render("controls.html.j2", controls=rows, level=LEVEL)


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


def external_sentence(inputs: Inputs) -> str:
    """Return whether the signature holds in cohorts it never saw."""
    table, sets = inputs.evidence.get("external"), inputs.evidence.get("random_sets")
    if table is None:
        return ""
    model = headline(list(dict.fromkeys(table["model"])))
    rows = table[table["model"] == model]
    numbers = ", ".join(f"{row.cohort} {row.auc:.2f}" for row in rows.itertuples())
    text = f"Its AUC is beyond chance in {(rows['low'] > 0.5).sum()} of {len(rows)} other cohorts ({numbers})"
    own = sets[sets["model"] == model] if sets is not None else ()
    if len(own):
        shares = listed([f"{part:.0%}" for part in own["share_as_good"]])
        text += f"; of random connected gene sets of its size {shares} do as well"
    return text + "."


def sure_sentence(inputs: Inputs, genes: pd.DataFrame) -> Markup:
    """Return how alike the genes of different training sets are, and how much of that permuted outcomes give."""
    name = headline(inputs.selecting)
    if not len(genes) or name is None:
        return Markup("No method of this run selects genes.")
    often = int((genes["frequency"] > OFTEN).sum())
    text = Markup("Of {} genes in at least half of the folds, {} in more than nine of ten").format(
        len(genes), f"{often} are" if often > 1 else "one is" if often else "none is"
    )
    table = inputs.evidence.get("stability")
    if table is not None and name in set(table["method"]):
        text += Markup("; the {} of the gene sets is {}").format(
            term("stability"), f"{table.set_index('method').loc[name, 'nogueira']:.2f}"
        )
    if name in inputs.permuted_stability:
        text += f", and {inputs.permuted_stability[name]:.2f} where outcomes are permuted and nothing is to be found"
    return text + ". Folds share patients: this is of these patients, not of new ones."


def not_run(missing: list[Missing]) -> Markup:
    """Return what has not been run and the commands that do."""
    items = [with_commands(f"{one.what} (`{one.command}`)") for one in dict.fromkeys(missing)]
    return Markup("; ").join(items) + "." if items else Markup("")


def answer(inputs: Inputs, missing: list[Missing] = ()) -> Markup:
    """Return the answer: what is incomplete first, then how well, which genes, and four questions with theirs."""
    gaps = missing_sentence(inputs)
    genes = stable_genes(inputs)
    text = Markup('<p id="answer-text">{}{}</p>').format(
        Markup('<strong class="gap">{}</strong> ').format(gaps) if gaps else "", accuracy_sentence(inputs)
    )
    named = genes_sentence(genes)
    text += paragraph('<b id="answer-genes">Genes.</b> {named}', named=named) if named else Markup("")
    questions = {
        "Does the network help?": escape(network_sentence(inputs)),
        "Does it hold in other cohorts?": escape(external_sentence(inputs)),
        "How sure?": sure_sentence(inputs, genes),
        "Not run:": not_run(missing),
    }
    for question, said in questions.items():
        text += paragraph("<b>{question}</b> {said}", question=question, said=said) if said else Markup("")
    return Markup('<div class="answer">{}</div>').format(text)
