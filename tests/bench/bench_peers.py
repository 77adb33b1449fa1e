"""Compare what users would pick on the same problems, and objective and cost of a fit as the number of genes grows.

    python tests/bench/bench_peers.py --study results/nki/scnet/study.npz

Writes docs/measured/*.csv and docs/peers.svg, which docs/performance.md shows. All select the same number of genes;
objective and AUC are those of one refit with the same ridge, but for the AUC of ridge on all genes. Fails if a ratio,
the time of another over ours, fell by more than a third of that in recorded.json; without the file it records new ones.
"""

import json
import sys
import time
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import matplotlib as mpl
import numpy as np
import pandas as pd
from common import (
    ABESS,
    OURS,
    PEERS,
    folds_of,
    library,
    ours,
    problem,
    refit,
    ridge,
    shown,
    study_argument,
    timed,
    write,
)
from scipy.sparse import csr_array
from sklearn.metrics import roc_auc_score
from threadpoolctl import threadpool_limits

from graphiht.solver import LAM
from study.evidence.planted import plant
from study.evidence.random_sets import neighbours_of

STRENGTH, DRAWS, EPOCHS, SIZES = 2, 10, 100, range(10, 101, 10)
RECORDED, ALLOWED = Path(__file__).with_name("recorded.json"), 2 / 3
RATIOS = [
    ("iht", "abess"),
    ("htp", "abess"),
    ("graph-htp", "abess"),
    ("graph-htp", "skglm, L1"),
    ("graph-htp", "scikit-learn, ridge"),
    ("graph-iht", "GraphIHT by NumPy and pcst_fast"),
]
COLOURS = dict(zip([*OURS, "abess"], ["#E69F00", "#56B4E9", "#004D7A", "#009E73", "#CC79A7"], strict=True))


def planted(study, size, draws):
    """Yield problems whose outcome a connected set of genes decides."""
    neighbours = neighbours_of(study.edges, study.X.shape[1])
    for draw in range(1, draws + 1):
        truth = plant(study, neighbours, size, STRENGTH, draw, {"seed": 0, "folds": 5, "inner_folds": 2})
        yield problem(study, truth.y, truth.train, truth.test, size, truth.genes)


def synthetic(n_rows=1250, n_nodes=20_000):
    """Return a study of a random network, four fifths of whose rows train: nodes correlate with their neighbours."""
    rng = np.random.default_rng(0)
    ends = rng.integers(0, n_nodes, (2 * n_nodes, 2))
    edges = np.vstack([ends[ends[:, 0] != ends[:, 1]], np.column_stack([np.arange(n_nodes), np.arange(n_nodes) - 1])])
    edges = np.unique(np.sort(edges % n_nodes, axis=1), axis=0)
    both = np.vstack([edges, edges[:, ::-1]])
    adjacency = csr_array((np.ones(len(both)), (both[:, 0], both[:, 1])), shape=(n_nodes, n_nodes))
    X = rng.standard_normal((n_rows, n_nodes))
    X += X @ adjacency / np.sqrt(adjacency.sum(axis=0))
    return SimpleNamespace(X=X.astype(np.float32), y=np.arange(n_rows) % 2, edges=edges)


def measured(p, name, select):
    """Return what one method selects, and its processor time."""
    support, seconds = timed(partial(select, p, LAM), 2)
    w, c, objective = refit(p, support, LAM)
    is_ridge = name == "scikit-learn, ridge"
    scores = ridge(p, LAM).decision_function(p.X_test) if is_ridge else p.X_test[:, support] @ w + c
    found = np.nan if p.truth is None else np.isin(p.truth, support).mean()
    return {"processor": seconds, "objective": objective, "found": found, "auc": roc_auc_score(p.y_test, scores)}


def wall(p, select):
    """Return the wall seconds of one call."""
    start = time.perf_counter()
    select(p, LAM)
    return time.perf_counter() - start


