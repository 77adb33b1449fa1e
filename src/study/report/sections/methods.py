"""The text that the methods section of a paper needs, written from the configuration of the run."""

import re
from collections import Counter

from markupsafe import Markup, escape

from study.data.registry import COHORTS, NETWORKS
from study.methods import METHODS, find
from study.report.blocks import Section
from study.report.glossary import GLOSSARY, REFERENCES
from study.report.inputs import Inputs


def section(inputs: Inputs) -> Section:
    """Return the values of the methods text."""
    data, study, cited = inputs.data, inputs.study, {}

    def cite(*keys: str) -> Markup:
        """Return links to references, which are numbered, and listed, as they are cited."""
        links = [Markup('<a href="#ref-{}">{}</a>').format(key, cited.setdefault(key, len(cited) + 1)) for key in keys]
        return Markup(" [{}]").format(Markup(", ").join(links))

    # [key] stands for a reference.
    who = escape(inputs.cohort.sentence.format(patients=data["n_patients"], events=data["n_events"]))
    dropped = {why: number for why, number in data.get("edges", {}).items() if number and why not in ("read", "kept")}
    cohorts = Counter(study.source.tolist()) if study.is_pooled else {}
    values = {
        "who": Markup(re.sub(r" \[(\w+)\]", lambda match: str(cite(match[1])), who)),
        "network": NETWORKS[inputs.config["network"]],
        "dropped": [f"{number:,} {why}" for why, number in dropped.items()],
        "cohorts": [f"{COHORTS[name].label} ({number})" for name, number in cohorts.items()],
        "stochastic": [name for name in inputs.methods if find(name).samples],
        "baselines": _baselines(inputs),
        "random_sets": "random_sets" in inputs.evidence and not inputs.cohort.is_own,
    }
    return Section(numbers=values | {"cite": cite, "cited": cited, "glossary": GLOSSARY, "references": REFERENCES})


def _baselines(inputs: Inputs) -> list[dict]:
    """Return what a reader must know to trust each baseline: its row of the registry, and its unconverged fits."""
    rows = []
    for row in METHODS.values():
        if not row.iterates and row.name in inputs.methods:
            status = inputs.metrics.loc[inputs.metrics["method"] == row.name, "status"]
            rows.append({"row": row, "fits": len(status), "unconverged": int((status != "converged").sum())})
    return rows
