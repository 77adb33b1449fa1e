"""The text a paper's methods section needs, written from the configuration that was used, and its citations."""

from __future__ import annotations

import re
from collections import Counter

from markupsafe import Markup, escape

from study.data.registry import COHORTS, NETWORKS, cohort_of
from study.figures.design import nested
from study.methods import METHODS, Method, find, label
from study.report.blocks import GLOSSARY, Figure, Section, Text, draw, paragraph, term, term_id
from study.report.inputs import Inputs
from study.report.show import listed

REFERENCES = {
    "vijver": "van de Vijver MJ et al. A gene-expression signature as a predictor of survival in breast "
    "cancer. N Engl J Med 347:1999–2009, 2002.",
    "blumensath": "Blumensath T, Davies ME. Iterative hard thresholding for compressed sensing. Appl "
    "Comput Harmon Anal 27:265–274, 2009.",
    "hegde": "Hegde C, Indyk P, Schmidt L. A nearly-linear time framework for graph-structured sparsity. ICML 2015.",
    "nguyen": "Nguyen N, Needell D, Woolf T. Linear convergence of stochastic iterative greedy algorithms "
    "with sparse constraints. IEEE Trans Inf Theory 63:6869–6895, 2017.",
    "zhou": "Zhou B, Chen F, Ying Y. Stochastic iterative hard thresholding for graph-structured sparsity "
    "optimization. ICML 2019.",
    "johnson": "Johnson R, Zhang T. Accelerating stochastic gradient descent using predictive variance "
    "reduction. NeurIPS 2013.",
    "lei": "Lei L, Jordan MI. Less than a single pass: stochastically controlled stochastic gradient. AISTATS 2017.",
    "paper": "Stochastic Variance-Reduced Iterative Hard Thresholding in Graph Sparsity Optimization (the "
    "paper this study implements).",
    "nadeau": "Nadeau C, Bengio Y. Inference for the generalization error. Mach Learn 52:239–281, 2003.",
    "nogueira": "Nogueira S, Sechidis K, Brown G. On the stability of feature selection algorithms. JMLR "
    "18(174):1–54, 2018.",
    "shah": "Shah RD, Samworth RJ. Variable selection with error control: another look at stability "
    "selection. J R Stat Soc B 75:55–80, 2013.",
    "benjamini": "Benjamini Y, Hochberg Y. Controlling the false discovery rate. J R Stat Soc B 57:289–300, 1995.",
    "venet": "Venet D, Dumont JE, Detours V. Most random gene expression signatures are significantly "
    "associated with breast cancer outcome. PLoS Comput Biol 7:e1002240, 2011.",
    "pedregosa": "Pedregosa F et al. Scikit-learn: machine learning in Python. JMLR 12:2825–2830, 2011.",
    "molder": "Mölder F et al. Sustainable data analysis with Snakemake. F1000Research 10:33, 2021.",
}


HEADS = {
    "identity": "the identity",
    "half": "onto half of all genes",
    "2s": "onto 2 s genes in twice the components",
}


def cite(*keys: str) -> Markup:
    """Return reference numbers as links."""
    order = list(REFERENCES)
    links = [Markup('<a href="#ref-{}">{}</a>').format(key, order.index(key) + 1) for key in keys]
    return Markup(" [{}]").format(Markup(", ").join(links))


def baseline_sentence(row: Method, inputs: Inputs) -> str:
    """Return what a reader must know to trust a baseline: what it is, its solver, its grid, its unconverged fits."""
    if not row.C:
        return f"{row.label}: {row.about}."
    least, largest, n_values = row.C
    mixed = f", L1 shares {', '.join(map(str, row.l1_ratios))}" if len(row.l1_ratios) > 1 else ""
    mixed += f", smoothing {' or '.join(f'{value:g}' for value in row.smoothing)}" if row.smoothing else ""
    folds = inputs.metrics[inputs.metrics["method"] == row.name]
    unconverged = int((folds["status"] != "converged").sum())
    return (
        f"{row.label}: logistic regression ({row.solver}), balanced classes, C "
        f"from {n_values} values between {10**least:.2g} and {10**largest:.2g}{mixed}; {unconverged} of "
        f"{len(folds)} final fits unconverged."
    )


