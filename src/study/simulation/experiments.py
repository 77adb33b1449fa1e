"""The paper's figures as lists of settings, and the problems they run on."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import pandas as pd

from graphiht.methods import METHODS as LIBRARY
from graphiht.methods import find_method, same_estimator
from study.cv.splits import generator
from study.run.errors import StudyError
from study.simulation.curves import MEASURED, PRINTED, PUBLISHED, Setting, curve, epoch_points
from study.simulation.designs import Problem, planted
from study.simulation.graphs import grid

GRAPH_METHODS = tuple(name for name, row in LIBRARY.items() if row.uses_network)
METHODS = (*GRAPH_METHODS, *(same_estimator(name, "top") for name in GRAPH_METHODS))
LONG_SVRG = " K = n/b"
KEYS = (
    "panel", "curve", "method", "scaling", "sparsity", "eta", "batch", "mini_batch", "inner_steps", "n_components",
    "head",
)  # fmt: skip


def panel(config: dict, title: str, **changes) -> list[Setting]:
    """Return the curves of a panel: every method with the sizes of the configuration, but for `changes`.

    K = ceil(B/b) unless given.
    """
    options = {
        "scaling": PRINTED,
        "sparsity": config["sparsity"],
        "eta": config["learning_rate"],
        "batch": config["batch_size"],
        "mini_batch": config["mini_batch"],
        "n_components": 1,
        "epochs": config["epochs"],
        "head": config["head"],
        **changes,
    }
    options.setdefault("inner_steps", math.ceil(options["batch"] / options["mini_batch"]))
    return [Setting(panel=title, curve=method, method=method, **options) for method in METHODS]


def learning_rates(config: dict) -> list[Setting]:
    """Return Figure 1: every learning rate at every sparsity."""
    return [
        setting
        for sparsity in config["sparsities"]
        for eta in config["learning_rates"]
        for setting in panel(config, f"s = {sparsity}, eta = {eta:g}", sparsity=sparsity, eta=eta)
    ]


def as_published(config: dict) -> list[Setting]:
    """Return Figure 1's learning rates with the published scaling and without, all else being equal.

    Mini-batches of one row, as Algorithm 1 prints, K = n inner steps for SVRG and K = B for SCSG, and the published
    head of half the nodes.
    """
    settings = []
    for scaling in (PRINTED, PUBLISHED):
        for eta in config["learning_rates"]:
            title = f"{scaling}, eta = {eta:g}"
            for each in panel(config, title, scaling=scaling, eta=eta, mini_batch=1, head="half"):
                settings.append(_long(config, each, each.curve) if _is_svrg(each) else each)
    return settings


def sparsities(config: dict) -> list[Setting]:
    """Return Figure 2: sparsities, with B = s."""
    return [
        setting
        for sparsity in config["sparsities"]
        for setting in panel(config, f"s = {sparsity}", sparsity=sparsity, batch=min(sparsity, config["rows"]))
    ]


def batch_sizes(config: dict) -> list[Setting]:
    """Return Figure 3: batch sizes, every method run until it has used the same number of data points.

    SVRG is there twice, with the K = ceil(B/b) of the panel and with its own K = ceil(n/b), which does not depend on B.
    """
    return [
        setting
        for batch in config["batch_sizes"]
        for setting in _to_budget(config, _with_long_svrg(config, panel(config, f"B = {batch}", batch=batch)))
    ]


def combinations(config: dict) -> list[Setting]:
    """Return the appendix's combinations of B and b, each beside GraphStoIHT with blocks of B and SVRG with K = n/b."""
    return [
        setting
        for batch, mini in config["combinations"]
        for setting in _to_budget(
            config,
            _with_long_svrg(config, panel(config, f"B = {batch}, b = {mini}", batch=batch, mini_batch=mini)),
        )
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


def _long(config: dict, setting: Setting, name: str) -> Setting:
    """Return the setting with SVRG's own number of inner steps, ceil(n/b)."""
    return replace(setting, curve=name, inner_steps=math.ceil(config["rows"] / setting.mini_batch))


def _with_long_svrg(config: dict, settings: list[Setting]) -> list[Setting]:
    graph = [each for each in settings if _is_svrg(each) and each.method in GRAPH_METHODS]
    return settings + [_long(config, each, each.curve + LONG_SVRG) for each in graph]


def _to_budget(config: dict, settings: list[Setting]) -> list[Setting]:
    """Return the settings with as many epochs as the data points of `epochs` epochs of SVRG (K = n/b) allow."""
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
        problems = {}
        for setting in settings:
            if setting.sparsity not in problems:
                problems[setting.sparsity] = make_problem(config, master_seed, seed, setting.sparsity)
            rng = generator(master_seed, seed, 0, "simulated rows")
            rows += [{"seed": seed, **row} for row in curve(setting, problems[setting.sparsity], rng)]
        if report:
            report(f"{figure}: seed {seed} of {first}..{last}")
    return pd.DataFrame(rows, columns=["seed", *KEYS, *MEASURED])
