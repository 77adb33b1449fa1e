"""Time the projections against pcst_fast, print a table, and write it to the benchmark report.

On each network three things run on the same vectors: the projections of this package, warm-started; the
same search on pcst_fast's forests; and the plain search (cold bisection of the multiplier of the edge costs from
[0, 2 max prize], at most 50 solves) on pcst_fast. A solve is timed on both kernels at the multiplier that the
projection ended with. Without pcst_fast the first is measured alone.
"""

import argparse
import os
import platform
import sys
import time
from pathlib import Path

import numpy as np
from bench_networks import fit_tasks, grid_edges, planted_tasks, scale_free_edges
from common import library, plain_search, write_section

from graphiht._pcst.order import forget_order, sort_down_to
from graphiht._pcst.search import load_prizes, reference_prize, solve_strong
from graphiht.losses import balanced_logistic
from graphiht.network import Network
from graphiht.projection import tail, window
from graphiht.solver import SLACK
from study.cv.nested import Standardiser


def timed(function, *args, **kwargs):
    """Return (seconds, result)."""
    start = time.perf_counter()
    result = function(*args, **kwargs)
    return time.perf_counter() - start, result


def native_solve(ws, multiplier, min_cost):
    """Return the size of one forest, with everything a single solve needs."""
    sort_down_to(ws, 0.5 * multiplier * min_cost)
    size = solve_strong(ws, multiplier, 1, min_cost)
    forget_order(ws)
    return size


def measure(network, tasks, stride):
    """Return the timings of all tasks; those of single solves and of pcst_fast on every stride-th one of each kind."""
    edges = network.edges.astype(np.int64)
    ws, rows, warm, seen = network.workspace, [], {}, {}
    tail(tasks[0].v, network, tasks[0].size)
    for task in tasks:
        key = (task.run, task.kind)
        before = warm.get(key)
        seconds, result = timed(tail, task.v, network, task.size, warm=before)
        row = {"kind": task.kind, "first": key not in warm, "native": seconds, "n_solves": result.n_solves}
        row["in_window"] = result.in_window
        warm[key] = result.multiplier
        seen[key] = seen.get(key, 0) + 1
        if seen[key] % stride == 0:
            load_prizes(ws, task.v)
            prizes = ws.nodes["prize"].copy()
            multiplier = result.multiplier * reference_prize(ws, task.size) / network.min_cost
            row["native_solve"] = min(timed(native_solve, ws, multiplier, network.min_cost)[0] for _ in range(3))
            if library():
                row["same"], _ = timed(tail, task.v, network, task.size, warm=before, backend="pcst_fast")
                limits = window(task.size, SLACK, network.n_nodes)
                row["plain"], (_, row["plain_solves"]) = timed(plain_search, task.v, network, *limits)
                solve = (edges, prizes, multiplier * network.costs, -1, 1, "strong", 0)
                row["library_solve"] = min(timed(library(), *solve)[0] for _ in range(3))
        rows.append(row)
    return rows


def summarise(name, network, rows):
    """Return one table line per kind of projection, and one for all together."""
    lines = []
    kinds = sorted({row["kind"] for row in rows})
    for kind in [*kinds, "all"] if len(kinds) > 1 else kinds:
        chosen = [row for row in rows if kind in (row["kind"], "all")]
        warm = [row for row in chosen if not row["first"]]
        sample = [row for row in warm if "native_solve" in row]
        line = {
            "network": name,
            "nodes": network.n_nodes,
            "edges": network.n_edges,
            "projection": kind,
            "vectors": len(warm),
            "in window": float(np.mean([row["in_window"] for row in warm])),
            "solves": float(np.mean([row["n_solves"] for row in warm])),
            "us per solve": 1e6 * float(np.median([row["native_solve"] for row in sample])),
            "us per projection": 1e6 * float(np.median([row["native"] for row in warm])),
        }
        if library():
            native = sum(row["native"] for row in sample)
            ratios = [row["library_solve"] / row["native_solve"] for row in sample]
            line |= {
                "plain solves": float(np.mean([row["plain_solves"] for row in sample])),
                "solve x": float(np.median(ratios)),
                "same search x": sum(row["same"] for row in sample) / native,
                "plain search x": sum(row["plain"] for row in sample) / native,
            }
        lines.append(line)
    return lines


def print_table(lines):
    """Print the lines as a table; the x columns are times of pcst_fast divided by ours."""
    columns = [name for name in lines[0] if name not in ("nodes", "edges")]
    text = [[_cell(line[name]) for name in columns] for line in lines]
    width = [max(len(row[i]) for row in [columns, *text]) for i in range(len(columns))]
    for row in [columns, *text]:
        print("  ".join(cell.rjust(w) for cell, w in zip(row, width, strict=True)))


def _cell(value):
    return value if isinstance(value, str) else f"{value:.0f}" if value >= 100 else f"{value:.2f}"


def main():
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--study", type=Path, default=Path("results/nki/scnet/study.npz"), help="study file")
    parser.add_argument("--output", type=Path, default=Path("reports/benchmarks.json"), help="JSON to merge into")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if not arguments.study.exists():
        sys.exit(f"{arguments.study}: expected a study file (results/nki/scnet/study.npz), found none")
    rng = np.random.default_rng(arguments.seed)
    study = np.load(arguments.study)
    rows = rng.permutation(len(study["y"]))[: 4 * len(study["y"]) // 5]
    lines = []

    def report(name, network, tasks, stride):
        lines.extend(summarise(name, network, measure(network, tasks, stride)))
        print(f"{name}: {len(tasks)} vectors", file=sys.stderr)

    network = Network(study["edges"], study["X"].shape[1])
    X = Standardiser(study["X"][rows])(study["X"][rows])
    loss = balanced_logistic(X, study["y"][rows], 0.1)
    sizes = [(sparsity, head) for sparsity in (10, 50, 100) for head in (2 * sparsity, network.n_nodes // 2)]
    tasks = [task for sparsity, head in sizes for task in fit_tasks(loss, network, sparsity, head)]
    report("study", network, tasks, stride=5)
    for side, size in ((16, 32), (300, 500)):
        network = Network(grid_edges(side), side * side)
        report(f"grid {side}x{side}", network, planted_tasks(network, size, 0.1, 13, rng), stride=6)
    network = Network(scale_free_edges(100_000, 5, rng), 100_000)
    report("scale-free, local", network, planted_tasks(network, 200, 0.0, 9, rng), stride=4)
    report("scale-free, dense", network, planted_tasks(network, 200, 0.1, 9, rng), stride=4)

    print_table(lines)
    section = {"table": lines, "processor": platform.processor() or platform.machine(), "cores": os.cpu_count()}
    write_section(arguments.output, "projection", section)


if __name__ == "__main__":
    main()
