"""The published data set: read as it is meant, and every mistake named."""

import os
from pathlib import Path

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from scipy.io import loadmat, savemat

from conftest import REPOSITORY
from published_data import CONNECTED, N_FOLDS, N_TRIALS, cell, halves, write_overlap, write_published
from study.cv.splits import draw_inner, make_splits
from study.data.networks import join
from study.data.published import bioplex_symbols, read_cohort, read_entrez, read_network, symbols
from study.data.stored_splits import read_outer
from study.data.studyfile import Cohort
from study.errors import StudyError

NAMES = [pd.DataFrame({"entrez": [672, 675], "symbol": ["BRCA1", "BRCA2"]})]


@pytest.fixture
def data(tmp_path):
    return write_published(tmp_path) | {"folder": tmp_path / "data"}


def read_all(folder):
    entrez = read_entrez(folder / "entrez.mat")
    cohort = read_cohort(folder / "vant.mat", entrez, symbols(entrez, NAMES))
    return cohort, read_network(folder / "edge.txt", folder / "pathways.txt", entrez)


def test_patients_are_read_as_stored(data):
    cohort, _ = read_all(data["folder"])
    np.testing.assert_array_equal(cohort.X, data["X"])
    np.testing.assert_array_equal(cohort.y, data["y"])
    np.testing.assert_array_equal(cohort.entrez, data["entrez"])
    assert not cohort.has_times
    assert cohort.symbol[[0, 3]].tolist() == ["BRCA1", "BRCA2"]
    assert cohort.symbol[1] == f"entrez:{data['entrez'][1]}"


def test_bioplex_names_each_gene_once(wheels):
    table = bioplex_symbols(wheels["cptac"])
    assert table["entrez"].is_unique
    assert table["symbol"].is_unique
    found = symbols(np.array([7157, 207, 672, 999_999_999]), [*NAMES, table])
    assert found.tolist() == ["TP53", "AKT1", "BRCA1", "entrez:999999999"]


def by_networkx(edges, pathways, entrez):
    """The published preparation, gene by gene: pathway genes, no loops, largest component."""
    members = set(pathways[:, 1].tolist())
    graph = nx.Graph()
    for a, b in edges - 1:
        if a != b and entrez[a] in members and entrez[b] in members:
            graph.add_edge(int(a), int(b))
    return graph.subgraph(max(nx.connected_components(graph), key=len))


def test_network_is_that_of_networkx(data):
    cohort, edges = read_all(data["folder"])
    study = join(cohort, edges, np.ones(len(edges)), 0.5, "edge.txt")
    graph = by_networkx(data["edges"], data["pathways"], data["entrez"])
    assert study.entrez.tolist() == [data["entrez"][node] for node in sorted(graph)]
    order = {node: i for i, node in enumerate(sorted(graph))}
    assert set(map(tuple, study.edges.tolist())) == {tuple(sorted((order[a], order[b]))) for a, b in graph.edges}
    assert len(study.edges) == CONNECTED == graph.number_of_edges()


@pytest.mark.skipif("PUBLISHED" not in os.environ, reason="PUBLISHED=<folder with edge.txt, ...> is not set")
def test_real_network():
    """The three real files: 3,243 genes, 19,931 edges, one component, degree 6 in the median, 584 at most."""
    folder = Path(os.environ["PUBLISHED"])
    entrez = read_entrez(folder / "entrez.mat")
    edges = read_network(folder / "edge.txt", folder / "pathways.txt", entrez)
    n = len(entrez)
    nobody = Cohort(
        X=np.empty((0, n)),
        y=np.empty(0, np.int8),
        time=np.empty(0),
        patients=np.empty(0, str),
        entrez=entrez,
        symbol=symbols(entrez, []),
        counts=np.full(3, n),
    )
    study = join(nobody, edges, np.ones(len(edges)), 0.5, "edge.txt")
    assert (len(entrez), len(study.entrez), len(study.edges)) == (8141, 3243, 19931)
    graph = nx.Graph(study.edges.tolist())
    assert nx.number_connected_components(graph) == 1
    assert len(graph) == 3243
    degree = np.array([d for _, d in graph.degree])
    assert (np.median(degree), degree.max()) == (6, 584)
    pairs, pathways = (np.loadtxt(folder / f"{name}.txt", dtype=int) for name in ("edge", "pathways"))
    expected = by_networkx(pairs, pathways, entrez)
    assert study.entrez.tolist() == entrez[sorted(expected)].tolist()
    assert graph.number_of_edges() == expected.number_of_edges()
    known = pd.read_csv(REPOSITORY / "data/known_genes.csv")["entrez"]
    assert known.isin(entrez).all()
    assert known.isin(study.entrez).sum() == 18


def outer_folds(data, trial=0):
    return read_outer(data["folder"] / f"overlap_data_{trial:02d}.mat", data["y"], data["entrez"])


