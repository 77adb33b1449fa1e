"""`graphiht check` on the files people have: read and said, or one sentence that says what to do."""

import gzip
import json

import networkx
import pytest

from conftest import REPOSITORY
from graphiht.cli import main


@pytest.fixture
def check(own_cohort, wheels, capsys, monkeypatch):
    """Check a configuration beside the three files of a cohort; return the exit status and all it said."""
    monkeypatch.chdir(REPOSITORY)
    folder = own_cohort["expression"].parent

    def run(network="own", methods=("iht",), sparsities=(2, 5), trials=2, **own):
        files = {key: path.name for key, path in own_cohort.items()}
        config = {"cohort": "own", "network": network, "own": files | own, "methods": list(methods)}
        config |= {"sparsities": list(sparsities), "trials": trials, "folds": 3, "inner_folds": 3}
        (folder / "my study.json").write_text(json.dumps(config))
        status = main(["check", str(folder / "my study.json"), "--cores", "2"])
        said = capsys.readouterr()
        assert status == 0 or (len(said.err.strip().splitlines()) == 1 and len(said.err) < 1000), said.err
        return status, said.out + said.err

    return run


def cells(path):
    return [line.split("\t" if path.suffix == ".tsv" else ",") for line in path.read_text().splitlines()]


def write(path, rows, separator=","):
    path.write_text("\n".join(separator.join(row) for row in rows) + "\n")


def transposed(rows):
    return [list(column) for column in zip(*rows, strict=True)]


def as_r(rows):
    """Genes in rows as R's write.table has them: no name over the names of the rows."""
    return [rows[0][1:], *rows[1:]]