def data_text(inputs: Inputs) -> Markup:
    """Return how patients, genes and network came about."""
    config, data = inputs.config, inputs.data
    cohort, network = inputs.cohort, NETWORKS[config["network"]]
    who = escape(cohort.sentence.format(patients=data["n_patients"], events=data["n_events"]))
    return paragraph(
        "We used expression profiles of {who}. Genes were joined by {network}{confidence}; the largest "
        "connected component has {genes} genes and {edges} edges. Edges cost {cost} in the graph "
        "projections.{dropped}{pooled}{outcome}{notes}",
        # [key] stands for a reference.
        who=Markup(re.sub(r" \[(\w+)\]", lambda match: str(cite(match[1])), who)),
        network=network.sentence,
        confidence=f" of confidence {config['min_confidence']:g} or more" if network.has_confidence else "",
        genes=f"{data['n_genes']:,}",
        edges=f"{data['n_edges']:,}",
        cost="1 each" if config["edge_cost"] == "unit" else "1.01 minus their confidence",
        dropped=dropped_sentence(data),
        pooled=pooled_sentence(inputs),
        outcome=outcome_sentence(config),
        notes=notes_sentence(data),
    )


def dropped_sentence(data: dict) -> str:
    """Return how many edges were read, and why some are not in the network."""
    edges = data.get("edges", {})
    dropped = [f"{number:,} {why}" for why, number in edges.items() if number and why not in ("read", "kept")]
    return f" Of {edges['read']:,} edges that were read these are left out: {listed(dropped)}." if dropped else ""


def notes_sentence(data: dict) -> str:
    """Return what was made of a user's files."""
    return f" Of the files: {'; '.join(data['notes'])}." if data.get("notes") else ""


def pooled_sentence(inputs: Inputs) -> str:
    """Return how patients of several cohorts became one set; nothing for a single cohort."""
    if not inputs.study.is_pooled:
        return ""
    counts = Counter(inputs.study.source.tolist())
    return (
        f" The cohorts are {listed([f'{COHORTS[name].label} ({count})' for name, count in counts.items()])}. Genes "
        "that all of them but one measured were centred and scaled within each cohort, without its outcomes; where a "
        "gene was not measured, patients count as average. Cohorts count alike in every fit, and in each both classes."
    )


def outcome_sentence(config: dict) -> str:
    """Return what was learned, where it is not event status."""
    horizon, unit = config["outcome"]["horizon"], cohort_of(config).unit
    if horizon is None:
        return ""
    text = f" The outcome is the event by {horizon:g} {unit or 'units of time'}; patients lost before count for nothing"
    if config["outcome"]["censoring"] == "ipcw":
        text += (
            ", and those of known outcome stand for them, weighted by the inverse probability of being followed "
            "(Kaplan-Meier estimate of the training patients of their cohort)"
        )
    return text + "."


def protocol_text(inputs: Inputs) -> Markup:
    """Return how models were trained, chosen and tested."""
    config = inputs.config
    stochastic = [name for name in inputs.methods if find(name).samples]
    blocks = (
        f" and, for {listed([label(name) for name in stochastic])}, the number of blocks from "
        f"{listed([str(value) for value in config['n_blocks']])}"
        if stochastic
        else ""
    )
    folds = (
        f"Each of {config['folds']} cohorts was left out in turn, and within the others each in turn was left out once "
        f"more (master seed {config['seed']}); this"
        if inputs.study.is_pooled
        else f"We repeated {config['folds']}-fold stratified cross-validation {config['trials']} times (master seed "
        f"{config['seed']}). Within every outer training set an inner {config['inner_folds']}-fold cross-validation"
    )
    return paragraph(
        "{folds} chose the number of genes s from {sparsities}, the penalty λ from {lambdas}, the number of epochs "
        "from {epochs}{blocks}, by {error}; of settings within {tie:g} of the best it took the fewest genes, then the "
        "fewest epochs, then the fewest blocks, and of the penalties left the middle one. {scaling} The chosen fit was "
        "repeated on the whole outer training set and scored once on the {tested}, so every number is of patients that "
        "neither fitting nor tuning saw.",
        folds=folds,
        sparsities=listed([str(value) for value in config["sparsities"]]),
        lambdas=listed([f"{value:g}" for value in config["lambdas"]]),
        epochs=listed([str(value) for value in config["epochs"]]),
        blocks=blocks,
        error=term("AUC" if config["choose_by"] == "auc" else "balanced error"),
        tie=config["near_tie"],
        scaling=""
        if inputs.study.is_pooled
        else "Genes were standardised and classes weighted on training patients only.",
        tested="cohort left out" if inputs.study.is_pooled else "test fold",
    )


