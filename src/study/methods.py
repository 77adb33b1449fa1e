"""The registry of methods: a row for everything that can be cross-validated.

Rules, grids, labels, colours, groups, pairs, the values that the configuration allows and the tables of the
documentation come from these rows, and no code looks at a name to decide what to do. To add a method, write a learner
in `study.cv` and add a row (CONTRIBUTING.md). Imports nothing heavy, because the Snakefile reads it each time
snakemake starts.
"""

from dataclasses import dataclass, field, replace
from importlib.util import find_spec

from graphiht.methods import METHODS as LIBRARY
from graphiht.methods import equivalent, same_estimator

NEUTRAL = "#444444"
REFIT = "+ridge"
SHARED = "shared-"
# The baseline of studies with covariates.
COVARIATES = "covariates"
# The status of a fit whose number of epochs was chosen; `graphiht.solver` has the others.
STOPPED_EARLY = "stopped early"


@dataclass(frozen=True)
class Method:
    """A method of the study; `label` (default: `name`) and `colour` are for people, `about` for the documentation.

    Attributes
    ----------
    learner : str
        The module of its learner: see `study.cv.learners`.
    fits : str
        The library's method that its learner fits, if that has another name.
    gradient : str, optional
        Its gradient estimator, if it is one of the paper's eight.
    mini_batch : int, optional
        The rows b of each inner step of SVRG and SCSG, as Algorithms 1 and 2 print them, with K = n / b and B / b.
    option : {1, 2}, optional
        How SCSG chooses K; else the configuration says.
    paper : str
        The name under which `data/published_metrics.csv` has the paper's numbers for it.
    update : {"", "step", "refit"}
        How its weights move, if it is the library's or made of it: along the gradient, as the paper's eight do, or to
        the minimum on the support. Baselines have none.
    package : str
        A package of its own that it needs, and that not every machine has a wheel of.
    uses_network : bool
        Whether its genes are connected in the network.
    C : (float, float, int), optional
        Least and largest value as powers of ten, and how many, of a grid of its own.
    l1_ratios, thresholds, shrinkage, smoothing : tuple of float
        Further axes of its own grid: shares of L1, shares of fits that select a gene, shares of the most that centroids
        can shrink, and how much the network smooths.
    teacher : (float, float, int), optional
        The same as C, of the model on all genes whose scores it learns.
    epochs, tolerance
        What replaces the configuration's.
    cost : float
        Rough time of a fit, in fits of iht, with a network of graph-iht.
    keeps_all : bool
        Whether it weighs all genes, or none, and so selects none.
    learns_cox, takes_covariates : bool
        Whether it runs with `outcome: model: cox`, and with `own: covariates`.
    in_study : bool
        Whether the study runs it unless the configuration names its methods.
    is_quick : bool
        Whether the fits of all trials take less than a minute and a half, so that they are one job.
    """

    name: str
    colour: str
    about: str
    learner: str
    label: str = ""
    fits: str = ""
    gradient: str | None = None
    mini_batch: int | None = None
    option: int | None = None
    paper: str = field(default="", repr=False)  # no fit depends on it
    update: str = ""
    package: str = ""
    uses_network: bool = False
    C: tuple[float, float, int] | None = None
    has_penalty: bool = True
    l1_ratios: tuple[float, ...] = (0.0,)
    thresholds: tuple[float, ...] = ()
    shrinkage: tuple[float, ...] = ()
    smoothing: tuple[float, ...] = ()
    teacher: tuple[float, float, int] | None = None
    epochs: tuple[int, ...] = ()
    tolerance: float | None = None
    solver: str = ""
    cost: float = 0.3
    keeps_all: bool = False
    learns_cox: bool = False
    takes_covariates: bool = False
    in_study: bool = True
    is_quick: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "label", self.label or self.name)

    @property
    def iterates(self) -> bool:
        """Whether it is one of the paper's eight, or one of them as printed."""
        return self.gradient is not None

    @property
    def samples(self) -> bool:
        """Whether its gradients are over random rows."""
        return self.gradient not in (None, "full")

    def blocks(self, n_blocks: list[int]) -> list[int]:
        """Return the numbers of blocks that make a difference to the method."""
        # SVRG has the whole gradient at its anchor, and its mini-batches are no blocks.
        return sorted(n_blocks) if self.samples and not (self.gradient == "svrg" and self.mini_batch) else [1]

    def shared_part(self, n_blocks: list[int]) -> str | None:
        """Return the part (`top`, `graph`, `printed`) whose one-block fits the method takes over, or None.

        Over one block every estimator is the full gradient, SCSG's apart. As printed, SVRG and Option II of SCSG over
        one block draw the same rows.
        """
        if not self.iterates or 1 not in self.blocks(n_blocks):
            return None
        if self.mini_batch:
            return None if self.option == 1 else "printed"
        return next((part for part, name in PARTS.items() if name == equivalent(self.name, 1)), None)

    def own_blocks(self, n_blocks: list[int]) -> list[int]:
        """Return the numbers of blocks that the method fits itself."""
        shared = self.shared_part(n_blocks)
        return [number for number in self.blocks(n_blocks) if not (shared and number == 1)]


