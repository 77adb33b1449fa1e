"""What Theorem 2 of the paper asks of a design, what it would promise, and what was observed.

    eta in (2a - w, 2a + w) / (2ab),  w = sqrt(4a^2 - 3.75ab)
    delta = (1 + c_T)(q(eta) + sqrt(1 - a_0)),  lambda = 2 (1 + c_T) q(eta),  q(eta) = sqrt(ab eta^2 - 2a eta + 1)
    a_0 = sup over tau in (0, 2/b) of c_H a tau - q(tau)

with a = alpha the restricted strong convexity of F and b = beta the restricted smoothness of every f_i (every
mini-batch).
The proof has sqrt(1 - a_0^2) where the statement has sqrt(1 - a_0). A bound needs delta + lambda < 1. Theorem 2 then
promises a factor delta / (1 - lambda) per inner step, which does not follow from the proof's (13); `epoch_factor` does.

alpha and beta over sampled supports bound the true ones from above and below: they can refute the conditions and never
certify them.
"""

import math
from collections.abc import Iterator
from itertools import product

import numpy as np
import pandas as pd

from graphiht.losses import least_squares
from study.cv.splits import generator
from study.io import say
from study.simulation.curves import MEANS, Setting, curve
from study.simulation.experiments import SIZES, Sizes, make_problem
from study.simulation.graphs import Problem, connected_support, grid

# Approximation factors c_T and c_H, proven by Hegde, Indyk and Schmidt 2015 for projections that may return larger sets
# than the model has; our projection has no finite c_T (`test_our_tail_projection_has_no_constant`).
PROVEN = math.sqrt(7.0), math.sqrt(1.0 / 14.0)
IDEAL = 1.0, 1.0
ROUNDING = 1e-10
# Mini-batches that bound beta, sampled supports that bound alpha and beta, and problems of the observed contraction.
BATCHES, SUPPORTS, PROBLEMS = 50, 200, 10