def test_file_has_the_structure_that_the_published_code_reads(data):
    """The made file answers to the very expressions with which the authors' code takes one apart."""
    save_data = loadmat(data["folder"] / "overlap_data_00.mat")["save_data"][0][0]
    for i, fold in enumerate(data["folds"][0]):
        assert (save_data["data_splits"][0][i][0][0]["test"][0] - 1).tolist() == fold.tolist()
        assert len(save_data["data_subsplits"][0][i][0][0]["train"][0][0][0]) == 26
    assert save_data["data_Y"].shape == (60, 1)


@pytest.mark.parametrize("trial", range(N_TRIALS))
def test_outer_folds_are_the_stored_ones(data, trial):
    outer = outer_folds(data, trial)
    for number, fold in enumerate(data["folds"][trial], start=1):
        assert np.flatnonzero(outer == number).tolist() == sorted(fold.tolist())


def test_inner_folds_are_ours_and_see_no_test_patient(data):
    outer, y = np.array([outer_folds(data, trial) for trial in range(N_TRIALS)]), data["y"]
    splits = draw_inner(outer, y, seed=3, inner_folds=4)
    np.testing.assert_array_equal(splits.outer, outer)
    assert (splits.n_outer, splits.n_inner(1, 1)) == (N_FOLDS, 4)
    for trial in range(1, N_TRIALS + 1):
        for fold in range(1, N_FOLDS + 1):
            parts = [splits.validation(trial, fold, inner) for inner in range(1, 5)]
            np.testing.assert_array_equal(np.sort(np.concatenate(parts)), splits.train(trial, fold))
            events = [y[part].sum() for part in parts]
            assert max(events) - min(events) <= 1
            for inner in range(1, 5):
                assert not set(splits.fitting(trial, fold, inner)) & set(splits.test(trial, fold))


def test_inner_folds_within_our_own_outer_ones_are_our_own(data):
    """Given the outer folds we would draw, the inner ones are those we would draw, to the bit."""
    ours = make_splits(data["y"], seed=3, trials=2, folds=3, inner_folds=4)
    again = draw_inner(ours.outer, data["y"], seed=3, inner_folds=4)
    np.testing.assert_array_equal(again.inner, ours.inner)


def save_vant(data, **changes):
    Y = np.column_stack([np.ones(60), np.where(data["y"] == 1, 1.0, -1.0)])
    stored = {"X": data["X"], "Y": Y, "entrez": data["entrez"][:, None]} | changes
    savemat(data["folder"] / "vant.mat", {key: value for key, value in stored.items() if value is not None})


def with_value(array, index, value):
    array = np.array(array, float)
    array[index] = value
    return array


def vant_mistakes(data):
    X, entrez = data["X"], data["entrez"]
    Y = np.column_stack([np.ones(60), np.where(data["y"] == 1, 1.0, -1.0)])
    return {
        "no Y": ({"Y": None}, r"expected the variables X, Y, entrez; found no Y"),
        "text": ({"X": "hello"}, r"expected numbers in X, found str"),
        "one column": ({"Y": Y[:, 1:]}, r"at least 2 columns in Y, found shape \(60, 1\)"),
        "fewer labels": ({"Y": Y[:50]}, r"expected 60 rows in Y, as X is 60 x 30; found 50"),
        "fewer genes": ({"entrez": entrez[:20]}, r"expected 30 ids in entrez, .* found 20"),
        "other genes": (
            {"entrez": entrez[::-1].copy()},
            r"genes of entrez.mat in the same order, found others",
        ),
        "gene twice": (
            {"entrez": with_value(entrez, 1, 672)},
            r"expected every gene once, found Entrez id 672 2 times",
        ),
        "fraction": ({"entrez": with_value(entrez, 4, 1.5)}, r"whole numbers .* found 1\.5 at entry 5"),
        "nan": (
            {"X": with_value(X, (3, 0), np.nan)},
            r"found nan for gene BRCA1 in patient published-004 \(1 such values",
        ),
        "constant gene": (
            {"X": with_value(X, (slice(None), 0), 1)},
            r"same value in all patients for gene BRCA1",
        ),
        "label": ({"Y": with_value(Y, (2, 1), 0)}, r"expected -1 or \+1 in column 2 of Y, found 0"),
        "one class": ({"Y": np.ones_like(Y)}, r"patients with and without the event, found only 1"),
    }


MISTAKES = [
    "no Y",
    "text",
    "one column",
    "fewer labels",
    "fewer genes",
    "other genes",
    "gene twice",
    "fraction",
]
MISTAKES += ["nan", "constant gene", "label", "one class"]


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistake_in_the_matrix_is_named(data, mistake):
    changes, message = vant_mistakes(data)[mistake]
    save_vant(data, **changes)
    with pytest.raises(StudyError, match=rf"vant\.mat: .*{message}"):
        read_all(data["folder"])


@pytest.mark.parametrize("keep", [0, 3, 200, 5000])
def test_cut_matrix_is_named(data, keep):
    os.truncate(data["folder"] / "vant.mat", keep)
    with pytest.raises(StudyError, match=r"vant\.mat: expected a complete MATLAB file, found a damaged one"):
        read_all(data["folder"])