LAYOUTS = {
    "tabs": lambda path, rows: write(path, rows, "\t"),
    "semicolons": lambda path, rows: write(path, rows, ";"),
    "decimal commas": lambda path, rows: write(
        path, [rows[0], *([c.replace(".", ",") for c in r] for r in rows[1:])], ";"
    ),
    "genes in rows": lambda path, rows: write(path, transposed(rows)),
    "genes in rows, tabs, from R": lambda path, rows: write(path, as_r(transposed(rows)), "\t"),
    "quotes": lambda path, rows: write(path, [[f'"{cell}"' for cell in row] for row in rows]),
    "gzip": lambda path, rows: path.write_bytes(gzip.compress("\n".join(",".join(row) for row in rows).encode())),
    "UTF-16": lambda path, rows: path.write_text("\n".join("\t".join(row) for row in rows), encoding="utf-16"),
    "byte order mark": lambda path, rows: path.write_text("\n".join(",".join(r) for r in rows), encoding="utf-8-sig"),
    "old Macintosh": lambda path, rows: path.write_bytes("\r".join(",".join(row) for row in rows).encode()),
    "a column of text": lambda path, rows: write(
        path, [[*row, "site" if i == 0 else "A"] for i, row in enumerate(rows)]
    ),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_expression_is_read_in_any_layout(check, own_cohort, layout):
    LAYOUTS[layout](own_cohort["expression"], cells(own_cohort["expression"]))
    status, said = check()
    assert status == 0, said
    assert "60 patients, " in said
    assert "30 genes measured" in said
    assert "30 edges read, 30 kept" in said
    if "rows" in layout:
        assert "expression.csv has genes in rows" in said
    if "text" in layout:
        assert "left out 1 column of text (site)" in said


def test_outcome_may_have_other_columns_and_names(check, own_cohort):
    rows = cells(own_cohort["outcome"])
    extra = [["id", "age", "Status", "OS_time"], *([p, "50", event, time] for p, event, time in rows[1:])]
    write(own_cohort["outcome"], extra, ";")
    status, said = check()
    assert status == 0, said
    assert "outcome.csv: events from column Status, times from column OS_time" in said
    assert "survival times from 1 to 6.9" in said
    write(own_cohort["outcome"], [["id", "age", "relapsed", "when"], *extra[1:]])
    assert "no event column among" in check()[1]
    assert check(event="relapsed", time="when")[0] == 0
    assert "no column sad (event) among id, age, relapsed, when" in check(event="sad")[1]


def test_patients_of_one_file_alone_are_left_out_and_said(check, own_cohort):
    rows = cells(own_cohort["outcome"])
    write(own_cohort["outcome"], [*rows[:-2], ["Q", "1", "3"]])
    status, said = check()
    assert status == 0, said
    assert "58 patients" in said
    assert "left out, because without an outcome, 2 patients or other columns" in said
    assert "lacks 1 patient of the outcome, left out" in said


@pytest.mark.parametrize(("ending", "package"), [("xlsx", "openpyxl"), ("parquet", "pyarrow"), ("h5ad", "anndata")])
def test_a_package_that_is_missing_is_named(check, own_cohort, ending, package):
    own_cohort["expression"].rename(own_cohort["expression"].with_suffix(f".{ending}"))
    status, said = check(expression=f"expression.{ending}")
    try:
        __import__(package)
    except ImportError:
        assert status == 2
        assert f".{ending} files need the package {package}, which is not installed. Install it with" in said
        assert f"-m pip install {package}`" in said
    else:
        assert f"{package} cannot read this .{ending} file" in said


def graphml(path, rows):
    graph = networkx.Graph()
    graph.add_weighted_edges_from([(a, b, float(c)) for a, b, c in rows[1:]], weight="confidence")
    networkx.write_graphml(graph, path)


EDGES = {
    "no header": ("edges.tsv", lambda path, rows: write(path, rows[1:], "\t"), "no header"),
    "two columns, no header": ("edges.csv", lambda path, rows: write(path, [r[:2] for r in rows[1:]]), "no header"),
    "any names": ("edges.csv", lambda path, rows: write(path, [["x", "y", "z"], *rows[1:]]), "columns x and y"),
    "spaces in names": ("edges.csv", lambda path, rows: write(path, [[f" {c} " for c in r] for r in rows]), "gene_a"),
    "STRING": (
        "links.txt",
        lambda path, rows: write(
            path, [["protein1", "protein2", "combined_score"], *([a, b, "900"] for a, b, _ in rows[1:])], " "
        ),
        "scores up to 900 in column combined_score are divided by 1000",
    ),
    "STRING's site": (
        "string.tsv",
        lambda path, rows: write(
            path, [["#node1", "node2", "x", "combined_score"], *([a, b, "q", "0.9"] for a, b, _ in rows[1:])], "\t"
        ),
        "columns node1 and node2",
    ),
    "SIF": ("net.sif", lambda path, rows: write(path, [[a, "pp", b] for a, b, _ in rows[1:]], "\t"), "counts as 1"),
    "SIF by another name": (
        "net.txt",
        lambda path, rows: write(path, [[a, "pp", b] for a, b, _ in rows[1:]], "\t"),
        "no header",
    ),
    "GraphML": ("net.graphml", graphml, "30 edges read"),
}


@pytest.mark.parametrize("kind", EDGES)
def test_edges_are_read_as_they_come(check, own_cohort, kind):
    name, save, expected = EDGES[kind]
    save(own_cohort["edges"].with_name(name), cells(own_cohort["edges"]))
    status, said = check(edges=name)
    assert status == 0, said
    assert "30 edges read, 30 kept" in said
    assert expected in said


def test_dropped_edges_are_counted_by_reason(check, own_cohort):
    extra = [["G1", "TP53", "0.9"], ["G2", "G2", "0.9"], ["G1", "G0", "0.8"], ["G4", "G9", "0.1"]]
    write(own_cohort["edges"], [*cells(own_cohort["edges"]), *extra], "\t")
    said = check()[1]
    assert "34 edges read, 30 kept; dropped: 1 to a gene that was not measured; 1 of confidence below 0.5; " in said
    assert "1 of a gene to itself; 1 repeated" in said


def test_own_cohort_goes_on_a_shipped_network_by_symbols_of_any_case_and_ensembl_ids(check, own_cohort):
    genes = ["TP53", "brca1", "ENSG00000012048.23", "ENSG00000146648", "2064", "ESR1", "CCND1", "MYC", "RB1", "CDK4"]
    rows = cells(own_cohort["expression"])
    write(own_cohort["expression"], [["patient", *genes], *(row[:11] for row in rows[1:])])
    status, said = check("scnet")
    assert status == 0, said
    assert "9 of 10 names are human genes (1 by Entrez id, 2 by Ensembl id, 6 by symbol)" in said
    assert "1 further name of a gene that is there already" in said


def test_a_table_of_probes_clinical_columns_and_outcome_given_twice(check, own_cohort):
    """As scikit-survival has GSE7390: each error names the next option, and no clinical column becomes a gene."""
    outcome = cells(own_cohort["outcome"])[1:]
    header = ["", "age", "er", "grade", "size", *(f"X{200000 + i}_s_at" for i in range(30)), "e.tdm", "t.tdm"]
    rows = [
        [row[0], str(30 + i), "negative" if i % 2 else "positive", "intermediate", f"{i % 7}.5", *row[1:], event, time]
        for i, (row, (_, event, time)) in enumerate(zip(cells(own_cohort["expression"])[1:], outcome, strict=True))
    ]
    write(own_cohort["expression"].with_name("geo.csv"), [header, *rows])
    files = {"expression": "geo.csv", "outcome": "geo.csv"}
    assert (
        "Pass --event COLUMN, or set `event` under `own` in a configuration (columns with two values: er, e.tdm)"
        in check("scnet", **files)[1]
    )
    files |= {"event": "e.tdm", "time": "t.tdm"}
    said = check("scnet", **files)[1]
    assert "0 of 30 names are human genes (none), the others are like X200000_s_at, X200001_s_at" in said
    assert "or use `network: coexpression` (`--network coexpression`)" in said
    status, said = check("coexpression", **files)
    assert status == 0, said
    assert "30 genes measured" in said
    assert "left out 2 columns of text (er, grade)" in said
    assert "left out 4 of 34 genes (age, size, e.tdm, t.tdm) named like columns of the outcome table" in said


def test_covariates_of_a_study_are_neither_the_outcome_nor_copies_of_it(check, own_cohort):
    rows = cells(own_cohort["outcome"])
    other = [["RELAPSE", "weeks", "old"], *([f"{-int(row[1])}", f"{52 * float(row[2]):.0f}", "1"] for row in rows[1:])]
    write(own_cohort["outcome"], [[*row, *more] for row, more in zip(rows, other, strict=True)])
    for name in ("event", "time", "RELAPSE", "weeks"):
        status, said = check(methods=["htp"], covariates=[name])
        assert status == 2
        assert f"covariate {name} is the outcome, or a copy of it. Leave it out." in said
    assert (
        "covariate old is missing in most patients or the same in all" in check(methods=["htp"], covariates=["old"])[1]
    )


def test_probes_of_any_platform_get_the_way_out(check, own_cohort):
    rows = cells(own_cohort["expression"])
    for genes in ([], ["TP53", "MDM2"]):
        names = [*genes, *(f"TC01000064{i}.hg.1" for i in range(30 - len(genes)))]
        write(own_cohort["expression"], [["patient", *names], *rows[1:]])
        status, said = check("scnet")
        assert status == 2
        assert "0 of 30 names are human genes" in said
        assert "(`--network coexpression`), which needs no gene names" in said


def test_a_network_of_few_of_the_genes_gets_a_warning(check, own_cohort):
    """As where probes have names that are also those of genes."""
    edges = cells(own_cohort["edges"])
    write(own_cohort["edges"], edges[:5], "\t")
    status, said = check(sparsities=[2])
    assert status == 0, said
    assert "warning: only 17% of the measured genes are in the network's largest connected part. Rename probes" in said


def test_r_exports_separated_by_spaces_and_codes_of_cbioportal_are_read(check, own_cohort):
    """With quotes, and without a name over the names of the rows."""
    for name in ("expression", "outcome"):
        rows = [[f'"{cell}"' for cell in row] for row in as_r(cells(own_cohort[name]))]
        write(own_cohort[name], rows, " ")
    text = own_cohort["outcome"].read_text().replace(' "0" ', ' "0:LIVING" ').replace(' "1" ', ' "1:DECEASED" ')
    own_cohort["outcome"].write_text(text.replace('"event"', '"OS_STATUS"'))
    status, said = check()
    assert status == 0, said
    assert "60 patients, 22 with the event" in said
    assert "30 edges read, 30 kept" in said


def test_known_genes_are_those_of_no_other_disease(check, own_cohort):
    rows = cells(own_cohort["expression"])
    write(own_cohort["expression"], [["patient", "BRCA1", "BRCA2", *rows[0][3:]], *rows[1:]])
    edges = own_cohort["edges"].read_text()
    own_cohort["edges"].write_text(edges.replace("G0\t", "BRCA1\t").replace("G1\t", "BRCA2\t"))
    assert "breast" not in check()[1]


def test_a_mistyped_file_is_named_before_anything_is_downloaded(check, monkeypatch):
    monkeypatch.setattr("study.run.check.download", lambda *_: pytest.fail("downloaded"))
    monkeypatch.setattr("study.run.check.paths_of", lambda files, *_: dict.fromkeys(files, "nowhere"))
    status, said = check("scnet", expression="expresion.csv")
    assert status == 2
    assert "expresion.csv: no such file. Check its name and folder." in said
    assert "edgs.tsv: no such file" in check(edges="edgs.tsv")[1]


def test_when_nothing_matches_names_are_shown(check):
    said = check("scnet")[1]
    assert "network scnet: no edge joins measured genes: 0 of 30 names are human genes (none)" in said
    assert "the others are like G0, G1, G2, .... Name genes by symbol, Entrez id or Ensembl id." in said


def test_missing_values_have_a_remedy_that_works(check, own_cohort):
    rows = cells(own_cohort["expression"])
    rows[3][2] = "NA"
    write(own_cohort["expression"], rows)
    status, said = check()
    assert status == 2
    assert "set `missing: mean` under `own`" in said
    for remedy in ("mean", "knn"):
        assert f"1 missing value filled in by {remedy} inside each training set" in check(missing=remedy)[1]


def test_raw_counts_are_said(check, own_cohort):
    rows = cells(own_cohort["expression"])
    counts = [[row[0], *(str(round(abs(1000 * float(cell)))) for cell in row[1:])] for row in rows[1:]]
    write(own_cohort["expression"], [rows[0], *counts])
    assert "warning: these look like raw counts (up to" in check()[1]
    assert "raw counts" not in check(transform="log2")[1]


def test_advice_of_a_check_can_be_pasted(check, own_cohort):
    """Paths count from the configuration's folder, and the command names its file, which has a space."""
    said = check()[1]
    folder = own_cohort["expression"].parent
    assert f"results: {folder}/results/own/own; report: {folder}/reports/own-own/report.html" in said
    assert f"To run the study: make study CONFIG='{folder}/my study.json'" in said
