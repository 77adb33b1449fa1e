"""The paper's figures as lists of settings, and the problems they run on.

Algorithm 1 leaves SVRG's number of inner steps K open, and Algorithm 2 leaves SCSG the choice of two; the paper does
not say what its figures have. So every panel has both methods twice:

    GraphSVRG   K = ceil(B/b), as many steps as SCSG takes   `LONG_SVRG`: K = ceil(n/b), a pass over the rows
    GraphSCSG   Option II: K = ceil(B/b)                     `OPTION_I`: K geometric with mean B/b

The s largest entries instead of the graph, drawn for comparison, have K = ceil(B/b).
"""

import math
from collections.abc import Iterator
from dataclasses import asdict, replace
from itertools import chain, product
from typing import NamedTuple

import pandas as pd

from graphiht.methods import STEP_METHODS, find_method, same_estimator
from study.cv.splits import generator
from study.io import say
from study.simulation.curves import MEANS, PUBLISHED, Setting, curve, per_epoch
from study.simulation.graphs import SIDE, Problem, grid, planted

GRAPH_METHODS = tuple(name for name, row in STEP_METHODS.items() if row.uses_network)
METHODS = (*GRAPH_METHODS, *(same_estimator(name, "top") for name in GRAPH_METHODS))
LONG_SVRG, OPTION_I = " K = n/b", " Option I"
# Rows of panels: Algorithms 1 and 2 with mini-batches of one row, and two states of the published script.
AS_PRINTED, SINGLE_ROWS, BLOCKS = "as printed", "published, single rows", "published, blocks"


class Sizes(NamedTuple):
    """Sizes of the problems (n = `rows`, on a grid), and of the methods' batches (B, b) and components (g).

    Where the x axis is data points, all methods use as many as the costliest in this number of epochs. Plural names
    are the panels of a figure, singular ones what the other figures have. The paper does not say which B Figure 1 has.
    The head projection "2s" (2s nodes in 2g components) is what the algorithms print, mini-batches of b = 1 as well.
    """

    side: int = SIDE
    rows: int = 256
    epochs: int = 15
    learning_rates: tuple[float, ...] = (0.1, 0.01, 0.001)
    learning_rate: float = 0.01
    sparsities: tuple[int, ...] = (256, 128, 64, 32)
    sparsity: int = 32
    batch_sizes: tuple[int, ...] = (256, 64, 16)
    batch_size: int = 64
    mini_batch: int = 8
    # B and b, from GraphStoIHT-like to GraphSVRG-like; the last is GraphSVRG as printed.
    combinations: tuple[tuple[int, int], ...] = ((16, 16), (32, 8), (64, 8), (256, 8), (256, 1))
    components: tuple[int, ...] = (1, 4, 16)
    components_rate: float = 0.1
    head: str = "2s"


SIZES = Sizes()


def panel(sizes: Sizes, title: str, **changes) -> list[Setting]:
    """Return the curves of a panel: every method at the usual sizes, but for `changes`."""
    options = {
        "scaling": MEANS,
        "sparsity": sizes.sparsity,
        "eta": sizes.learning_rate,
        "batch": sizes.batch_size,
        "mini_batch": sizes.mini_batch,
        "n_components": 1,
        "epochs": sizes.epochs,
        "head": sizes.head,
        **changes,
    }
    options.setdefault("inner_steps", math.ceil(options["batch"] / options["mini_batch"]))
    settings = [Setting(panel=title, curve=method, method=method, **options) for method in METHODS]
    if options["scaling"] == PUBLISHED:
        return settings
    svrg, scsg = (each for each in settings if each.method in GRAPH_METHODS[-2:])
    long = replace(_whole_pass(sizes, svrg), curve=svrg.curve + LONG_SVRG)
    return [*settings, long, replace(scsg, curve=scsg.curve + OPTION_I, option=1)]


def learning_rates(sizes: Sizes) -> Iterator[list[Setting]]:
    """Yield the panels of Figure 1: every learning rate at every sparsity."""
    for s, eta in product(sizes.sparsities, sizes.learning_rates):
        yield panel(sizes, f"s = {s}, eta = {eta:g}", sparsity=s, eta=eta)


