"""Measure what one (method, trial, fold) of the study costs, ours against pcst_fast with the plain search.

The plain search is a cold bisection of the multiplier of the edge costs on pcst_fast from [0, 2 max prize], at most
50 solves, for every projection (`common.plain_search`); the solver, the grid and the folds are the same. A
sample of the grid stands for the whole fold, because the plain search would take hours.
"""

import argparse
import time
from contextlib import nullcontext

from common import library, plain_projection, projecting, write_section

from graphiht import projection
from graphiht.gradients import SCSG_INNER_STEPS, Sampling
from graphiht.solver import N_COMPONENTS, Settings
from study.cv.iht import IHT
from study.cv.nested import Standardiser
from study.cv.splits import generator, make_splits
from study.data.studyfile import Study
from study.methods import PAIRS, find

SETTINGS = {
    "sparsities": [20, 50, 100],
    "lambdas": [0.1],
    "edge_cost": "unit",
    "n_components": N_COMPONENTS,
    "epochs": [Settings.max_epochs],
    "tolerance": Settings.tol,
    "scsg_inner_steps": SCSG_INNER_STEPS,
    "scsg_option": Sampling.option,
}


class Timed:
    """Stands in for the projection of the inner loop: another implementation, or the same one on a clock."""

    def __init__(self, project):
        self.project, self.seconds = project, 0.0

    def __call__(self, *arguments, **options):
        start = time.process_time()
        result = self.project(*arguments, **options)
        self.seconds += time.process_time() - start
        return result


def measure(method, study, X, y, project=None):
    """Return the seconds of a small grid, and, of the readable loop with some projection, those inside projections."""
    row = find(method)
    learner = IHT(row, SETTINGS | {"n_blocks": row.blocks([2])}, study)
    timed = Timed(project)
    with projecting(timed) if project else nullcontext():
        start = time.process_time()
        learner.fit_grid(X, y, generator(0, 1, 1, "bench"))
        return time.process_time() - start, timed.seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--study", required=True, help="the study file")
    parser.add_argument("--output", default="reports/benchmarks.json", help="file to add the section `study` to")
    arguments = parser.parse_args()
    study = Study.load(arguments.study)
    splits = make_splits(study.y, seed=0, trials=1, folds=5, inner_folds=5)
    rows = splits.fitting(1, 1, 1)
    X, y = Standardiser(study.X[rows])(study.X[rows]), study.y[rows]
    section = {}
    print(f"{'method':16s} {'ours, ms/fit':>12s} {'projections':>12s} {'plain, ms/fit':>14s} {'ratio':>7s}")
    for method in PAIRS:
        measure(method, study, X, y)  # compiles
        ours, _ = measure(method, study, X, y)
        inside = measure(method, study, X, y, projection.project_unchecked)[1]
        n = len(SETTINGS["sparsities"])
        row = {"milliseconds_per_fit": 1000 * ours / n, "share_in_projections": inside / ours}
        line = f"{method:16s} {1000 * ours / n:12.1f} {inside / ours:12.0%}"
        if library():
            plain, _ = measure(method, study, X, y, plain_projection)
            row |= {"plain_milliseconds_per_fit": 1000 * plain / n, "ratio": plain / ours}
            line += f" {1000 * plain / n:14.1f} {plain / ours:7.1f}"
        section[method] = row
        print(line)
    write_section(arguments.output, "study", section)


if __name__ == "__main__":
    main()