def section(inputs: Inputs) -> Section:
    """Return the methods, the glossary and the references."""
    config = inputs.config
    solver = paragraph(
        "All iterative methods minimise the logistic loss with classes weighted equally plus (λ/2)‖w‖², "
        "over weights with at most s nonzero genes: estimate a gradient, step (length by line search), "
        "project. The estimators are the full gradient{iht}, a random block of patients{sto}, SVRG{svrg} "
        "and SCSG{scsg}. Plain methods keep the s largest entries; graph methods{graph} follow {followed} "
        "(their {head} is {size}) and use a {tail} onto {components} of up to {most:g} s genes: a "
        "prize-collecting Steiner forest, improved by single genes. A fit ended when its "
        "genes were settled and the loss changed by less than {tolerance:g} of itself, or after {epochs} "
        "epochs; its iterates on the way were candidates too.",
        iht=cite("blumensath"),
        sto=cite("nguyen", "zhou"),
        svrg=cite("johnson", "paper"),
        scsg=cite("lei", "paper"),
        graph=cite("hegde", "zhou"),
        followed="the whole gradient" if config["head"] == "identity" else "a part of the gradient",
        head=term("head projection"),
        size=HEADS[config["head"]],
        most=1 + config["slack"],
        tail=term("tail projection"),
        components="one connected component"
        if config["n_components"] == 1
        else f"{config['n_components']} connected components",
        tolerance=config["tolerance"],
        epochs=max(config["epochs"]),
    )
    present = [row for row in METHODS.values() if not row.iterates and row.name in inputs.methods]
    baselines = [baseline_sentence(row, inputs) for row in present]
    compared = Markup("")
    if baselines:
        text = "Baselines under the same protocol{cite}: {baselines}"
        compared = paragraph(text, cite=cite("pedregosa"), baselines=" ".join(baselines))
    inference = paragraph(
        "{differences} The stability of gene sets is the index of Nogueira et al.{nogueira}. "
        "Enrichment p values are corrected for the false discovery rate{bh} and compared with gene sets "
        "of the same size and degrees{random}. The workflow is "
        "run by Snakemake{molder}; equal settings give equal bits.",
        differences=_differences_text(inputs),
        nogueira=cite("nogueira"),
        bh=cite("benjamini"),
        random=Markup("; signatures are compared with random ones{}").format(cite("venet"))
        if "random_sets" in inputs.evidence and not inputs.cohort.is_own
        else "",
        molder=cite("molder"),
    )
    blocks = [
        Text("Patients, genes and network", data_text(inputs)),
        Text("The iterative methods", solver),
        Text("Training, choosing and testing", protocol_text(inputs)),
        *([Text("Baselines", compared)] if compared else []),
        Text("Differences, stability, enrichment", inference),
        Text("Glossary", _glossary()),
        Text("References", _references()),
    ]
    lead = paragraph("The text that the methods section of a paper needs, written from the configuration of this run.")
    return Section("methods", "Methods", "Methods", lead, [_design(inputs)], blocks)


def _design(inputs: Inputs) -> Figure:
    """Return the way of the patients through the study."""
    config, data = inputs.config, inputs.data
    pooled = inputs.study.is_pooled
    grid = f"numbers of genes {min(config['sparsities'])} to {max(config['sparsities'])}, penalties, epochs"
    boxes = [
        (
            f"{data['n_patients']:,} patients",
            f"{data['n_events']:,} with the event; {data['n_genes']:,} genes, {data['n_edges']:,} interactions",
        ),
        ("tested on", f"each of {config['folds']} cohorts in turn")
        if pooled
        else (
            "tested on",
            f"each of {config['folds']} parts in turn, {config['trials']} times over: {inputs.n_folds} folds",
        ),
        (
            "chosen inside",
            f"{grid}: by leaving out one more cohort"
            if pooled
            else f"{grid}: by {config['inner_folds']} parts of the training patients alone",
        ),
        ("scored once", "the chosen fit on the patients that neither fitting nor choosing saw"),
        ("signature", "the same on all patients, for new ones"),
    ]
    caption = "The way of the patients through the study; all numbers of accuracy are of patients left out."
    return draw("design", "How the study was made", caption, nested(boxes))


def _differences_text(inputs: Inputs) -> Markup:
    if inputs.study.is_pooled:
        return Markup(
            "Intervals in a cohort are over resamples of its patients, the same for every method; over cohorts they "
            "are those of random effects."
        )
    return Markup(
        "Differences between methods are paired over folds; their standard errors count the overlap of training sets{}."
    ).format(cite("nadeau"))


def _glossary() -> Markup:
    entries = [
        Markup('<dt id="{}">{}</dt><dd>{}</dd>').format(term_id(word), word, meaning)
        for word, meaning in GLOSSARY.items()
    ]
    return Markup('<dl class="facts glossary">{}</dl>').format(Markup("").join(entries))


def _references() -> Markup:
    entries = [Markup('<li id="ref-{}">{}</li>').format(key, text) for key, text in REFERENCES.items()]
    return Markup('<ol class="references">{}</ol>').format(Markup("").join(entries))
