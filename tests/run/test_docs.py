"""The documentation is current: generated parts, quoted figures, and every command, rule and key it names."""

import re
import shutil
from itertools import product

import jinja2
import pandas as pd
import pytest
import yaml

from study import tables
from study.io import read_json, write_json
from study.methods import METHODS, STUDY
from study.run.docs import FINDINGS, PAGES, PARTS, current, fill
from study.run.key_figures import FIGURES, key_figures

COHORTS = ("gse1992", "gse3143", "gse4335")
NAMED = (
    "README.md",
    "CONTRIBUTING.md",
    "config",
    "docs",
    "Makefile",
    "workflow",
    "src",
    "reports/README.md",
    ".ci/run",
)


@pytest.mark.parametrize("page", [FINDINGS, *PAGES])
def test_generated_parts_are_current(repository, page):
    assert current(repository, page) == (repository / page).read_text(), "run `make docs`"


def test_every_registry_row_is_in_its_table(repository):
    assert all(f"| `{name}` | {row.label} |" in PARTS["methods"](repository) for name, row in METHODS.items())
    assert all(f"`{name}.csv`" in PARTS["tables"](repository) for name in tables.TABLES)
    for key in ("`cohort`", "`own: expression`", "`[10, 20, 30, 40, 50, 60, 70, 80, 90, 100]`"):
        assert key in PARTS["keys"](repository)


def test_pages_change_with_the_figures(repository, tmp_path):
    shutil.copytree(repository / "docs/templates", tmp_path / "docs/templates")
    figures = read_json(repository / FIGURES)
    write_json(tmp_path / FIGURES, figures | {"graph-iht auc_mean": 0.12345})
    for template in ("findings", "short"):
        assert ".123" in fill(tmp_path, template)
        assert ".123" not in fill(repository, template)
    write_json(tmp_path / FIGURES, {"graph-iht auc_mean": 0.12345})
    with pytest.raises(jinja2.UndefinedError):
        fill(tmp_path, "findings")


def test_key_figures_are_those_that_the_pages_quote(repository, tmp_path):
    def write(name, columns, *rows):
        """Write a table whose other columns are 1."""
        frame = pd.DataFrame([row if isinstance(row, tuple) else (row,) for row in rows], columns=columns.split())
        path = tmp_path / f"{name if name in tables.TABLES else f'evidence/{name}'}.csv"
        tables.write(path, frame.reindex(columns=tables.columns(tables.name_of(path)), fill_value=1))

    graph, pair = "graph-iht", ("iht", "graph-iht")
    connected = (graph, "graph-htp", "graph-distilled")
    pooled = (*connected, "iht", "htp", "abess", "laplacian-ridge", "ridge")
    write_json(
        tmp_path / "data_summary.json",
        {
            "n_patients": 9,
            "n_events": 4,
            "n_genes_measured": 7,
            "n_genes_named": 6,
            "n_genes_mapped": 6,
            "n_genes": 5,
            "known_genes": ["A"],
            "known_genes_listed": 3,
            "known_genes_measured": 2,
        },
    )
    # Methods that joined the study since its figures were written have none yet.
    quoted, permuted = (
        [name for name in STUDY if figure.format(name) in read_json(repository / FIGURES)]
        for figure in ("{} auc_mean", "permuted {} stability real")
    )
    write("summary", "trial method", *(("all", name) for name in quoted))
    write(
        "chosen", "method setting value", (graph, "max_epochs", 1), (graph, "max_epochs", 3), (graph, "max_epochs", 100)
    )
    pairs = ((graph, "ridge"), pair, ("htp", "graph-htp"), (graph, "graph-htp"), ("iht", "ridge"))
    write("differences", "metric method_a method_b", *(("auc", *each) for each in pairs))
    write("stability", "method", *STUDY)
    write("survival", "method", graph, "iht")
    events = ("metastasis in follow-up", "death in follow-up")
    write("other_event", "outcome method", *product(events, (*pair, "ridge", "l1")))
    write("external", "cohort model", *product(COHORTS, (graph, "ridge", "iht")))
    write("random_sets", "cohort model", *product(COHORTS, (graph, "ridge")))
    write(
        "permuted_summary",
        "method statistic",
        *product(permuted, ("auc", "stability", "cell_cycle", "hazard_ratio")),
        ("ridge", "auc"),
    )
    write("controls", "method control", *product((*pair, "graph-htp"), ("real", "network", "labels")))
    cells = list(product((10, 30), ("equal", "mixed"), (0, 1, 2, 4), (*pair, "abess", "htp", "graph-htp")))
    write("planted_summary", "size effects strength method measure", *((*cell, "recall") for cell in cells))
    ratios = [(*cell, "graph-htp", 1 + index / 100) for index, cell in enumerate(cells)]
    write("planted_pairs", "size effects strength other method ratio", *ratios)
    write("lambda_path", "method lambda", *product((*pair, "htp", "graph-htp"), (0.01, 0.1, 1.0, 10.0)))
    write("frequencies", "method symbol frequency", (graph, "A", 0.95), (graph, "B", 0.3), ("iht", "C", 1.0))
    write("pathways", "method collection name p", (graph, "wikipathways", "x", 0.5), (graph, "wikipathways", "y", 0.1))
    by = "round of method metric cohorts"
    every = ("all cohorts", "gse1992, gse3143, gse4335")
    left_out = [*product(["all"], ["value"], pooled, ("auc_horizon", "auc_status"), every)]
    left_out += [*product(["all"], ["difference to ridge"], pooled[:-1], ["auc_horizon"], every)]
    write("left_out_summary", by, *left_out)
    write("left_out_models", "cohort", "nki", "tcga")
    genes = [(name, "all", "A", 2) for name in connected[:2]] + [(graph, "all", "B", 1), (graph, "all", "C", 2)]
    write("left_out_genes", "method round symbol models", *genes)
    found = key_figures(tmp_path, tmp_path, tmp_path)
    # Strengths 2 and 4 only.
    expected = [ratio for _, _, strength, other, _, ratio in ratios if strength >= 2 and other == "iht"]
    assert [found["planted iht min"], found["planted iht max"]] == [min(expected), max(expected)]
    assert found.keys() == read_json(repository / FIGURES).keys()
    assert (found["frequent genes"], found["genes in nine of ten folds"], found["pathway name"]) == (1, "A", "y")
    common = [found[f"pooled {name} genes in all models"] for name in connected]
    assert (common, found["pooled contrasts"]) == (["A, C", "A", ""], 7)


