"""The table of design, alpha, beta, range of eta, bound and observed contraction."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd

from graphiht.losses import least_squares
from study.cv.splits import generator
from study.simulation.curves import PRINTED, Setting, curve, epoch_steps
from study.simulation.designs import Problem
from study.simulation.experiments import make_problem
from study.simulation.graphs import connected_support, grid
from study.simulation.theory import (
    IDEAL,
    PROVEN,
    bound,
    convexity,
    interval,
    observed,
    sample_supports,
    smoothness,
)

_ORTHONORMAL = "orthonormal"
_BATCHES = 50


def orthonormal(config: dict, rng: np.random.Generator) -> Problem:
    """Return a problem whose design has orthonormal columns: the best there is, alpha = beta = 1 for F."""
    network = grid(config["side"])
    p = network.n_nodes
    A = np.linalg.qr(rng.standard_normal((p, p)))[0]
    support = connected_support(network, config["sparsity"], rng)
    x = np.zeros(p)
    x[support] = rng.standard_normal(len(support))
    return Problem(A, A @ x, x, support, network, least_squares(A, A @ x, scale=p))


def _rows(config, name, problem, sparsity, mini_batches, fitted, master_seed):
    """Return the rows of one design: each f_I (all rows, b rows, single rows) at each learning rate."""
    n = len(problem.y)
    rng = generator(master_seed, 0, sparsity, f"supports {name}")
    supports = sample_supports(problem.network, sparsity, config["theory_supports"], rng)
    alpha = convexity(problem.A, supports)
    rows = []
    for mini in mini_batches:
        batches = [np.arange(n)]
        if mini < n:
            batches = [np.sort(rng.choice(n, mini, replace=False)) for _ in range(_BATCHES)]
        if mini == 1:
            batches = [np.array([i]) for i in range(n)]
        beta = smoothness(problem.A, supports, batches)
        allowed = interval(alpha, beta)
        rates = [*config["learning_rates"], 1.0 / beta]
        for eta in rates:
            row = {
                "design": name,
                "sparsity": sparsity,
                "nodes_of_supports": int(np.median([len(support) for support in supports])),
                "rows": n,
                "mini_batch": mini,
                "alpha": alpha,
                "beta": beta,
                "ratio": beta / alpha if alpha > 0 else math.inf,
                "eta_low": f"{allowed[0]:.6g}" if allowed else "empty",
                "eta_high": f"{allowed[1]:.6g}" if allowed else "empty",
                "eta": eta,
                "eta_allowed": int(bool(allowed) and allowed[0] < eta < allowed[1]),
            }
            for label, constants in (("proven", PROVEN), ("ideal", IDEAL)):
                found = bound(alpha, beta, eta, constants)
                row |= {f"{key}_{label}": value for key, value in found._asdict().items()}
                for factor in (f"factor_stated_{label}", f"factor_proof_{label}"):
                    row[factor] = "no bound" if math.isnan(row[factor]) else f"{row[factor]:.6g}"
            rows.append(row | {"observed": fitted(mini, eta)})
    return rows


def _per_step(config, problems, mini, eta, master_seed):
    """Return the observed factor per step of GraphSVRG with mini-batches of this size on some problems."""
    sparsity, n = len(problems[0].support), len(problems[0].y)
    steps = math.ceil(config["batch_size"] / mini)
    setting = Setting(
        "", "", "graph-svrg-iht", PRINTED, sparsity, eta, config["batch_size"], mini, steps, 1, config["epochs"],
        config["head"],
    )  # fmt: skip
    errors = []
    for seed, problem in enumerate(problems, start=1):
        rows = curve(setting, problem, generator(master_seed, seed, 0, "simulated rows"))
        errors.append([row["error"] for row in rows])
    return observed(np.array(errors), epoch_steps(setting, n))


def theory_table(config: dict, master_seed: int, report=None) -> pd.DataFrame:
    """Return a row per design, mini-batch size and learning rate.

    Designs: those of the figures, one per sparsity (the first seed's), and one with orthonormal columns. Observed: the
    median over `theory_runs` problems of the factor per step by which GraphSVRG's error falls.
    """
    rows = []
    mini_batches = [config["rows"], config["mini_batch"], 1]
    seeds = range(1, config["theory_runs"] + 1)
    for sparsity in config["sparsities"]:
        problems = [make_problem(config, master_seed, seed, sparsity) for seed in seeds]
        rows += _rows(
            config, "Gaussian", problems[0], sparsity, mini_batches,
            lambda mini, eta, problems=problems: _per_step(config, problems, mini, eta, master_seed), master_seed,
        )  # fmt: skip
        if report:
            report(f"s = {sparsity}")
    problems = [orthonormal(config, generator(master_seed, seed, 0, _ORTHONORMAL)) for seed in seeds]
    rows += _rows(
        config, _ORTHONORMAL, problems[0], config["sparsity"], [len(problems[0].y)],
        lambda mini, eta: _per_step(config, problems, mini, eta, master_seed), master_seed,
    )  # fmt: skip
    return pd.DataFrame(rows)
