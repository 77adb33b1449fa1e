"""The answer: the first screen, and every method in numbers under it."""

from __future__ import annotations

import pandas as pd
from markupsafe import Markup

from study.figures.forest import forest
from study.figures.methods import GUESSING, accuracy
from study.figures.subnetwork import subnetwork
from study.methods import METHODS, RULE, SHARED, colour, find, headline, label, uses_network
from study.metrics import METRICS
from study.report.blocks import Column, Figure, Missing, Section, Text, draw, make_table, paragraph, term
from study.report.columns import columns
from study.report.inputs import Inputs
from study.report.sentences import (
    accuracies,
    answer,
    control_text,
    pairs_sentence,
    picked_sentence,
    shown_first,
    stable_genes,
)
from study.report.show import spread

SHOWN_GENES = 30


def overview(inputs: Inputs) -> pd.DataFrame:
    """Return a row per method: its metrics over all folds, stability, known genes, cost, blocks."""
    metrics, rows = inputs.metrics, []
    known = set(inputs.data["known_genes"])
    stability = inputs.evidence.get("stability")
    stable = {} if stability is None else stability.set_index("method")["nogueira"].to_dict()
    cost = per_fit(inputs.timings, inputs.config["n_blocks"])
    for summary in inputs.over_all.to_dict("records"):
        name = summary["method"]
        folds = metrics[metrics["method"] == name]
        selected = set(inputs.genes.loc[inputs.genes["method"] == name, "symbol"])
        blocks = folds["n_blocks"].notna().any()
        rows.append(
            {
                "method": name,
                **{key: value for key, value in summary.items() if key.endswith(("_mean", "_std"))},
                "stability": stable.get(name),
                "permuted_stability": inputs.permuted_stability.get(name),
                "known_genes": len(known & selected) if name in inputs.selecting else None,
                "milliseconds_per_fit": cost.get(name),
                "one_block": (folds["n_blocks"] == 1).mean() if blocks else None,
            }
        )
    return pd.DataFrame(rows)


def per_fit(timings: pd.DataFrame, n_blocks: list[int]) -> dict[str, float]:
    """Return milliseconds per fit of each method, the fits it shares with others included."""
    sums = timings.groupby("method", sort=False)[["seconds", "fits"]].sum()
    milliseconds = {}
    for name in sums.index:
        shared = METHODS[name].shared_part(n_blocks) if name in METHODS else None
        counted = [key for key in (name, f"{SHARED}{shared}") if key in sums.index]
        whole = sums.loc[counted].sum()
        milliseconds[name] = 1000 * whole["seconds"] / whole["fits"]
    return milliseconds


def _metric_column(metric: str, head: str) -> Column:
    """Return a column that shows mean ± std; none is bold, because the best mean need not be better."""

    def of_row(record: dict) -> str:
        return spread(record[f"{metric}_mean"], record[f"{metric}_std"], METRICS[metric].digits)

    return Column(f"{metric}_mean", head, of_row=of_row)


def section(inputs: Inputs, missing: list[Missing] = ()) -> Section:
    """Return the first screen: the genes in the network, how well they predict, and what is folded under it."""
    frame = overview(inputs)
    # None are shipped for a disease of one's own.
    known = ["known_genes"] if inputs.data["known_genes"] else []
    shown = [
        *columns("method"),
        _metric_column("auc", "AUC"),
        _metric_column("balanced_error_tuned", "Balanced error"),
        _metric_column("n_nonzero", "Genes"),
        *columns(" ".join(["stability", *(["permuted_stability"] if inputs.permuted_stability else []), *known])),
        _metric_column("balanced_error", "Balanced error at one half"),
        *columns("milliseconds_per_fit one_block"),
    ]
    error, auc = term("balanced error", "Balanced error"), term("AUC")
    caption = Markup(
        "Mean ± standard deviation over {n} test folds ({trials} trials of {folds}). {auc} and {error}, at the cut-off "
        "chosen inside, are of patients the fit never saw; {stability} compares the gene sets of the folds{known}."
    ).format(
        n=inputs.n_folds,
        trials=inputs.config["trials"],
        folds=inputs.config["folds"],
        error=error,
        auc=auc,
        stability=term("stability"),
        known=f"; known genes are those of the {len(inputs.data['known_genes'])} {inputs.known_gene}s in the network "
        "that any fold selected"
        if known
        else "",
    )
    boxes = Markup(
        "{auc} and {error} of every method over its {n} test folds; the box spans the quartiles, "
        "the line is the median, the cross the mean. The dashed line is guessing. Folds share "
        "training patients, so boxes that overlap say little; the section on differences has the tests."
    ).format(error=error, auc=auc, n=inputs.n_folds)
    blocks = [
        make_table("summary", "Every method in numbers", caption, frame, shown),
        draw("accuracy", "AUC and balanced error by method", boxes, accuracy(inputs.metrics, inputs.methods)),
        Text("Does the network help? In detail", _network_help(inputs)),
        Text("How to read equal numbers", _same_numbers(frame, inputs)),
        Text("What was run", what_was_run(inputs)),
    ]
    figures = [*subnetwork_figure(inputs, stable_genes(inputs)), first_accuracy(inputs)]
    return Section("answer", "The answer", "Answer", answer(inputs, missing), figures, blocks)