@pytest.fixture(scope="module")
def texts(repository):
    """What a person reads, by file: pages, help, messages."""
    files = [path for name in NAMED for path in [repository / name, *(repository / name).rglob("*")] if path.is_file()]
    kinds = (".md", ".j2", ".py", ".smk", ".sh", ".yaml", "")
    return {path: path.read_text() for path in files if path.suffix in kinds and "__pycache__" not in path.parts}


def missing(texts, pattern, known):
    """Where a text names something that is not known."""
    found = ((path.name, match) for path, text in texts.items() for match in re.findall(pattern, text))
    return [(name, match) for name, match in found if match not in known]


def test_every_make_command_is_a_target(repository, texts):
    targets = set(re.findall(r"^([a-z-]+):", (repository / "Makefile").read_text(), flags=re.M))
    pattern = r"(?m)(?:^ {4}|`|step )make ([a-z][a-z-]*)"
    assert missing(texts, pattern, targets) == []
    assert missing({repository / "a.md": "Run `make plan`."}, pattern, targets) == [("a.md", "plan")]


def test_what_the_papers_items_name_exists(repository):
    """Every item has a file, every file exists, and so does every method and target that its row names."""
    page = (repository / "docs/paper.md").read_text()
    table = page.partition("## Item by item")[2].partition("\n## ")[0]
    rows = [line.split(" | ") for line in table.splitlines() if line.startswith("| ")][1:]
    assert len(rows) >= 15
    targets = re.findall(r"^([a-z-]+):", (repository / "Makefile").read_text(), flags=re.M)
    for item, where, judgement in rows:
        files = re.findall(r"`([^`]+)`", where)
        assert files, item
        assert all((repository / file).is_file() for file in files), item
        assert judgement.startswith(("faithful", "deviates", "open in the paper")), item
        assert set(re.findall(r"`make ([a-z-]+)`", judgement)) <= set(targets), item
        named = [name for name in re.findall(r"`([a-z0-9-]+)`", judgement) if name.startswith("graph-")]
        assert set(named) <= METHODS.keys(), item
        headings = re.findall(r"(?m)^#+ (.*)$", page)
        anchors = {re.sub(r"[^a-z0-9 -]", "", heading.lower()).replace(" ", "-") for heading in headings} | {""}
        assert set(re.findall(r"\]\(#([^)]*)\)", judgement)) <= anchors, item


def test_every_quoted_test_exists(repository, texts):
    """Of `pytest FILES -k "a or b"` each word is in the name of a test of these files."""
    pages = "\n".join(text for path, text in texts.items() if path.suffix == ".md")
    commands = re.findall(r"-m pytest ((?:tests\S*[ `])+)(?:-k (\"[^\"]+\"|\w+))?", pages)
    assert len(commands) > 2
    for places, words in commands:
        found = [path for place in places.strip(" `").split() for path in [repository / place]]
        files = [file for path in found for file in (path.rglob("test_*.py") if path.is_dir() else [path])]
        names = re.findall(r"def (test_\w+)", "\n".join(file.read_text() for file in files))
        for word in words.strip('"').split(" or "):
            assert any(word in name for name in names), f"-k {word} in {places}"


def test_every_snakemake_target_is_a_rule_or_a_file(texts):
    rules = {rule for text in texts.values() for rule in re.findall(r"^ *rule (\w+):", text, flags=re.M)}
    # Rules of experiments are named in a loop.
    rules |= {"controls", "permuted", "planted"}
    commands = {path: "\n".join(re.findall(r"(?:bin/|`)snakemake ([^#\n`|]*)", text)) for path, text in texts.items()}
    assert sum(map(len, commands.values())) > 500
    option = r"--\S+(?:[ =](?!-)\S+)?"
    words = {path: re.sub(rf"{option}|-[a-zA-Z]\b", "", text) for path, text in commands.items()}
    assert missing(words, r"(?<!\S)([a-z_]+)(?!\S)", rules) == []


def test_every_key_in_the_pages_is_in_the_schema(repository, texts):
    schema = yaml.safe_load((repository / "workflow/schemas/config.schema.yaml").read_text())["properties"]
    nested = {f"{key}: {name}" for key, rule in schema.items() for name in rule.get("properties", {})}
    pages = {path: text for path, text in texts.items() if path.suffix == ".md"}
    parents = "|".join(key for key, rule in schema.items() if "properties" in rule)
    assert missing(pages, rf"`((?:{parents}): [a-z_]+)[`:]", nested) == []
    assert missing(pages, r"`([a-z]+_[a-z_]+): ", schema) == []
    assert missing(pages, r"--config ([a-z_]+)=", schema) == []
    assert missing(pages, r"(?m)^    ([a-z_]+): [\[a-z0-9]", {*schema, *schema["own"]["properties"]}) == []
    for path in [*(repository / "config").glob("*.yaml"), repository / "docs/example/study.yaml"]:
        assert yaml.safe_load(path.read_text()).keys() <= schema.keys(), path
