"""The paper's figures as lists of settings, and the problems they run on.

Algorithm 1 leaves SVRG's number of inner steps K open, and the paper does not say which it took. So GraphSVRG stands in
every panel twice: with K = ceil(B/b), as many steps as SCSG takes, and, named `LONG_SVRG`, with K = ceil(n/b), a pass
over the rows that does not depend on B. SCSG has one K: Algorithm 2 prints B/b, or a random number of that mean. Where
B = n the two are the same. The s largest entries instead of the graph, drawn for comparison, have the K of SCSG.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import pandas as pd

from graphiht.methods import METHODS as LIBRARY
from graphiht.methods import find_method, same_estimator
from study.cv.splits import generator
from study.errors import StudyError
from study.simulation.curves import MEANS, MEASURED, PUBLISHED, Setting, curve, epoch_points
from study.simulation.designs import Problem, planted
from study.simulation.graphs import grid

GRAPH_METHODS = tuple(name for name, row in LIBRARY.items() if row.uses_network)
METHODS = (*GRAPH_METHODS, *(same_estimator(name, "top") for name in GRAPH_METHODS))
LONG_SVRG = " K = n/b"
# Rows of panels: Algorithms 1 and 2 with mini-batches of one row, and two states of the published script.
AS_PRINTED, SINGLE_ROWS, BLOCKS = "as printed", "published, single rows", "published, blocks"
KEYS = (
    "panel", "curve", "method", "scaling", "sparsity", "eta", "batch", "mini_batch", "inner_steps", "n_components",
    "head",
)  # fmt: skip


def panel(config: dict, title: str, **changes) -> list[Setting]:
    """Return the curves of a panel: every method with the sizes of the configuration, but for `changes`."""
    options = {
        "scaling": MEANS,
        "sparsity": config["sparsity"],
        "eta": config["learning_rate"],
        "batch": config["batch_size"],
        "mini_batch": config["mini_batch"],
        "n_components": 1,
        "epochs": config["epochs"],
        "head": config["head"],
        **changes,
    }
    options["inner_steps"] = math.ceil(options["batch"] / options["mini_batch"])
    settings = [Setting(panel=title, curve=method, method=method, **options) for method in METHODS]
    long = [_passing(config, each) for each in settings if _is_svrg(each) and each.method in GRAPH_METHODS]
    return settings + [replace(each, curve=each.curve + LONG_SVRG) for each in long]


def learning_rates(config: dict) -> list[Setting]:
    """Return Figure 1: every learning rate at every sparsity."""
    return [
        setting
        for sparsity in config["sparsities"]
        for eta in config["learning_rates"]
        for setting in panel(config, f"s = {sparsity}, eta = {eta:g}", sparsity=sparsity, eta=eta)
    ]


def as_published(config: dict) -> list[Setting]:
    """Return Figure 1's learning rates by Algorithms 1 and 2 as printed, and by two states of the published code.

    As printed: mini-batches of one row. The published code has its own K, and its own sizes (see `as_published`).
    """
    rows, size = config["rows"], config["sparsity"]
    settings = []
    for eta in config["learning_rates"]:
        settings += panel(config, f"{AS_PRINTED}, eta = {eta:g}", eta=eta, batch=rows // 2, mini_batch=1)
    published = {"scaling": PUBLISHED, "head": "half", "mini_batch": 1}
    for eta in config["learning_rates"]:
        made = panel(config, f"{SINGLE_ROWS}, eta = {eta:g}", eta=eta, batch=rows // 2, **published)
        settings += [_passing(config, each) if _is_svrg(each) else each for each in _once(made)]
    for eta in config["learning_rates"]:
        made = panel(config, f"{BLOCKS}, eta = {eta:g}", eta=eta, batch=min(size, rows), **published)
        for each in _once(made):
            each = replace(each, mini_batch=each.batch) if _is_svrg(each) else each
            settings.append(replace(each, inner_steps=math.ceil(rows / each.batch)))
    return settings


def sparsities(config: dict) -> list[Setting]:
    """Return Figure 2: sparsities, with B = s."""
    return [
        setting
        for sparsity in config["sparsities"]
        for setting in panel(config, f"s = {sparsity}", sparsity=sparsity, batch=min(sparsity, config["rows"]))
    ]


def batch_sizes(config: dict) -> list[Setting]:
    """Return Figure 3: batch sizes, every method run until it has used the same number of data points."""
    return [
        setting
        for batch in config["batch_sizes"]
        for setting in _to_budget(config, panel(config, f"B = {batch}", batch=batch))
    ]


def combinations(config: dict) -> list[Setting]:
    """Return the appendix's combinations of B and b, each beside GraphStoIHT with blocks of B."""
    return [
        setting
        for batch, mini in config["combinations"]
        for setting in _to_budget(config, panel(config, f"B = {batch}, b = {mini}", batch=batch, mini_batch=mini))
    ]


