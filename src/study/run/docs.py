"""Write what schema, registries and results determine in the documentation: `make docs`.

docs/findings.md is a filled template; in other pages a part stands between <!-- table: name --> and <!-- end -->.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import jinja2
import pandas as pd
import yaml

from study.data.registry import COHORTS, NETWORKS
from study.io import read_json, write_text
from study.methods import METHODS, STUDY
from study.run.key_figures import FIGURES
from study.tables import OPEN_ENDED, TABLES, markdown, read

FINDINGS = "docs/findings.md"
PAGES = ("README.md", "config/README.md", "docs/data.md", "docs/defaults.md", "docs/methods.md", "docs/results.md")
# What makes the tables that are not part of the study, by the first word of their names.
EXPERIMENTS = {name: name for name in ("controls", "permuted", "planted")}
EXPERIMENTS |= {"rewired": "controls", "defaults": "defaults --config cohort=tcga"}
PART = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end -->)", flags=re.S)


def current(repository: Path, page: str) -> str:
    """Return the text that a page should have."""
    if page == FINDINGS:
        return fill(repository, "findings")
    text = (repository / page).read_text(encoding="utf-8")
    return PART.sub(lambda part: part[1] + PARTS[part[2]](repository) + part[3], text)


def fill(repository: Path, template: str) -> str:
    """Return a template of docs/templates with the key figures filled in."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(repository / "docs/templates"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "d": decimals,
        "signed": lambda value: f"{'+' if value >= 0 else '-'}{decimals(abs(value))}",
    }
    return environment.get_template(f"{template}.md.j2").render(k=read_json(repository / FIGURES))


def decimals(value: float, digits: int = 3) -> str:
    """Return a number without the zero before its decimal point."""
    return re.sub(r"^(-?)0\.", r"\1.", f"{value:.{digits}f}")


def keys(repository: Path) -> str:
    """Return the keys of the configuration."""
    schema = yaml.safe_load((repository / "workflow/schemas/config.schema.yaml").read_text(encoding="utf-8"))
    return markdown(list(_keys(schema))) + "\n"


def _keys(schema: dict, prefix: str = "") -> Iterator[dict]:
    for key, rule in schema["properties"].items():
        nested, default = rule.get("type") == "object", rule.get("default")
        shown = str(default).lower() if isinstance(default, bool) else str(default).replace("'", "")
        default = "see below" if nested else f"`{shown}`" if "default" in rule else "none"
        yield {"key": f"`{prefix}{key}`", "default": default, "meaning": rule["description"]}
        if nested:
            yield from _keys(rule, f"{prefix}{key}: ")


def methods(repository: Path) -> str:
    """Return the methods."""
    return _rows(
        "method | called | what it is | in the study",
        ([f"`{name}`", row.label, row.about, "yes" if name in STUDY else "if named"] for name, row in METHODS.items()),
    )


def cohorts(repository: Path) -> str:
    """Return the cohorts and networks."""
    registries = {"cohort": COHORTS, "network": NETWORKS}
    return _rows(
        "key | what", ([f"`{key}: {name}`", row.about] for key in registries for name, row in registries[key].items())
    )


def result_tables(repository: Path) -> str:
    """Return the tables of a run with their columns."""
    rows = []
    for name, table in TABLES.items():
        target = EXPERIMENTS.get(Path(name).name.split("_")[0])
        file = f"`{name}.csv`" + (f" (`snakemake {target}`)" if target else "")
        rows.append([file, table.row, ", ".join([*table.columns, *([OPEN_ENDED[name]] if name in OPEN_ENDED else [])])])
    return _rows("file | a row is | columns", rows)


def compared(repository: Path, rows_shown: str, by: str) -> str:
    """Return AUC and balanced error of values of a default, with differences to the current value (95 % interval)."""
    rows = []
    for row in read(repository / "data/defaults.csv").query(rows_shown).to_dict("records"):
        cells = [f"`{row[by]}`", f"`{row['variant']}`" + (" (current)" if row["current"] else "")]
        for metric in ("auc", "balanced_error"):
            difference, low, high = (f"{row[f'{metric}_{part}']:+.3f}" for part in ("difference", "low", "high"))
            cells += [f"{row[metric]:.3f}", "" if row["current"] else f"{difference} ({low} to {high})"]
        rows.append([*cells, "" if pd.isna(row["seconds"]) else f"{row['seconds']:.2f}"])
    return _rows(f"{by} | value | AUC | difference | balanced error | difference of errors | seconds", rows)


def penalties(repository: Path) -> str:
    """Return how often each penalty was chosen."""
    shares = read(repository / "data/defaults_penalties.csv").pivot(index="method", columns="lambda", values="share")
    head = " | ".join(["method", *(f"lambda {value:g}" for value in shares)])
    return _rows(head, ([f"`{name}`", *(f"{100 * share:.0f} %" for share in row)] for name, row in shares.iterrows()))


def _rows(head: str, rows: Iterator[list[str]] | list[list[str]]) -> str:
    return markdown([dict(zip(head.split(" | "), row, strict=True)) for row in rows]) + "\n"


PARTS = {
    "cohorts": cohorts,
    # The values of each default over the methods it concerns, and the heads method by method.
    "defaults": lambda repository: compared(repository, "method == 'all'", "choice"),
    "heads": lambda repository: compared(repository, "choice == 'head' and method != 'all'", "method"),
    "keys": keys,
    "methods": methods,
    "penalties": penalties,
    "short": lambda repository: fill(repository, "short"),
    "tables": result_tables,
}


def main() -> None:
    """Write the pages that are out of date, or with --check name the first and exit with 1."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing")
    check, repository = parser.parse_args().check, Path.cwd()
    for page in (FINDINGS, *PAGES):
        text = current(repository, page)
        if text == (repository / page).read_text(encoding="utf-8"):
            continue
        if check:
            sys.exit(f"error: {page}: out of date. Run `make docs`.")
        write_text(repository / page, text)
        print(f"wrote {page}")


if __name__ == "__main__":
    main()