def peer_rows(study, ratios):
    """Yield a row for each problem and method: medians of times, means of the rest; note our ratios to others."""
    kinds = {
        "NKI, 50 genes": list(folds_of(study)),
        **{f"planted, {size} genes": list(planted(study, size, DRAWS)) for size in (10, 30)},
        "1,000 x 20,000, 30 genes": list(planted(synthetic(), 30, 3)),
    }
    peers = {name: select for name, select in PEERS.items() if "pcst_fast" not in name or library()}
    for kind, problems in kinds.items():
        # With all threads only after all processor times: idle threads of BLAS spin for a while.
        with threadpool_limits(1):
            tables = {
                name: pd.DataFrame([measured(p, name, select) for p in problems]) for name, select in peers.items()
            }
        walls = {name: np.median([wall(p, select) for p in problems]) for name, select in peers.items()}
        times = {name: table["processor"].median() for name, table in tables.items()}
        for name, table in tables.items():
            mean, error = table.mean(), table.sem()
            yield {
                "problem": kind,
                "method": f"`{name}`" if name in OURS else name,
                "processor ms": shown(1e3 * times[name], 2),
                "wall ms": shown(1e3 * walls[name], 2),
                "objective": shown(mean["objective"]),
                "genes found": "" if np.isnan(mean["found"]) else f"{mean['found']:.0%} ± {error['found']:.0%}",
                "AUC": f"{shown(mean['auc'])} ± {shown(error['auc'], 2)}",
            }
        ratios |= {
            f"{kind}: {one}, {other}": round(times[other] / times[one], 2) for one, other in RATIOS if other in times
        }


def check(ratios):
    """Fail if one of the ratios has fallen, or record them where none are."""
    if not RECORDED.exists():
        RECORDED.write_text(json.dumps(ratios, indent=1) + "\n")
    recorded = json.loads(RECORDED.read_text())
    fallen = [
        f"{name}: {recorded[name]}, now {ratio}"
        for name, ratio in ratios.items()
        if ratio < ALLOWED * recorded.get(name, 0.0)
    ]
    if fallen:
        sys.exit(
            f"error: these ratios fell by more than a third; find out why, or record new ones: {'; '.join(fallen)}"
        )


def size_rows(study):
    """Yield a row for each number of genes and method: mean objective and median cost on five training sets."""
    methods = {name: partial(ours, name, max_epochs=EPOCHS) for name in OURS} | ABESS
    problems = list(folds_of(study, trials=1))
    for size in SIZES:
        for name, select in methods.items():
            rows = []
            for p in problems:
                p = p._replace(size=size)
                support, seconds = timed(partial(select, p, lam=LAM), 2)
                rows.append((refit(p, support, LAM)[2], 1e3 * seconds))
            objective, cost = np.mean([row[0] for row in rows]), np.median([row[1] for row in rows])
            yield {"genes": size, "method": name, "objective": objective, "ms": cost}


def draw(table):
    """Draw objective and cost of a fit against the number of genes."""
    mpl.use("svg")
    mpl.rcParams |= {"svg.hashsalt": "peers", "svg.fonttype": "none", "font.size": 9}
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 2, figsize=(7.5, 2.8), layout="constrained")
    for name, rows in table.groupby("method", sort=False):
        for axis, column in zip(axes, ("objective", "ms"), strict=True):
            axis.plot(rows["genes"], rows[column], color=COLOURS[name], label=name)
    axes[0].set(xlabel="genes", ylabel="objective after a refit")
    axes[1].set(xlabel="genes", ylabel="processor ms of a fit", yscale="log")
    axes[0].legend(frameon=False)
    figure.savefig(Path(__file__).parents[2] / "docs/peers.svg", metadata={"Date": None})


def main():
    study = study_argument(__doc__)
    ratios = {}
    write("peers", list(peer_rows(study, ratios)))
    with threadpool_limits(1):
        table = pd.DataFrame(size_rows(study))
    draw(table)
    rows = table.assign(objective=table["objective"].map(shown), ms=table["ms"].map(partial(shown, digits=2)))
    for column in ("objective", "ms"):
        wide = rows.pivot(index="genes", columns="method", values=column)
        wide = wide[[name for name in COLOURS if name in wide]]
        write(f"sizes_{column}", wide.reset_index().to_dict("records"))
    check(ratios)


if __name__ == "__main__":
    main()
