"""The tables of the documentation, written from the schema, the registries and the comparison of the defaults.

`make docs` writes them, `make lint` checks them.
A table stands between <!-- table: name --> and <!-- end --> of a Markdown file, paragraphs with the figures of results
between <!-- findings: name --> and <!-- end --> (`study.run.findings`).
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from study.data.registry import COHORTS, NETWORKS
from study.methods import METHODS
from study.config import load_schema
from study.io import read_json, write_text
from study.run.findings import paragraphs
from study.tables import TABLES, markdown, read

FILES = (
    "README.md",
    "config/README.md",
    "docs/data.md",
    "docs/defaults.md",
    "docs/findings.md",
    "docs/methods.md",
    "docs/reliability.md",
    "docs/results.md",
    "docs/theory.md",
)
TORTURE = "docs/quoted/torture.json"
BLOCK = re.compile(r"(<!-- (table|findings): ([a-z_]+) -->\n).*?(<!-- end -->)", flags=re.S)


def _table(head: list[str], rows: list[list[str]]) -> str:
    return markdown([dict(zip(head, row, strict=True)) for row in rows]) + "\n"


def _keys(schema: dict, prefix: str = "") -> list[list[str]]:
    rows = []
    for key, rule in schema["properties"].items():
        nested = rule.get("type") == "object"
        default = "see below" if nested else f"`{_shown(rule['default'])}`" if "default" in rule else "none"
        rows.append([f"`{prefix}{key}`", default, rule["description"]])
        rows += _keys(rule, f"{prefix}{key}: ") if nested else []
    return rows


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value).replace("'", "")


def keys(repository: Path) -> str:
    """Return the keys of the configuration."""
    schema = load_schema(repository / "workflow/schemas/config.schema.yaml")
    return _table(["key", "default", "meaning"], _keys(schema))


def methods(repository: Path) -> str:
    """Return the methods."""
    rows = [
        [f"`{name}`", row.label, row.about, f"`snakemake {row.target}`" if row.target else "the study"]
        for name, row in METHODS.items()
    ]
    return _table(["method", "called", "what it is", "run by"], rows)


def cohorts(repository: Path) -> str:
    """Return the cohorts and networks."""
    rows = [[f"`cohort: {name}`", row.about] for name, row in COHORTS.items()]
    return _table(["key", "what"], rows + [[f"`network: {name}`", row.about] for name, row in NETWORKS.items()])


def tables(repository: Path) -> str:
    """Return the tables of a run with their columns."""
    rows = []
    for name, table in TABLES.items():
        target = f" (`snakemake {table.target}`)" if table.target else ""
        more = f", {table.open_ended}" if table.open_ended else ""
        rows.append([f"`{name}.csv`{target}", table.row, ", ".join(table.columns) + more])
    return _table(["file", "a row is", "columns"], rows)


def defaults(repository: Path) -> str:
    """Return the values of each default that were compared, over the methods it concerns."""
    table = read(repository / "data", "defaults")
    rows = table[table["method"] == "all"].to_dict("records")
    picked = {True: "yes", False: ""}
    return _table(
        ["default", "value", *_FIGURES, "picked"],
        [[f"`{row['choice']}`", _value(row), *_figures(row), picked[row["picked"]]] for row in rows],
    )


def heads(repository: Path) -> str:
    """Return the heads side by side, method by method."""
    table = read(repository / "data", "defaults")
    rows = table[(table["choice"] == "head") & (table["method"] != "all")].to_dict("records")
    return _table(["method", "head", *_FIGURES], [[f"`{row['method']}`", _value(row), *_figures(row)] for row in rows])


def penalties(repository: Path) -> str:
    """Return how often each penalty was chosen."""
    shares = read(repository / "data", "defaults_penalties").pivot(index="method", columns="lambda", values="share")
    rows = [[f"`{name}`", *(f"{100 * share:.0f} %" for share in row)] for name, row in shares.iterrows()]
    return _table(["method", *(f"lambda {lam:g}" for lam in shares.columns)], rows)


def torture(repository: Path) -> str:
    """Return how the trials of the last `make torture` ended, by family."""
    rows = []
    for run in read_json(repository / TORTURE).values():
        counts = [str(run["figures"][key]) for key in ("tried", "survived", "refused", "wrong")]
        when = f"{run['date']}, {run['seconds'] / 60:.0f} min"
        rows.append([run["tried"], *counts, run["survives"], when])
    return _table(
        ["what was done", "tried", "survived", "refused in one sentence", "wrong", "survived means", "last run"], rows
    )


_FIGURES = ("AUC", "difference", "balanced error", "difference of errors", "seconds")


def _value(row: dict) -> str:
    return f"`{row['variant']}`" + (" (current)" if row["current"] else "")


def _figures(row: dict) -> list[str]:
    """Return AUC and balanced error, each with its difference to the current value and 95 % interval, and the time."""
    cells = []
    for metric in ("auc", "balanced_error"):
        mean, difference, low, high = (row[f"{metric}{ending}"] for ending in ("", "_difference", "_low", "_high"))
        cells += [f"{mean:.3f}", "" if row["current"] else f"{difference:+.3f} ({low:+.3f} to {high:+.3f})"]
    return [*cells, "" if row["seconds"] != row["seconds"] else f"{row['seconds']:.2f}"]


WRITERS = {
    "keys": keys,
    "methods": methods,
    "cohorts": cohorts,
    "tables": tables,
    "defaults": defaults,
    "heads": heads,
    "penalties": penalties,
    "torture": torture,
}


def current(repository: Path, text: str) -> str:
    """Return a Markdown text with its tables written anew."""

    def written(block: re.Match) -> str:
        of_figures = block[2] == "findings"
        new = paragraphs(repository, block[3]) if of_figures else WRITERS[block[3]](repository)
        return block[1] + new + block[4]

    return BLOCK.sub(written, text)


def stale(repository: Path, names: Sequence[str] = FILES) -> Iterator[tuple[str, str]]:
    """Yield the files whose tables are not current, each with its new text."""
    for name in names:
        text = (repository / name).read_text(encoding="utf-8")
        new = current(repository, text)
        if new != text:
            yield name, new


def write(repository: Path, names: Sequence[str] = FILES) -> None:
    """Write the tables that are not current anew."""
    for name, text in stale(repository, names):
        write_text(repository / name, text)
        print(f"wrote {name}")


def main() -> None:
    """Write the tables, or with --check say which file is not current and exit with 1."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing")
    if parser.parse_args().check:
        for name, _ in stale(Path.cwd()):
            sys.exit(f"error: {name}: expected tables as the registries have them, found others; run `make docs`.")
    write(Path.cwd())


if __name__ == "__main__":
    main()
