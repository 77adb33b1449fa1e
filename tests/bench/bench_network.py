"""Edge costs, components and confidences compared on the tcga cohort, never on the study's patients.

    python tests/bench/bench_network.py

Writes docs/measured/network_options.csv, which docs/defaults.md quotes. One option changes at a time. The AUC of a fold
is the mean over graph-iht and graph-htp with 20, 50 and 100 genes, at the fixed setting of the controls.
"""

from pathlib import Path

import numpy as np
from common import write

from study.config import complete, load_schema, runs
from study.cv.outcome import Outcome
from study.cv.splits import make_splits
from study.data.studyfile import Study
from study.evidence.controls import FIXED, cross_validate
from study.run.check import check_run
from study.stats.paired import paired_difference

METHODS, SIZES, TRIALS = ("graph-iht", "graph-htp"), (20, 50, 100), 4
# The first value of each option is its default.
VALUES = {
    "edge_cost": ("unit", "confidence", "degree"),
    "n_components": (1, 2, 3),
    "min_confidence": (0.5, 0.0, 0.3, 0.7, 0.9),
}


class ByDegree(Study):
    """A study whose edges cost the geometric mean of the degrees of their ends, so that hubs are no short cuts."""

    def costs(self, kind):
        degree = np.bincount(self.edges.ravel())
        return np.sqrt(degree[self.edges].prod(axis=1)) / degree.mean()


def measured(option, value):
    """Return (AUC of each fold, cells of a row) with one option changed; `degree` is no value of the configuration."""
    by_degree = value == "degree"
    (run,) = runs(complete({"cohort": "tcga"} | ({} if by_degree else {option: value}), load_schema(Path())))
    config, study = run.config, check_run(run).study
    study = ByDegree(**vars(study)) if by_degree else study
    splits = make_splits(Outcome.of(study, config).y, config["seed"], TRIALS, config["folds"], config["inner_folds"])
    points = [FIXED._replace(sparsity=size) for size in SIZES]
    found = [cross_validate(method, study, splits, config, point) for method in METHODS for point in points]
    degree = dict(zip(study.symbol.tolist(), np.bincount(study.edges.ravel()).tolist(), strict=True))
    frequent = [degree[gene] for result in found for gene in result["frequent_genes"]]
    aucs = np.mean([result["aucs"] for result in found], axis=0)
    return aucs, {
        "genes / edges": f"{study.X.shape[1]:,} / {len(study.edges):,}",
        "AUC": f"{aucs.mean():.3f}",
        "stability": f"{np.mean([result['stability'] for result in found]):.2f}",
        "neighbours": f"{np.mean(frequent):.0f}",
    }


def main():
    rows = []
    for option, values in VALUES.items():
        default, cells = measured(option, values[0])
        rows.append({"option": f"`{option}`", "value": f"`{values[0]}` (default)"} | cells | {"difference in AUC": ""})
        for value in values[1:]:
            aucs, cells = measured(option, value)
            test = paired_difference(aucs, default, 5)
            difference = f"{test['difference']:+.3f} ({test['low']:+.3f} to {test['high']:+.3f})"
            rows.append({"option": f"`{option}`", "value": f"`{value}`"} | cells | {"difference in AUC": difference})
    write("network_options", rows)


if __name__ == "__main__":
    main()
