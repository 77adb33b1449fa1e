"""Time the paths of all eight methods on the study's grid, with the version of the package that is on the path.

To compare two commits in one run, and to see that they give the same bits:

    git worktree add --detach ../before COMMIT
    PYTHONPATH=../before/src python tests/bench/bench_versions.py --study results/nki/scnet/study.npz
    PYTHONPATH=src python tests/bench/bench_versions.py --study results/nki/scnet/study.npz

Uses nothing but what the package had before its loop was compiled. Processor time of one thread, the best of three.
"""

import argparse
import hashlib
import inspect
import time

import numpy as np

from graphiht.fitting import fit_path
from graphiht.losses import balanced_logistic
from graphiht.network import Network
from graphiht.solver import SLACK

GRADIENTS = {"iht": [1], "sto-iht": [2], "svrg-iht": [2], "scsg-iht": [1, 2]}  # with one block all but the last are iht
GRID = {"sparsities": list(range(10, 101, 10)), "lambdas": [10.0, 1.0, 0.1, 0.01]}


def paths(method, loss, network, blocks):
    """Fit the grid, and return a checksum of all supports and weights."""
    checksum = hashlib.sha256()
    options = {"n_components": 1, "head": "identity", "slack": SLACK, "network": network if "graph" in method else None}
    if "scsg" in method:
        options["inner_steps"] = 2
    for n_blocks in blocks:
        path = fit_path(
            method,
            loss,
            **GRID,
            **options,
            n_blocks=n_blocks,
            option=2,
            tol=1e-3,
            max_epochs=100,
            checkpoints=[1, 3, 10, 30, 100],
            rng=np.random.default_rng(3),
        )
        for key in sorted(path):
            checksum.update(path[key].support.tobytes() + path[key].weights.tobytes())
    return checksum.hexdigest()[:12]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--study", required=True, help="the study file")
    study = np.load(parser.parse_args().study)
    rows = np.sort(np.random.default_rng(5).permutation(len(study["y"]))[:188])
    X, y = study["X"][rows], study["y"][rows]
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    names = {"names": study["symbol"]} if "names" in inspect.signature(Network).parameters else {}
    network = Network(study["edges"], X.shape[1], np.ones(len(study["edges"])), **names)
    total = 0.0
    for prefix in ("", "graph-"):
        for gradient, blocks in GRADIENTS.items():
            seconds = []
            for _ in range(4):  # the first one compiles
                loss = balanced_logistic(X, y, dtype=np.float32)
                start = time.process_time()
                checksum = paths(prefix + gradient, loss, network, blocks)
                seconds.append(time.process_time() - start)
            total += min(seconds[1:])
            print(f"{prefix + gradient:15s} {1000 * min(seconds[1:]):8.1f} ms  {checksum}")
    print(f"{'all':15s} {1000 * total:8.1f} ms")


if __name__ == "__main__":
    main()