def test_matrix_of_the_newer_kind_is_named(data):
    head = b"MATLAB 7.3 MAT-file".ljust(124, b" ") + b"\x00\x02IM"
    (data["folder"] / "vant.mat").write_bytes(head + b"\x00" * 512)
    with pytest.raises(StudyError, match=r"vant\.mat: .* found one of version 7\.3"):
        read_all(data["folder"])


@pytest.mark.parametrize("name", ["vant.mat", "entrez.mat", "edge.txt", "pathways.txt"])
def test_missing_file_is_named(data, name):
    (data["folder"] / name).unlink()
    with pytest.raises(StudyError, match=rf"{name}: expected a file of the published data set, found none"):
        read_all(data["folder"])


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("edge.txt", "1\t2\n4\t31\n", r"among the 30 genes, found 31 in line 2: an edge to an unknown gene"),
        ("edge.txt", "1\t2\n0\t3\n", r"two positions of genes, from 1 on; found 0 in line 2"),
        ("edge.txt", "1\t2\n3\n", r"edge\.txt: expected two positions of genes in every line"),
        ("edge.txt", "1\t2\t3\n", r"found a table of shape \(1, 3\)"),
        ("edge.txt", "1\tTP53\n", r"expected two positions of genes in every line; could not convert"),
        ("edge.txt", "", r"expected two positions of genes in every line, found a table of shape"),
        ("edge.txt", "29\t30\n", r"expected edges between genes of .*pathways\.txt, found none"),
        ("pathways.txt", "1 x\n", r"pathways\.txt: expected a pathway and an Entrez id in every line"),
    ],
)
@pytest.mark.filterwarnings("ignore:loadtxt")
def test_mistake_in_the_network_is_named(data, name, text, message):
    (data["folder"] / name).write_text(text)
    with pytest.raises(StudyError, match=message):
        read_all(data["folder"])


def fold_mistakes(data):
    y, everyone = data["y"], np.arange(60)
    a, b, c = data["folds"][0]
    positives, good = np.flatnonzero(y == 1), [halves(fold, everyone) for fold in (a, b, c)]

    def splits(*tests):
        return {"data_splits": cell([halves(test, everyone) for test in tests])}

    flipped = np.where(y == 1, 1.0, -1.0)[:, None]
    flipped[7] *= -1
    return {
        "shared patient": (splits(a, np.r_[b, a[0]], c), rf"patient {a[0] + 1} in the folds 1 and 2"),
        "patient left out": (splits(a[1:], b, c), rf"none for patient {a[0] + 1} \(1 such"),
        "wrong training set": (
            {"data_splits": cell([good[0] | {"train": good[1]["train"]}, *good[1:]])},
            r"every patient once in data_splits 1",
        ),
        "row outside": (
            {"data_splits": cell([good[0] | {"test": np.array([[61.0]])}, *good[1:]])},
            r"row numbers 1\.\.60 in data_splits 1 test, found 61",
        ),
        "counted from 0": (
            {"data_splits": cell([{k: v - 1 for k, v in fold.items()} for fold in good])},
            r"row numbers 1\.\.60 in data_splits \d (test|train), found 0",
        ),
        "one class": (splits(positives, np.flatnonzero(y == 0)), r"both classes in data_splits 1 test"),
        "no test": ({"data_splits": cell([{"train": 1.0}] * 3)}, r"the field test, found train"),
        "no folds": ({"data_splits": np.eye(3)}, r"a cell of two or more folds in data_splits"),
        "labels": (
            {"data_Y": flipped},
            r"labels of vant.mat in data_Y, found another one for patient 8 \(1 differ",
        ),
        "fewer labels": ({"data_Y": flipped[:50]}, r"expected 60 labels in data_Y, found 50"),
        "genes": ({"data_entrez": np.arange(1, 31)}, r"the study's genes in data_entrez, found 0 of 30"),
    }


FOLD_MISTAKES = ["shared patient", "patient left out", "wrong training set", "row outside", "counted from 0"]
FOLD_MISTAKES += ["one class", "no test", "no folds", "labels", "fewer labels", "genes"]


@pytest.mark.parametrize("mistake", FOLD_MISTAKES)
def test_mistake_in_the_stored_folds_is_named(data, mistake):
    changes, message = fold_mistakes(data)[mistake]
    path = data["folder"] / "overlap_data_00.mat"
    stored = [data[key] for key in ("X", "y", "edges", "pathways", "entrez")]
    write_overlap(path, *stored, data["folds"][0], **changes)
    with pytest.raises(StudyError, match=rf"overlap_data_00\.mat: .*{message}"):
        outer_folds(data)


def test_file_without_the_struct_is_named(data):
    savemat(data["folder"] / "overlap_data_00.mat", {"save_data": np.eye(2)})
    with pytest.raises(StudyError, match=r"expected a struct with the field data_Y, found a float64 array"):
        outer_folds(data)


def test_too_many_inner_folds_are_named(data):
    outer = outer_folds(data)[None]
    with pytest.raises(StudyError, match=r"config: inner_folds: expected at most the \d+ patients .* found 50"):
        draw_inner(outer, data["y"], 1, 50)