def sample_supports(network, sparsity: int, n_supports: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Return supports of the model the theorem speaks of: unions of four sets of s connected nodes.

    A set of M, one of M_T and one of M_H, the head, which has room for two.
    """
    supports = {}
    for _ in range(n_supports):
        support = np.unique(np.concatenate([connected_support(network, sparsity, rng) for _ in range(4)]))
        # At s = p all of them are the whole graph; once is enough.
        supports[support.tobytes()] = support
    return list(supports.values())


def convexity(A: np.ndarray, supports: list[np.ndarray]) -> float:
    """Return the least eigenvalue of A_S^T A_S over the supports: at least the restricted alpha of F."""
    return min(float(np.linalg.eigvalsh(A[:, s].T @ A[:, s])[0]) for s in supports)


def smoothness(A: np.ndarray, supports: list[np.ndarray], batches: list[np.ndarray]) -> float:
    """Return the largest eigenvalue of (n/m) A_{I,S}^T A_{I,S} over supports S and batches I of m rows each.

    At most the restricted beta of every f_I. For all rows in one batch, of F; for single rows, of every f_i.
    """
    n = len(A)
    if len(batches[0]) == 1:
        rows = A[np.concatenate(batches)]
        return max(n * float((rows[:, support] ** 2).sum(axis=1).max()) for support in supports)
    parts = (A[np.ix_(batch, support)] for support, batch in product(supports, batches))
    grams = (part @ part.T if len(part) < part.shape[1] else part.T @ part for part in parts)
    return n / len(batches[0]) * max(float(np.linalg.eigvalsh(gram)[-1]) for gram in grams)


def interval(alpha: float, beta: float) -> tuple[float, float]:
    """Return Theorem 2's range of learning rates; NaN where it is empty, beta/alpha >= 16/15."""
    inside = 4.0 * alpha**2 - 3.75 * alpha * beta
    if alpha <= 0.0 or inside <= 0.0:
        return math.nan, math.nan
    half = math.sqrt(inside)
    return (2.0 * alpha - half) / (2.0 * alpha * beta), (2.0 * alpha + half) / (2.0 * alpha * beta)


def contraction(alpha: float, beta: float, eta: float) -> float:
    """Return q(eta) = sqrt(alpha beta eta^2 - 2 alpha eta + 1), the factor of a gradient step."""
    # Rounding may take it below zero, where alpha = beta = 1/eta.
    return math.sqrt(max(alpha * beta * eta**2 - 2.0 * alpha * eta + 1.0, 0.0))


def best_alpha0(alpha: float, beta: float, head: float) -> float:
    """Return the supremum of alpha_0 over tau in (0, 2/beta): the theorem's best case.

    alpha_0 is concave in tau. With u = beta tau - 1 and k = alpha/beta its derivative vanishes where
    u^2 = c_H^2 (1 - k) / (1 - c_H^2 k), which is at most 1.
    """
    k = alpha / beta
    below = 1.0 - head**2 * k
    u = math.sqrt(max(head**2 * (1.0 - k) / below, 0.0)) if below > 0.0 else 0.0
    tau = (1.0 + u) / beta
    return head * alpha * tau - contraction(alpha, beta, tau)


def epoch_factor(delta: float, lam: float, steps: float, option: int = 2) -> float:
    """Return the factor of the error in an epoch that follows from (13); below 1 if delta + lambda < 1.

    (13) is e_k <= delta e_(k-1) + lambda e_0, so e_K <= (delta^K + lambda (1 - delta^K) / (1 - delta)) e_0. By Option I
    K is geometric with mean `steps`, and delta^K has the mean 1 / (1 + steps (1 - delta)).
    """
    power = delta**steps if option == 2 else 1.0 / (1.0 + steps * (1.0 - delta))
    return power + lam * (1.0 - power) / (1.0 - delta)


def bound(alpha: float, beta: float, eta: float, factors: tuple[float, float], steps: int) -> dict[str, float]:
    """Return delta (as stated, as in the proof), lambda, and what they promise; NaN where there is no bound.

    Printed is the factor of an inner step, corrected that of an epoch of `steps` inner steps, or by Option I of as many
    on average. Without alpha_0 > 0 the theorem's lemma, and so delta, has no meaning.
    """
    tail, head = factors
    alpha_0 = best_alpha0(alpha, beta, head) if alpha > 0.0 else math.nan
    step = contraction(alpha, beta, eta)
    lam = 2.0 * (1.0 + tail) * step
    deltas = [math.nan, math.nan]
    if alpha_0 > 0.0:
        deltas = [(1.0 + tail) * (step + math.sqrt(max(1.0 - a, 0.0))) for a in (alpha_0, alpha_0**2)]
    found = {"alpha_0": alpha_0, "lambda": lam}
    for name, delta in zip(("stated", "proof"), deltas, strict=True):
        holds = delta + lam < 1.0
        found[f"delta_{name}"] = delta
        found[f"printed_{name}"] = delta / (1.0 - lam) if holds else math.nan
        for option, key in ((2, "corrected"), (1, "corrected_option_1")):
            found[f"{key}_{name}"] = epoch_factor(delta, lam, steps, option) if holds else math.nan
    return found


def observed(errors: np.ndarray, steps_per_epoch: int) -> float:
    """Return the median over runs of the factor per step by which ||x - x*|| fell.

    `errors` has a row per run, from the start on an entry per epoch. From the start to the first epoch below `ROUNDING`
    of it, where rounding takes over, or to the end. Above 1, or infinite, where the error grew.
    """
    factors = []
    for run in errors:
        small = np.flatnonzero(run < ROUNDING * run[0])
        last = int(small[0]) if len(small) else len(run) - 1
        factors.append((run[last] / run[0]) ** (1.0 / (last * steps_per_epoch)))
    return float(np.median(factors))


def orthonormal(sizes: Sizes, rng: np.random.Generator) -> Problem:
    """Return a problem whose design has orthonormal columns: the best there is, alpha = beta = 1 for F."""
    network = grid(sizes.side)
    p = network.n_nodes
    A = np.linalg.qr(rng.standard_normal((p, p)))[0]
    support = connected_support(network, sizes.sparsity, rng)
    x = np.zeros(p)
    x[support] = rng.standard_normal(len(support))
    return Problem(A, A @ x, x, support, network, least_squares(A, A @ x, scale=p))


def _batches(n: int, mini: int, rng: np.random.Generator) -> list[np.ndarray]:
    """Return all n rows, each row by itself, or random batches."""
    if mini in (1, n):
        return list(np.arange(n).reshape(-1, mini))
    return [np.sort(rng.choice(n, mini, replace=False)) for _ in range(BATCHES)]


def _rows(
    sizes: Sizes, master_seed: int, name: str, problems: list[Problem], mini_batches: list[int], n_supports: int
) -> Iterator[dict]:
    """Yield the rows of one design, the first problem's: each f_I (all rows, b rows, single rows) at each rate."""
    problem = problems[0]
    n, sparsity = len(problem.y), len(problem.support)
    rng = generator(master_seed, 0, sparsity, f"supports {name}")
    supports = sample_supports(problem.network, sparsity, n_supports, rng)
    alpha = convexity(problem.A, supports)
    for mini in mini_batches:
        beta = smoothness(problem.A, supports, _batches(n, mini, rng))
        low, high = interval(alpha, beta)
        steps = math.ceil(sizes.batch_size / mini)
        for eta in (*sizes.learning_rates, 1.0 / beta):
            row = {
                "design": name,
                "sparsity": sparsity,
                "nodes_of_supports": int(np.median([len(support) for support in supports])),
                "rows": n,
                "mini_batch": mini,
                "inner_steps": steps,
                "alpha": alpha,
                "beta": beta,
                "ratio": beta / alpha if alpha > 0 else math.inf,
                "eta_low": _or(low, "empty"),
                "eta_high": _or(high, "empty"),
                "eta": eta,
                "eta_allowed": int(low < eta < high),
            }
            for label, factors in (("proven", PROVEN), ("ideal", IDEAL)):
                for key, value in bound(alpha, beta, eta, factors, steps).items():
                    is_factor = key.startswith(("printed", "corrected"))
                    row[f"{key}_{label}"] = _or(value, "no bound") if is_factor else value
            yield row | {"observed": _per_step(sizes, master_seed, problems, mini, steps, eta)}


def _or(value: float, otherwise: str) -> str:
    """Return a number as text, or what is said where there is none."""
    return otherwise if math.isnan(value) else f"{value:.6g}"


def _per_step(sizes: Sizes, master_seed: int, problems: list[Problem], mini: int, steps: int, eta: float) -> float:
    """Return the observed factor per step of GraphSVRG with mini-batches of this size on some problems."""
    sparsity, batch = len(problems[0].support), sizes.batch_size
    setting = Setting("", "", "graph-svrg-iht", MEANS, sparsity, eta, batch, mini, steps, 1, sizes.epochs, sizes.head)
    curves = (
        curve(setting, problem, generator(master_seed, seed, 0, "simulated rows"))
        for seed, problem in enumerate(problems, start=1)
    )
    return observed(np.array([[row["error"] for row in rows] for rows in curves]), steps)


def theory_table(
    master_seed: int, sizes: Sizes = SIZES, n_supports: int = SUPPORTS, n_problems: int = PROBLEMS
) -> pd.DataFrame:
    """Return a row per design, mini-batch size and learning rate.

    Designs: those of the figures, one per sparsity (the first seed's), and one with orthonormal columns. Observed: the
    median over `n_problems` problems of the factor per step by which GraphSVRG's error falls.
    """
    rows = []
    seeds = range(1, n_problems + 1)
    for sparsity in sizes.sparsities:
        problems = [make_problem(sizes, master_seed, seed, sparsity) for seed in seeds]
        rows += _rows(sizes, master_seed, "Gaussian", problems, [sizes.rows, sizes.mini_batch, 1], n_supports)
        say(f"theory: s = {sparsity} done")
    name = "orthonormal"
    problems = [orthonormal(sizes, generator(master_seed, seed, 0, name)) for seed in seeds]
    rows += _rows(sizes, master_seed, name, problems, [len(problems[0].y)], n_supports)
    return pd.DataFrame(rows)