def subnetwork_figure(inputs: Inputs, genes: pd.DataFrame, folds: str = "folds") -> list[Figure]:
    """Return the picture of the stable genes in the network; none where no gene is stable."""
    if not len(genes):
        return []
    shown = genes.head(SHOWN_GENES)
    rest = f" {len(genes) - len(shown)} more are in at least half." if len(shown) < len(genes) else ""
    study = inputs.study
    names = set(shown["symbol"])
    pairs = study.symbol[study.edges]
    edges = [(str(a), str(b)) for a, b in pairs.tolist() if a in names and b in names]
    ring = f" A dark border marks a {inputs.known_gene}." if shown["known"].any() else ""
    method = label(headline(list(dict.fromkeys(genes["method"]))))
    caption = (
        f"The {len(shown)} genes that {method} selects most often, and their interactions in the network "
        f"{inputs.config['network']}. Red: higher expression goes with more events; blue: with fewer. The fuller, the "
        f"more {folds}: "
        f"{shown['frequency'].min():.0%} to {shown['frequency'].max():.0%}.{ring}{rest}"
    )
    return [draw("subnetwork", "The genes", caption, subnetwork(shown, edges))]


def first_accuracy(inputs: Inputs) -> Figure:
    """Return the AUC of the headline method beside the same without the network and the strongest baseline."""
    names = shown_first(inputs)
    table = accuracies(inputs, names)
    table = table.assign(name=table["method"].map(label), colour=table["method"].map(colour))
    rule = f" {label(names[0])} is shown by a rule that looks at no result: {RULE}." if uses_network(names[0]) else ""
    caption = (
        "Mean AUC over the test folds, 95 % interval corrected for overlapping training sets; 0.5 is guessing. "
        f"The baseline is that of largest mean.{rule}"
    )
    return draw("headline-accuracy", "How well", caption, forest(table, "AUC in patients never seen", GUESSING))


def _network_help(inputs: Inputs) -> Markup:
    """Return what all pairs of methods, controls and picked methods say of the network."""
    controls = inputs.evidence.get("controls")
    sentences = [
        pairs_sentence(inputs),
        control_text(controls) if controls is not None else "",
        picked_sentence(inputs),
    ]
    return paragraph("{text}", text=Markup(" ").join(filter(None, sentences)))


def _same_numbers(frame: pd.DataFrame, inputs: Inputs) -> Markup:
    """Return how often one block was chosen, so that nobody reads equal numbers as agreement."""
    chosen = frame[frame["method"].map(lambda name: find(name).samples)]
    counted = ", ".join(f"{label(row.method)} {row.one_block:.0%}" for row in chosen.itertuples())
    shares = f" Here one block was chosen in: {counted} of the folds." if counted else ""
    return paragraph(
        "With one block, StoIHT and SVRG-IHT do what IHT does, and so do their graph forms: equal numbers "
        "then are the same computation, not agreement.{shares} How many epochs a fit takes is chosen inside "
        "like the other settings, so most stop before they converge. The cut-off of the balanced error is chosen on "
        "the inner out-of-fold predictions of each training set, by one rule for all methods.",
        shares=shares,
    )


def what_was_run(inputs: Inputs) -> Markup:
    """Return the run's identity: data, seed, versions, date, configuration."""
    config, data, manifest = inputs.config, inputs.data, inputs.manifest or {}
    packages = ", ".join(f"{name} {version}" for name, version in manifest.get("packages", {}).items())
    items = {
        "Cohort": f"{config['cohort']}: {data['n_patients']} patients, {data['n_events']} with the event",
        "Network": f"{config['network']}: {data['n_genes']:,} genes, {data['n_edges']:,} edges, one "
        f"connected component, median degree {data['degree']['median']:g}",
        **({"Known genes in it": ", ".join(data["known_genes"])} if data["known_genes"] else {}),
        "Master seed": str(config["seed"]),
        "Finished": manifest.get("finished", "not finished"),
        "Commit": manifest.get("commit") or "unknown",
        "Python and packages": f"{manifest.get('python', 'unknown')}; {packages}" if packages else "unknown",
        "Configuration": ", ".join(
            f"{key}: {value}"
            for key, value in config.items()
            if key not in ("methods", "results", "reports") and not isinstance(value, dict)
        ),
    }
    rows = Markup("").join(Markup("<dt>{}</dt><dd>{}</dd>").format(key, value) for key, value in items.items())
    return Markup('<dl class="facts">{}</dl>').format(rows)