def _library(name: str, colour: str, about: str) -> Method:
    row = LIBRARY[name]
    method = Method(name, colour, about, "pursuit", row.label, update=row.update, uses_network=row.uses_network)
    if row.update == "refit":
        return replace(method, cost=1.0, is_quick=not row.uses_network, learns_cox=True, takes_covariates=True)
    # With the full gradient, the fits are those that methods share.
    in_paper = name if name in ("iht", "sto-iht", "graph-sto-iht", "graph-svrg-iht", "graph-scsg-iht") else ""
    is_quick = row.gradient == "full" or not (row.uses_network or row.gradient == "scsg")
    return replace(method, learner="iht", gradient=row.gradient, paper=in_paper, is_quick=is_quick)


# Grids of C reach on both sides to where nothing changes any more. Ridge ranks patients below 1e-5 as the difference
# between the class means does, above 1 nearly as a separating plane; there are several such values on either side,
# because of those that do as well the middle one is chosen. L1 goes from no gene to a separating plane.
# Colours are told apart by colour-blind readers; relatives have related hues: blue without the network, orange with it.
ROWS = (
    _library("iht", "#0072B2", "full gradient, the s largest entries"),
    _library("sto-iht", "#56B4E9", "random block, the s largest entries"),
    _library("svrg-iht", "#004D7A", "SVRG, the s largest entries"),
    _library("scsg-iht", "#7FA8C9", "SCSG, the s largest entries"),
    _library("graph-iht", "#D55E00", "full gradient, connected in the network"),
    _library("graph-sto-iht", "#E69F00", "random block, connected in the network"),
    _library("graph-svrg-iht", "#A63603", "SVRG, connected in the network (the paper's Algorithm 1)"),
    _library("graph-scsg-iht", "#CC79A7", "SCSG, connected in the network (the paper's Algorithm 2)"),
    _library("htp", "#3B3B98", "each support refitted, the s largest by estimated loss reduction"),
    _library("graph-htp", "#B3003C", "each support refitted, connected in the network"),
    Method(
        "graph-distilled",
        "#FF7FA5",
        "a connected set (graph-htp) for the scores of Laplacian ridge, refitted to these scores",
        "distilled",
        label="GraphDistilled",
        fits="graph-htp",
        update="refit",
        uses_network=True,
        smoothing=(1.0,),
        teacher=(-4.0, -2.0, 3),
        cost=1.8,
        is_quick=False,
    ),
    Method(
        "abess",
        "#7B5EA7",
        "best subset selection by splicing, ridge weights",
        "best_subset",
        package="abess",
        solver="abess's splicing",
        cost=5.7,
        is_quick=False,
    ),
    Method("t-top", "#999999", "the s largest t statistics, ridge weights", "t_statistics"),
    Method(
        "t-graph",
        "#666666",
        "one graph projection of the t statistics, ridge weights",
        "t_statistics",
        uses_network=True,
    ),
    Method(
        "walk-t",
        "#1A1A1A",
        "the s largest t statistics smoothed by random walks on the network, ridge weights",
        "t_statistics",
        smoothing=(0.25, 0.5, 0.75),
    ),
    Method(
        "mean-top",
        "#B8963E",
        "one step: the s largest differences between class means",
        "mean_difference",
        has_penalty=False,
    ),
    Method(
        "mean-graph",
        "#6B4A0F",
        "one step: one graph projection of the differences between class means",
        "mean_difference",
        uses_network=True,
        has_penalty=False,
    ),
    Method(
        "centroids",
        "#CC33FF",
        "nearest shrunken centroids",
        "centroids",
        has_penalty=False,
        shrinkage=(0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9),
    ),
    Method(
        "laplacian-ridge",
        "#66DD88",
        "ridge on all genes, the network as a smoother of their weights",
        "laplacian_ridge",
        label="Laplacian ridge",
        C=(-7.0, 1.0, 9),
        smoothing=(1.0, 10.0),
        keeps_all=True,
        solver="scikit-learn's newton-cholesky",
    ),
    Method(
        "ridge",
        "#009E73",
        "ridge-penalised logistic regression on all genes",
        "penalised",
        keeps_all=True,
        learns_cox=True,
        C=(-7.0, 1.0, 13),
        solver="scikit-learn's newton-cholesky",
    ),
    Method(
        "l1",
        "#66C2A5",
        "L1-penalised logistic regression",
        "elastic_net",
        label="L1",
        C=(-2.5, 1.5, 13),
        l1_ratios=(1.0,),
        solver="skglm's proximal Newton",
    ),
    Method(
        COVARIATES,
        "#8C564B",
        "the covariates of an own cohort, without genes and penalty; run where there are any",
        "covariates",
        label="covariates alone",
        has_penalty=False,
        keeps_all=True,
        learns_cox=True,
        takes_covariates=True,
        in_study=False,
    ),
    Method(
        "elastic-net",
        "#2A6F4F",
        "elastic-net logistic regression",
        "elastic_net",
        label="elastic net",
        C=(-3.5, 0.0, 8),
        l1_ratios=(0.1, 0.5, 0.9),
        solver="skglm's proximal Newton",
        in_study=False,
        is_quick=False,
    ),
    replace(
        _library("graph-svrg-iht", "#7A3E12", "the paper's Algorithm 1 to the letter: b = 1, K = n"),
        name="graph-svrg-iht-printed",
        label="GraphSVRG-IHT as printed",
        fits="graph-svrg-iht",
        mini_batch=1,
        cost=170.0,
        in_study=False,
    ),
    replace(
        _library("graph-scsg-iht", "#B15C93", "the paper's Algorithm 2, Option I: b = 1, K geometric of mean B"),
        name="graph-scsg-iht-option-1",
        label="GraphSCSG-IHT Option I",
        fits="graph-scsg-iht",
        mini_batch=1,
        option=1,
        cost=270.0,
        in_study=False,
    ),
    replace(
        _library("graph-scsg-iht", "#E5A9CB", "the paper's Algorithm 2, Option II: b = 1, K = B"),
        name="graph-scsg-iht-option-2",
        label="GraphSCSG-IHT Option II",
        fits="graph-scsg-iht",
        mini_batch=1,
        option=2,
        cost=270.0,
        in_study=False,
    ),
    Method(
        "iht-converged",
        "#4B5BFF",
        "iht run until it converges: no early stopping",
        "iht",
        label="IHT to the end",
        fits="iht",
        epochs=(1000,),
        tolerance=1e-5,
        in_study=False,
        is_quick=False,
    ),
    Method(
        "graph-stability",
        "#6A3D9A",
        "genes that graph-iht selects again and again on half of the patients",
        "stability_selection",
        label="GraphStability",
        uses_network=True,
        thresholds=(0.5, 0.6, 0.7, 0.8, 0.9),
        in_study=False,
        is_quick=False,
    ),
)
METHODS = {row.name: row for row in ROWS}
_REFITS = [replace(row, name=row.name + REFIT, label=row.label + REFIT) for row in ROWS]
_FOUND = METHODS | {row.name: row for row in _REFITS}
STUDY = [name for name, row in METHODS.items() if row.in_study]
ITERATIVE = [name for name, row in METHODS.items() if row.iterates and name in LIBRARY]
OF_LIBRARY = [name for name in METHODS if name in LIBRARY]
# One-block fits that several methods have in common, and the method that makes them.
PARTS = {"top": "iht", "graph": "graph-iht", "printed": "graph-svrg-iht-printed"}
# With the network: the method with the same gradients and updates and without.
PAIRS = {name: same_estimator(name, "top") for name in OF_LIBRARY if METHODS[name].uses_network}
# Compared as groups: in every outer training set the member of least inner error stands for its group. Graph methods
# are the paper's four. A baseline is whatever the study runs that has no part of the library in it, with the network or
# without; methods that refit each support are in neither group.
GROUPS = {
    "graph methods": [name for name in ITERATIVE if METHODS[name].uses_network],
    "baselines": [name for name in (*STUDY, COVARIATES) if not METHODS[name].update],
}
# The baseline that models are compared with in other cohorts: ridge on all genes.
REFERENCE = "ridge"
# What stands for the graph approach where one method must: in controls of one fixed setting, and at first sight of the
# report, throughout. The rule looks at no result.
HEADLINE = "graph-iht"
RULE = "of the methods that keep genes connected it has the fewest settings of its own"
# Shown next to the headline, because it answers another question: it refits each support.
COMPANION = "graph-htp"


