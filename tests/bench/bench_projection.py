"""Time the projections against pcst_fast, print a table, and write it to the benchmark report.

On each network three things run on the same vectors: the projections of this package, warm-started; the
same search on pcst_fast's forests; and the plain search (cold bisection of the multiplier of the edge costs from
[0, 2 max prize], at most 50 solves) on pcst_fast. A solve is timed on both kernels at the multiplier that the
projection ended with. Without pcst_fast the first is measured alone.
"""

import time
from typing import NamedTuple

import networkx as nx
import numpy as np
import pandas as pd
from common import bench_parser, library, plain_search, projected_vectors, training_set, write_section

from graphiht._pcst.order import forget_order, sort_down_to
from graphiht._pcst.search import load_prizes, reference_prize, solve_strong
from graphiht.losses import balanced_logistic
from graphiht.network import Network
from graphiht.projection import tail, window
from graphiht.solver import SLACK
from study.data.studyfile import Study


class Task(NamedTuple):
    """A vector to project, as head or tail; tasks of one `run` follow each other and are warm-started."""

    run: str
    kind: str
    v: np.ndarray
    size: int


def fit_tasks(loss, network, sparsity, head_size):
    """Return the head and tail projections of one fit of graph-iht."""
    seen = projected_vectors(network, loss, sparsity, head=head_size, max_epochs=40, tol=-1.0)
    run = f"s={sparsity}, head {head_size}"
    return [Task(run, "tail" if size == sparsity else "head", v, size) for v, size in seen]


def planted_tasks(graph, size, noise, n_vectors, rng):
    """Return slowly changing vectors to project: N(0, 1) where a random walk goes, N(0, noise^2) elsewhere."""
    support, node = set(), int(rng.integers(len(graph)))
    while len(support) < size:
        support.add(node)
        node = int(rng.choice(list(graph[node])))
    v = noise * rng.standard_normal(len(graph))
    v[list(support)] = rng.standard_normal(size)
    tasks = []
    for _ in range(n_vectors):
        v = v * (1.0 + 0.05 * rng.standard_normal(len(graph)))
        tasks.append(Task(f"planted {size}", "tail", v, size))
    return tasks


def timed(function, *args, **kwargs):
    """Return (microseconds, result)."""
    start = time.perf_counter()
    result = function(*args, **kwargs)
    return 1e6 * (time.perf_counter() - start), result


def native_solve(ws, multiplier, min_cost):
    """Return the size of one forest, with everything a single solve needs."""
    sort_down_to(ws, 0.5 * multiplier * min_cost)
    size = solve_strong(ws, multiplier, 1, min_cost)
    forget_order(ws)
    return size


def measure(network, tasks, stride):
    """Return a table of all tasks; single solves and pcst_fast are timed on every stride-th one of each kind."""
    edges, ws, rows, warm, seen = network.edges.astype(np.int64), network.workspace, [], {}, {}
    tail(tasks[0].v, network, tasks[0].size)
    for task in tasks:
        key = (task.run, task.kind)
        before = warm.get(key)
        duration, result = timed(tail, task.v, network, task.size, warm=before)
        row = {"projection": task.kind, "first": key not in warm, "ours": duration, "solves": result.n_solves}
        rows.append(row | {"in window": result.in_window})
        warm[key] = result.multiplier
        seen[key] = seen.get(key, 0) + 1
        if seen[key] % stride == 0:
            load_prizes(ws, task.v)
            prizes = ws.nodes["prize"].copy()
            multiplier = result.multiplier * reference_prize(ws, task.size) / network.min_cost
            sample = {"solve": min(timed(native_solve, ws, multiplier, network.min_cost)[0] for _ in range(3))}
            if library():
                sample["same search"], _ = timed(tail, task.v, network, task.size, warm=before, backend="pcst_fast")
                limits = window(task.size, SLACK, network.n_nodes)
                sample["plain search"], (_, sample["plain solves"]) = timed(plain_search, task.v, network, *limits)
                solve = (edges, prizes, multiplier * network.costs, -1, 1, "strong", 0)
                sample["their solve"] = min(timed(library(), *solve)[0] for _ in range(3))
            rows[-1] |= sample
    return pd.DataFrame(rows)


def summarise(rows):
    """Return a line of the report; the x columns are times of pcst_fast divided by ours."""
    warm = rows[~rows["first"]]
    sample = warm.dropna(subset="solve")
    line = {"vectors": len(warm), **warm[["in window", "solves"]].mean()}
    line |= {"us per solve": sample["solve"].median(), "us per projection": warm["ours"].median()}
    if library():
        line |= {"plain solves": sample["plain solves"].mean()}
        line |= {"solve x": (sample["their solve"] / sample["solve"]).median()}
        line |= {f"{name} x": sample[name].sum() / sample["ours"].sum() for name in ("same search", "plain search")}
    return line


def main():
    parser = bench_parser(__doc__)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rng = np.random.default_rng(arguments.seed)
    lines = []

    def report(name, network, tasks, stride):
        rows = measure(network, tasks, stride)
        parts = [*rows.groupby("projection"), ("all", rows)] if rows["projection"].nunique() > 1 else [("tail", rows)]
        lines.extend({"network": name, "projection": kind, **summarise(part)} for kind, part in parts)

    X, y, network = training_set(Study.load(arguments.study))
    loss = balanced_logistic(X, y, 0.1)
    sizes = [(sparsity, head) for sparsity in (10, 50, 100) for head in (2 * sparsity, network.n_nodes // 2)]
    report("study", network, [task for size in sizes for task in fit_tasks(loss, network, *size)], 5)
    small, large = (nx.convert_node_labels_to_integers(nx.grid_2d_graph(side, side)) for side in (16, 300))
    scale_free = nx.barabasi_albert_graph(100_000, 5, seed=arguments.seed)
    for name, graph, size, noise, n_vectors, stride in (
        ("grid 16x16", small, 32, 0.1, 13, 6),
        ("grid 300x300", large, 500, 0.1, 13, 6),
        ("scale-free, local", scale_free, 200, 0.0, 9, 4),
        ("scale-free, dense", scale_free, 200, 0.1, 9, 4),
    ):
        network = Network(np.array(graph.edges), len(graph))
        report(name, network, planted_tasks(graph, size, noise, n_vectors, rng), stride)
    print(pd.DataFrame(lines).to_string(index=False, float_format="%.3g"))
    write_section(arguments.output, "projection", lines)


if __name__ == "__main__":
    main()