def as_published(sizes: Sizes) -> Iterator[list[Setting]]:
    """Yield Figure 1's learning rates by Algorithms 1 and 2 as printed, and by two states of the published code.

    As printed: mini-batches of one row. The published code has its own K, and its own sizes (see `as_published`).
    """
    half, block = sizes.rows // 2, min(sizes.sparsity, sizes.rows)
    code = {"scaling": PUBLISHED, "head": "half", "mini_batch": 1}
    for eta in sizes.learning_rates:
        yield panel(sizes, f"{AS_PRINTED}, eta = {eta:g}", eta=eta, batch=half, mini_batch=1)
    for eta in sizes.learning_rates:
        single = panel(sizes, f"{SINGLE_ROWS}, eta = {eta:g}", eta=eta, batch=half, **code)
        yield [_whole_pass(sizes, each) if _is_svrg(each) else each for each in single]
    for eta in sizes.learning_rates:
        steps = math.ceil(sizes.rows / block)
        blocks = panel(sizes, f"{BLOCKS}, eta = {eta:g}", eta=eta, batch=block, inner_steps=steps, **code)
        yield [replace(each, mini_batch=block) if _is_svrg(each) else each for each in blocks]


def sparsities(sizes: Sizes) -> Iterator[list[Setting]]:
    """Yield the panels of Figure 2: sparsities, with B = s."""
    for s in sizes.sparsities:
        yield panel(sizes, f"s = {s}", sparsity=s, batch=min(s, sizes.rows))


def batch_sizes(sizes: Sizes) -> Iterator[list[Setting]]:
    """Yield the panels of Figure 3: batch sizes, every method run until it has used the same number of data points."""
    for batch in sizes.batch_sizes:
        yield _to_budget(sizes, panel(sizes, f"B = {batch}", batch=batch))


def combinations(sizes: Sizes) -> Iterator[list[Setting]]:
    """Yield the appendix's combinations of B and b, each with GraphStoIHT with blocks of B."""
    for batch, mini in sizes.combinations:
        yield _to_budget(sizes, panel(sizes, f"B = {batch}, b = {mini}", batch=batch, mini_batch=mini))


def components(sizes: Sizes) -> Iterator[list[Setting]]:
    """Yield the appendix's numbers of connected components g."""
    for g in sizes.components:
        yield panel(sizes, f"g = {g}", n_components=g, eta=sizes.components_rate)


def _is_svrg(setting: Setting) -> bool:
    return find_method(setting.method).gradient == "svrg"


def _whole_pass(sizes: Sizes, setting: Setting) -> Setting:
    """Return the setting with as many inner steps as a pass over the rows has, ceil(n/b)."""
    return replace(setting, inner_steps=math.ceil(sizes.rows / setting.mini_batch))


def _to_budget(sizes: Sizes, settings: list[Setting]) -> list[Setting]:
    """Return the settings with as many epochs as the data points of `epochs` epochs of the costliest allow."""
    points = [per_epoch(each, sizes.rows)[1] for each in settings]
    budget = sizes.epochs * max(points)
    return [replace(each, epochs=math.ceil(budget / own)) for each, own in zip(settings, points, strict=True)]


FIGURES = {
    "fig1": learning_rates,
    "fig1_published": as_published,
    "fig2": sparsities,
    "fig3": batch_sizes,
    "batches": combinations,
    "components": components,
}


def make_problem(sizes: Sizes, master_seed: int, seed: int, sparsity: int) -> Problem:
    """Return the problem of a seed: the same for all settings with this sparsity."""
    return planted(grid(sizes.side), sparsity, sizes.rows, generator(master_seed, seed, 0, f"planted s={sparsity}"))


def run_figure(figure: str, master_seed: int, first: int, last: int, sizes: Sizes = SIZES) -> pd.DataFrame:
    """Return the curves of a figure for the seeds from first to last, a row per setting, seed and epoch.

    The rows an estimator draws depend on the seed alone, so that methods with the same estimator see the same.
    """
    settings = list(chain.from_iterable(FIGURES[figure](sizes)))
    rows = []
    for seed in range(first, last + 1):
        problems = {size: make_problem(sizes, master_seed, seed, size) for size in {s.sparsity for s in settings}}
        curves = {}
        for setting in settings:
            # Where B = n the two curves of SVRG are one.
            run = replace(setting, panel="", curve="")
            if run not in curves:
                curves[run] = curve(run, problems[run.sparsity], generator(master_seed, seed, 0, "simulated rows"))
            rows += [{"seed": seed} | asdict(setting) | row for row in curves[run]]
        say(f"{figure}: seed {seed} of {first}..{last}")
    return pd.DataFrame(rows).drop(columns="epochs")
