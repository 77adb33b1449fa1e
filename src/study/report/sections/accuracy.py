"""Sections on accuracy: the answer, and the paper's tables beside ours."""

from __future__ import annotations

import pandas as pd
from markupsafe import Markup

from study.evidence.paper import DIFFERENT_DATA, LOWER_IS_BETTER
from study.figures import report as figures
from study.palette import label
from study.plan import shared_part
from study.report.answer import answer
from study.report.blocks import Column, Figure, Section, Text, make_table, paragraph, term
from study.report.inputs import Inputs
from study.report.show import count, fixed, method, percent, seconds, signed, spread

METRIC_NAMES = {"balanced_error": "Balanced error", "auc": "AUC", "n_nonzero": "Genes selected"}
DIGITS = {"balanced_error": 3, "auc": 3, "n_nonzero": 1}


def overview(inputs: Inputs) -> pd.DataFrame:
    """Return a row per method: its metrics over all folds, stability, known genes, cost, blocks, convergence."""
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
                **{
                    f"{metric}_{part}": summary[f"{metric}_{part}"]
                    for metric in ("balanced_error", "auc", "n_nonzero", "balanced_error_tuned")
                    for part in ("mean", "std")
                },
                "stability": stable.get(name),
                "known_genes": len(known & selected) if name in inputs.selecting else None,
                "milliseconds_per_fit": cost.get(name),
                "one_block": (folds["n_blocks"] == 1).mean() if blocks else None,
                "converged": int((folds["status"] == "converged").sum()),
                "folds": len(folds),
            }
        )
    return pd.DataFrame(rows)


def per_fit(timings: pd.DataFrame, n_blocks: list[int]) -> dict[str, float]:
    """Return milliseconds per fit of each method, the fits it shares with others included."""
    sums = timings.groupby("method", sort=False)[["seconds", "fits_per_fold"]].sum()
    found = {}
    for name in sums.index:
        part = f"shared-{shared_part(name, n_blocks)}"
        whole = sums.loc[[name, part] if part in sums.index else [name]].sum()
        found[name] = 1000 * whole["seconds"] / whole["fits_per_fold"]
    return found


def _metric_column(frame: pd.DataFrame, metric: str, head: str) -> Column:
    """Return a column that shows mean ± std, the best mean in bold."""
    means = frame[f"{metric}_mean"]
    best = {"auc": means.max(), "n_nonzero": None}.get(metric, means.min())

    def of_row(row: dict) -> str | Markup:
        text = spread(row[f"{metric}_mean"], row[f"{metric}_std"], DIGITS.get(metric, 3))
        return Markup("<b>{}</b>").format(text) if row[f"{metric}_mean"] == best else text

    return Column(f"{metric}_mean", head, of_row=of_row)


def answer_section(inputs: Inputs) -> Section:
    """Return the answer: one paragraph, one table, what was run."""
    frame = overview(inputs)
    columns = [
        Column("method", "Method", method, numeric=False),
        _metric_column(frame, "balanced_error", "Balanced error"),
        _metric_column(frame, "auc", "AUC"),
        _metric_column(frame, "n_nonzero", "Genes"),
        Column("stability", "Stability", fixed(2)),
        Column("known_genes", "Known genes found", count),
        _metric_column(frame, "balanced_error_tuned", "Balanced error, tuned cut-off"),
        Column("milliseconds_per_fit", "Time per fit (ms)", seconds),
        Column("one_block", "One block chosen", percent),
        Column("converged", "Converged", of_row=lambda row: f"{row['converged']}/{row['folds']}"),
    ]
    caption = Markup(
        "Mean ± standard deviation over {n} test folds ({trials} trials of {folds}); the best mean error "
        "and AUC are bold. {error} and {auc} are of patients the fit never saw; {stability} compares the "
        "gene sets of the folds; known genes are those of the {known} known breast-cancer genes in the "
        "network that any fold selected."
    ).format(
        n=inputs.n_folds,
        trials=inputs.config["trials"],
        folds=inputs.config["folds"],
        error=term("balanced error", "Balanced error"),
        auc=term("AUC"),
        stability=term("stability"),
        known=len(inputs.data["known_genes"]),
    )
    blocks = [
        Text(answer(inputs)),
        make_table("summary", caption, frame, columns),
        Text(_same_numbers(frame, inputs)),
    ]
    blocks.append(
        Figure(
            "accuracy",
            Markup(
                "{error} and {auc} of every method over its {n} test folds; the box spans the quartiles, "
                "the line is the median, the cross the mean. The dashed line is guessing. Folds share "
                "training patients, so boxes that overlap say little; section 3 has the tests."
            ).format(error=term("balanced error", "Balanced error"), auc=term("AUC"), n=inputs.n_folds),
            "Balanced error and AUC by method",
            figures.accuracy(inputs.metrics, inputs.methods),
        )
    )
    blocks.append(Text(what_was_run(inputs)))
    return Section("answer", "The answer", "Answer", blocks)


def _same_numbers(frame: pd.DataFrame, inputs: Inputs) -> Markup:
    """Return how often one block was chosen, so that nobody reads equal numbers as agreement."""
    chosen = frame[frame["one_block"].notna() & ~frame["method"].isin(["iht", "graph-iht"])]
    counted = ", ".join(f"{label(row.method)} {row.one_block:.0%}" for row in chosen.itertuples())
    shares = f" Here one block was chosen in: {counted} of the folds." if counted else ""
    return paragraph(
        "With one block, StoIHT and SVRG-IHT do what IHT does, and so do their graph forms: equal numbers "
        "then are the same computation, not agreement.{shares} A fit that has not converged stopped at "
        "the limit of {epochs} epochs, a setting. The tuned cut-off is chosen on the inner out-of-fold "
        "predictions of each training set.",
        shares=shares,
        epochs=inputs.config["max_epochs"],
    )


