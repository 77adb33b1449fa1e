"""How numbers, names and links are shown."""

from collections.abc import Callable

import pandas as pd
from markupsafe import Markup

from study.methods import colour, label


def fixed(digits: int) -> Callable[[float], str]:
    """Return a function that shows a number with so many decimals."""
    return lambda value: f"{float(value):.{digits}f}"


def signed(digits: int) -> Callable[[float], str]:
    """Return a function that shows a difference with its sign; what is zero as shown has none."""

    def show(value: float) -> str:
        text = f"{float(value):+.{digits}f}"
        return text[1:] if not float(text) else text.replace("-", "−")

    return show


def count(value: float) -> str:
    """Return a whole number with thousands set apart."""
    return f"{round(float(value)):,}"


def probability(value: float) -> str:
    """Return a p value: three decimals, or scientific when small."""
    value = float(value)
    return f"{value:.3f}" if value >= 0.001 else f"{value:.1e}".replace("e-0", "e-")


def percent(value: float) -> str:
    """Return a share in per cent."""
    return f"{100 * float(value):.0f} %"


def digits3(value: float) -> str:
    """Return a number with three significant digits, or whole when it is large."""
    return f"{float(value):.3g}" if float(value) < 1000 else count(value)


def yes(value: object) -> str:
    """Return a mark for 1 and nothing for 0."""
    return "●" if float(value) else ""


def spread(mean: float, std: float, digits: int = 3) -> str:
    """Return mean ± standard deviation."""
    return f"{mean:.{digits}f} ± {std:.{digits}f}"


def method(name: str) -> Markup:
    """Return the name of a method after a dot of its colour."""
    return Markup('<span class="method" style="--m:{}">{}</span>').format(colour(name), label(name))


def gene_link(symbol: str, entrez: object) -> Markup | str:
    """Return a gene's symbol, linked to NCBI Gene when its id is known."""
    if entrez is None or pd.isna(entrez):
        return symbol
    return Markup('<a href="https://www.ncbi.nlm.nih.gov/gene/{}" rel="noreferrer" target="_blank">{}</a>').format(
        int(entrez), symbol
    )


def listed(names: list[str]) -> str:
    """Return names as in a sentence: a, b and c."""
    names = list(names)
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else "none"