def find(name: str) -> Method:
    """Return the row of a method; a refit variant has that of its base under its own name and label."""
    return _FOUND[name]


def unavailable(names: list[str], is_cox: bool = False, has_covariates: bool = False) -> dict[str, str]:
    """Return why methods of some cannot run: with Cox's model, with covariates, or without their package."""
    reasons, rows = {}, [METHODS[name] for name in STUDY]
    cox = ", ".join(row.name for row in rows if row.learns_cox)
    adjusted = ", ".join(row.name for row in rows if row.takes_covariates)
    for name in names:
        row = METHODS[name]
        if is_cox and not row.learns_cox:
            reasons[name] = f"only {cox} learn Cox's model"
        elif has_covariates and not row.takes_covariates:
            reasons[name] = f"only {adjusted} take covariates"
        elif name == COVARIATES and not has_covariates:
            reasons[name] = "own: covariates names none"
        elif row.package and find_spec(row.package) is None:
            reasons[name] = f"{row.package} is not installed"
    return reasons


def keeps_all(name: str) -> bool:
    """Return whether a method weighs all genes, so that there is no selection to speak of."""
    return name in _FOUND and find(name).keeps_all


def label(name: str) -> str:
    """Return the name of a method for people; a name that is in no row stays as it is."""
    if name.startswith(SHARED):
        return f"shared: {name.removeprefix(SHARED)}"
    return find(name).label if name in _FOUND else name


def colour(name: str) -> str:
    """Return the colour of a method, a neutral one for a name that is in no row."""
    return find(name).colour if name in _FOUND else NEUTRAL


def uses_network(name: str) -> bool:
    """Return whether a name is that of a method whose genes are connected in the network."""
    return name in _FOUND and find(name).uses_network


def headline(names: list[str]) -> str | None:
    """Return which of some methods stands for the graph approach: the headline, else the first with a network, else
    the first.
    """
    if HEADLINE in names:
        return HEADLINE
    return next((name for name in names if uses_network(name)), names[0] if names else None)
