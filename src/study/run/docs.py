"""Write what schema, registries and results determine in the documentation: `make docs`.

docs/findings.md is a filled template; in other pages a part stands between <!-- table: name --> and <!-- end -->. The
tables of `make bench` are docs/measured/<name>.csv.
"""

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
from study.tables import TABLES, markdown

FINDINGS = "docs/findings.md"
PAGES = ("README.md", "config/README.md", "docs/data.md", "docs/defaults.md", "docs/methods.md")
PAGES += ("docs/paper.md", "docs/performance.md", "docs/running.md")
# Target that writes each optional table, by the first word of its name.
EXPERIMENTS = {"controls": "controls", "permuted": "permuted", "planted": "planted", "lambda": "planted"}
PART = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end -->)", flags=re.S)


def current(repository: Path, page: str) -> str:
    """Return the text that a page should have."""
    if page == FINDINGS:
        return fill(repository, "findings")
    text = (repository / page).read_text(encoding="utf-8")
    return PART.sub(lambda part: part[1] + _part(repository, part[2]) + part[3], text)


def _part(repository: Path, name: str) -> str:
    """Return a generated part of a page; a name that is not in PARTS is that of a measured table."""
    if name in PARTS:
        return PARTS[name](repository)
    table = pd.read_csv(repository / f"docs/measured/{name}.csv", dtype=str, keep_default_na=False)
    return markdown(table.to_dict("records")) + "\n"


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
    """Return the tables of a run."""
    rows = []
    for name, table in TABLES.items():
        target = EXPERIMENTS.get(Path(name).name.split("_")[0])
        rows.append([f"`{name}.csv`" + (f" (`snakemake {target}`)" if target else ""), table.row])
    return _rows("file | a row is", rows)


def verdicts(repository: Path) -> str:
    """Return how many of the paper's claims about its synthetic figures got each verdict."""
    table = pd.read_csv(repository / "docs/measured/verdicts.csv").groupby("verdict")
    rows = ([name, str(len(own)), ", ".join(own["figure"].unique())] for name, own in table)
    return _rows("verdict | claims | about", rows)


def _rows(head: str, rows: Iterator[list[str]] | list[list[str]]) -> str:
    return markdown([dict(zip(head.split(" | "), row, strict=True)) for row in rows]) + "\n"


PARTS = {
    "cohorts": cohorts,
    "keys": keys,
    "methods": methods,
    "short": lambda repository: fill(repository, "short"),
    "tables": result_tables,
    "verdicts": verdicts,
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
