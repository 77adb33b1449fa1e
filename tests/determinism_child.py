"""Print a digest of fits of every method, for comparison between processes."""

import hashlib

import numpy as np

from graphiht.fitting import fit, fit_path
from graphiht.losses import balanced_logistic
from graphiht.methods import METHODS
from graphiht.network import Network
from synthetic import grid_edges, noisy_classes


def digest():
    """Return a hash over the bits of one fit and one path of every method."""
    X, y = noisy_classes(150, 900, seed=8)
    loss = balanced_logistic(X, y)
    network = Network(grid_edges(30), 900)
    sha = hashlib.sha256()
    for method in METHODS:
        options = {"network": network, "n_blocks": 2, "lam": 0.1, "max_epochs": 6}
        results = [fit(method, loss, sparsity=20, rng=np.random.default_rng(5), **options)]
        del options["lam"]
        path = fit_path(method, loss, sparsities=[10, 20], lambdas=[0.1, 1.0], rng=np.random.default_rng(5), **options)
        results += path.values()
        for result in results:
            sha.update(result.weights.tobytes())
            sha.update(np.float64(result.intercept).tobytes())
    return sha.hexdigest()


if __name__ == "__main__":
    print(digest())