def components(config: dict) -> list[Setting]:
    """Return the appendix's numbers of connected components g."""
    return [
        setting
        for g in config["components"]
        for setting in panel(
            config,
            f"g = {g}",
            n_components=g,
            eta=config["components_learning_rate"],
            epochs=config["components_epochs"],
        )
    ]


def _is_svrg(setting: Setting) -> bool:
    return find_method(setting.method).gradient == "svrg"


def _passing(config: dict, setting: Setting) -> Setting:
    """Return the setting with as many inner steps as a pass over the rows has, ceil(n/b)."""
    return replace(setting, inner_steps=math.ceil(config["rows"] / setting.mini_batch))


def _once(settings: list[Setting]) -> list[Setting]:
    """Return the settings without the second curve of GraphSVRG."""
    return [each for each in settings if each.curve == each.method]


def _to_budget(config: dict, settings: list[Setting]) -> list[Setting]:
    """Return the settings with as many epochs as the data points of `epochs` epochs of the costliest allow."""
    rows = config["rows"]
    budget = config["epochs"] * max(epoch_points(each, rows) for each in settings)
    return [replace(each, epochs=math.ceil(budget / epoch_points(each, rows))) for each in settings]


FIGURES = {
    "fig1": learning_rates,
    "fig1_published": as_published,
    "fig2": sparsities,
    "fig3": batch_sizes,
    "batches": combinations,
    "components": components,
}


def make_problem(config: dict, master_seed: int, seed: int, sparsity: int) -> Problem:
    """Return the problem of a seed: the same for all settings with this sparsity."""
    network = grid(config["side"])
    if sparsity > network.n_nodes:
        raise StudyError(
            f"config: simulations: sparsities: expected at most side^2 = {network.n_nodes}; found {sparsity}."
        )
    return planted(network, sparsity, config["rows"], generator(master_seed, seed, 0, f"planted s={sparsity}"))


def run_figure(
    config: dict, master_seed: int, figure: str, first: int, last: int, report: Callable | None = None
) -> pd.DataFrame:
    """Return the curves of a figure for the seeds from first to last, a row per setting, seed and epoch.

    The rows an estimator draws depend on the seed alone, so that methods with the same estimator see the same.
    """
    settings = FIGURES[figure](config)
    rows = []
    for seed in range(first, last + 1):
        problems, curves = {}, {}
        for setting in settings:
            if setting.sparsity not in problems:
                problems[setting.sparsity] = make_problem(config, master_seed, seed, setting.sparsity)
            named = {"seed": seed, "panel": setting.panel, "curve": setting.curve}
            # Where B = n the two curves of SVRG are one.
            run = replace(setting, panel="", curve="")
            if run not in curves:
                rng = generator(master_seed, seed, 0, "simulated rows")
                curves[run] = curve(run, problems[setting.sparsity], rng)
            rows += [row | named for row in curves[run]]
        if report:
            report(f"{figure}: seed {seed} of {first}..{last}")
    return pd.DataFrame(rows, columns=["seed", *KEYS, *MEASURED])