def what_was_run(inputs: Inputs) -> Markup:
    """Return the run's identity: data, seed, versions, date, configuration."""
    config, data, manifest = inputs.config, inputs.data, inputs.manifest or {}
    packages = ", ".join(f"{name} {version}" for name, version in manifest.get("packages", {}).items())
    items = {
        "Cohort": f"{config['cohort']}: {data['n_patients']} patients, {data['n_events']} with the event",
        "Network": f"{config['network']}: {data['n_genes']:,} genes, {data['n_edges']:,} edges, one "
        f"connected component, median degree {data['degree']['median']:g}",
        "Known genes in it": ", ".join(data["known_genes"]) or "none",
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
    rows = Markup("").join(
        Markup("<dt>{}</dt><dd>{}</dd>").format(key, value) for key, value in items.items()
    )
    return Markup('<h3>What was run</h3><dl class="facts">{}</dl>').format(rows)


def paper_section(inputs: Inputs) -> Section:
    """Return the paper's three tables with ours beside them."""
    section = Section("paper", "Against the paper", "Paper")
    ours_is_theirs = inputs.config["cohort"] == "published"
    if not ours_is_theirs:
        section.blocks.append(Text(paragraph("{said}", said=DIFFERENT_DATA)))
    comparison = inputs.comparison
    suffix = "" if ours_is_theirs else " (ours: other data than the paper's)"
    if len(comparison):
        frame = comparison.assign(metric=comparison["metric"].map(METRIC_NAMES))
        section.blocks.append(
            make_table(
                "comparison",
                f"Over all folds, the paper and ours{suffix}. Better or worse means more than two standard "
                "errors of the difference, corrected for overlapping folds; all else is called no clear "
                "difference.",
                frame,
                _comparison_columns(),
            )
        )
    for metric, name in METRIC_NAMES.items():
        section.blocks.append(trial_table(inputs, metric, f"{name} by trial{suffix}"))
    return section


def _comparison_columns() -> list[Column]:
    """Return the columns of the comparison; how many decimals a row has depends on its metric."""
    digits = {METRIC_NAMES[key]: value for key, value in DIGITS.items()}

    def number(key: str, head: str, show=fixed) -> Column:
        return Column(key, head, of_row=lambda row: show(digits[row["metric"]])(row[key]))

    return [
        Column("method", "Method", method, numeric=False),
        Column("metric", "Metric", numeric=False),
        number("paper_mean", "Paper, mean"),
        number("paper_std", "Paper, std"),
        number("our_mean", "Ours, mean"),
        number("our_std", "Ours, std"),
        number("difference", "Ours − paper", signed),
        number("standard_error", "Standard error"),
        Column("verdict", "Verdict", numeric=False),
    ]


def trials_frame(inputs: Inputs, metric: str) -> pd.DataFrame:
    """Return trials x methods: mean and std of each method of ours, then of each of the paper's."""
    ours = inputs.summary.rename(columns={f"{metric}_mean": "mean", f"{metric}_std": "std"})
    theirs = inputs.published_metrics[inputs.published_metrics["metric"] == metric]
    rows = {trial: {"trial": trial} for trial in ours["trial"].drop_duplicates() if trial != "all"}
    rows["all"] = {"trial": "all"}
    for prefix, table in (("", ours), ("paper ", theirs)):
        for name in table["method"].drop_duplicates():
            for row in table[table["method"] == name].itertuples():
                if row.trial in rows:
                    rows[row.trial] |= {f"{prefix}{name}": row.mean, f"{prefix}{name} std": row.std}
    return pd.DataFrame(list(rows.values()))


def trial_table(inputs: Inputs, metric: str, title: str):
    """Return the table trials x methods of one metric."""
    frame = trials_frame(inputs, metric)
    keys = [key for key in frame.columns[1:] if not key.endswith(" std")]
    # Beside each of ours the paper's own; then what the paper does not have.
    both = [key for key in keys if f"paper {key}" in keys]
    beside = ["", "paper "]
    same_folds = inputs.config["cohort"] == "published" and inputs.config["published"]["splits"] == "stored"
    if same_folds:
        beside.append("difference ")
        frame = frame.assign(**{f"difference {key}": frame[key] - frame[f"paper {key}"] for key in both})
    keys = [f"{prefix}{key}" for key in both for prefix in beside] + [
        key for key in keys if key not in both and key.removeprefix("paper ") not in both
    ]

    def column(key: str) -> Column:
        if key.startswith("difference "):
            return Column(
                key, f"Ours − paper: {label(key.removeprefix('difference '))}", signed(DIGITS[metric])
            )
        head = f"Paper: {label(key.removeprefix('paper '))}" if key.startswith("paper ") else label(key)
        return Column(key, head, of_row=lambda row: spread(row[key], row[f"{key} std"], DIGITS[metric]))

    better = (
        "lower means fewer genes"
        if metric == "n_nonzero"
        else f"{'lower' if LOWER_IS_BETTER[metric] else 'higher'} is better"
    )
    caption = (
        f"{title}: mean ± standard deviation over the {inputs.config['folds']} folds of each trial, and "
        f"over all; {better}. "
    ) + (
        "The test folds of each trial are the paper's own, so a row compares the same patients."
        if same_folds
        else "Our trials and the paper's are different splits, so rows are not to be compared one by one."
    )
    columns = [Column("trial", "Trial"), *map(column, keys)]
    return make_table(f"trials-{metric.replace('_', '-')}", caption, frame, columns)
