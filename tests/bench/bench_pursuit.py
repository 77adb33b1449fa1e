"""Why iterative hard thresholding stands still: steps, curvature, first projections, and the objective reached.

python tests/bench/bench_pursuit.py --study results/nki/scnet/study.npz

Ten training sets of the study. Writes docs/measured/steps.csv and objectives.csv, which docs/methods.md quotes.
"""

import numpy as np
import pandas as pd
from common import ABESS, OURS, folds_of, ours, refit, shown, study_argument, write

from graphiht.fitting import fit
from graphiht.solver import SLACK, Settings

EPOCHS = 100  # the study's longest fits
SIZES, LAMBDAS = (10, 50, 100), (0.01, 0.1, 1.0, 10.0)


def curvature(p, genes):
    """Return the largest curvature of the mean loss at zero over some genes, without the penalty."""
    scaled = p.X[:, genes] * np.sqrt(p.k / (4 * len(p.y)))[:, None]
    return np.linalg.norm(scaled, 2) ** 2


def course(method, p, size, lam):
    """Return (step lengths of all epochs, support of every epoch) of a fit as in the study."""
    epochs = range(1, EPOCHS + 1)
    options = {"network": p.network, "slack": SLACK, "max_epochs": EPOCHS, "checkpoints": epochs}
    result = fit(method, p.X, p.y, sparsity=size, lam=lam, **options)
    passed = [result.checkpoints[epoch] for epoch in epochs[: result.epochs]]
    return [Settings.shrink**each.n_shrinks for each in passed], [each.support for each in passed]


def steps_row(problems, method, lam, size):
    """Return how far fits of one method and setting move from their first projection."""
    steps, first, kept, same, epochs = [], [], [], [], []
    for p in problems:
        lengths, supports = course(method, p, size, lam)
        steps += lengths
        first.append(lengths[0])
        kept.append(np.isin(supports[-1], supports[0]).mean())
        same.append(np.array_equal(supports[-1], supports[0]))
        epochs.append(len(lengths))
    return {
        "method": f"`{method}`",
        "genes": size,
        "lambda": shown(lam),
        "epochs, median": f"{np.median(epochs):.0f}",
        "first step": shown(np.median(first), 2),
        "all steps, median": shown(np.median(steps), 2),
        "longest": shown(max(steps), 2),
        "final support is the first projection": f"{sum(same)} of {len(problems)}",
        "its genes in the first projection": f"{np.mean(kept):.0%}",
    }


def objective_row(problems, lam):
    """Return the mean objective after a refit of every method, and where it is lower than another's."""
    methods = {name: lambda p, name=name: ours(name, p, lam, max_epochs=EPOCHS) for name in OURS}
    methods |= {name: lambda p, chosen=chosen: chosen(p, lam) for name, chosen in ABESS.items()}
    table = pd.DataFrame([{name: refit(p, chosen(p), lam)[2] for name, chosen in methods.items()} for p in problems])
    pairs = (("graph-htp", "graph-iht"), ("htp", "iht"), ("htp", "abess"))
    pairs = [(one, other) for one, other in pairs if other in table]
    lower = {f"{one} below {other}": f"{(table[one] < table[other]).sum()} of {len(table)}" for one, other in pairs}
    return {"lambda": shown(lam), **{name: shown(value, 4) for name, value in table.mean().items()}, **lower}


def main():
    problems = list(folds_of(study_argument(__doc__)))
    rng = np.random.default_rng(0)
    widths = {"all genes": None, "20 random genes": 20, "one gene": 1}
    rows = []
    for name, width in widths.items():
        n_genes = problems[0].X.shape[1]
        draws = [rng.choice(n_genes, width or n_genes, replace=False) for _ in range(1 if width is None else 100)]
        found = [curvature(p, genes) for p in problems for genes in draws]
        cells = {"median": np.median(found), "least": min(found), "most": max(found)}
        rows.append({"curvature over": name, **{cell: shown(value, 2) for cell, value in cells.items()}})
    write("curvature", rows)
    settings = [(method, lam, size) for method in ("iht", "graph-iht") for size in SIZES for lam in (0.1, 1.0)]
    write("steps", [steps_row(problems, *setting) for setting in settings])
    write("objectives", [objective_row(problems, lam) for lam in LAMBDAS])


if __name__ == "__main__":
    main()
