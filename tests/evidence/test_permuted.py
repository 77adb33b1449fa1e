"""The whole study on permuted outcomes: what is permuted, every statistic by hand, and p where the truth is known."""

import numpy as np
import pandas as pd
import pytest

import small
from small import study_of
from study.data.gene_sets import no_sets
from study.evidence import permuted
from study.evidence.permuted import (
    PERMUTED,
    REAL,
    GeneSets,
    permute,
    permuted_genes,
    permuted_pathways,
    permuted_summary,
    permuted_tables,
    permuted_trial,
    trial_row,
)
from study.io import write_json
from study.stats.supports import nogueira
from study.stats.survival import hazard_ratio

SETTINGS = small.SETTINGS | {"seed": 5, "folds": 3, "inner_folds": 2, "sparsities": [2, 4], "lambdas": [0.1, 1.0]}
SETTINGS |= {"n_blocks": [1], "epochs": [3], "tolerance": 1e-3}


def noise(seed, n_patients=45, n_genes=16, effect=0.0):
    """Patients whose first three genes decide with this effect, with times that go with the event."""
    rng = np.random.default_rng([seed, 77])
    X = rng.standard_normal((n_patients, n_genes))
    risk = effect * X[:, :3].sum(axis=1) + rng.logistic(size=n_patients)
    y = (risk > np.quantile(risk, 0.6)).astype(int)
    return study_of(X, y, time=rng.exponential(size=n_patients) + 3 * (1 - y) + 0.1)


def as_real(study, method="iht"):
    """A trial of the same kind with nothing permuted."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(permuted, "permute", lambda study, seed: study)
        return permuted_trial(method, study, SETTINGS, 1)["folds"]


def test_outcomes_and_times_move_together_against_expression():
    study = noise(1)
    changed = permute(study, 8)
    assert changed.y is study.y
    assert changed.time is study.time
    assert not np.array_equal(changed.X, study.X)
    np.testing.assert_array_equal(changed.X[np.lexsort(changed.X.T)], study.X[np.lexsort(study.X.T)])
    assert not np.array_equal(permute(study, 9).X, changed.X)


@pytest.mark.parametrize("method", ["iht", "graph-iht", "ridge"])
def test_a_repetition_has_the_same_bits_in_any_order(method, tmp_path):
    study = noise(2)
    for name, order in (("up", (1, 2)), ("down", (2, 1)), ("alone", (2,))):
        done = {number: permuted_trial(method, study, SETTINGS, number) for number in order}
        write_json(tmp_path / f"{name}.json", done[2])
    texts = {(tmp_path / f"{name}.json").read_text() for name in ("up", "down", "alone")}
    assert len(texts) == 1


def test_methods_are_permuted_alike_and_repetitions_are_not():
    study = noise(3)
    first, ridge, second = (
        permuted_trial(*which)
        for which in (("iht", study, SETTINGS, 1), ("ridge", study, SETTINGS, 1), ("iht", study, SETTINGS, 2))
    )
    patients = [[fold["test_patients"] for fold in trial["folds"]] for trial in (first, ridge, second)]
    assert patients[0] == patients[1] != patients[2]
    assert sorted(patient for fold in patients[0] for patient in fold) == list(range(len(study.y)))


def sets_of(study):
    """Two gene sets, one of which is the named one."""
    sets = pd.DataFrame(
        [
            ("wikipathways", "WP179", "Cell cycle", (1, 2, 3, 4, 5)),
            ("wikipathways", "WP1", "Other", (8, 9, 10, 11, 12)),
        ],
        columns=no_sets().columns,
    )
    return GeneSets.of(sets, study)


def folds_of(genes, n_patients=6):
    """A trial of two folds that select these genes."""
    rows = np.arange(n_patients)
    scores = np.array([2.0, -1.0, 0.5, -2.0, 1.0, -0.5])
    return [
        {
            "auc": value,
            "balanced_error": 1 - value,
            "balanced_error_tuned": 0.9 - value,
            "n_nonzero": len(chosen),
            "status": status,
            "genes": chosen,
            "test_patients": rows[part].tolist(),
            "test_scores": scores[part].tolist(),
        }
        for value, chosen, status, part in zip(
            (0.6, 0.8), genes, ("converged", "diverged"), (slice(0, 3), slice(3, 6)), strict=True
        )
    ]


def test_statistics_of_a_trial_by_hand():
    rng = np.random.default_rng(0)
    study = study_of(rng.standard_normal((6, 12)), [1, 0, 1, 0, 1, 0], time=[1.0, 5.0, 4.0, 6.0, 2.0, 3.0])
    study.entrez[:] = np.arange(1, 13)
    sets, folds = sets_of(study), folds_of([[0, 1, 2], [0, 1, 7]])
    row = trial_row(folds, study, sets)
    assert row["auc"] == pytest.approx(0.7)
    assert row["balanced_error"] == pytest.approx(0.3)
    assert row["balanced_error_tuned"] == pytest.approx(0.2)
    assert row["n_nonzero"] == 3
    assert row["failed"] == 1
    high = np.array([1, 0, 1, 0, 1, 0], bool)
    assert row["hazard_ratio"] == hazard_ratio(study.time, study.y, high).ratio
    supports = np.zeros((2, 12), bool)
    supports[0, [0, 1, 2]] = supports[1, [0, 1, 7]] = True
    assert row["stability"] == nogueira(supports)[0]
    # In at least half of two folds: selected at all. Ids 1, 2, 3 are in the set, 8 is not.
    assert row["stable_genes"] == 4
    assert row["cell_cycle"] == 3
    # Every gene of a ring has the same degree: 4 of 12 genes drawn, 5 in the set.
    assert row["cell_cycle_matched"] == pytest.approx(4 * 5 / 12)
    assert row["pathways"] == row["pathways_matched"] == 0


def test_a_method_that_keeps_every_gene_has_no_statistics_of_genes():
    study = study_of(np.zeros((6, 12)), [1, 0, 1, 0, 1, 0])
    row = trial_row(folds_of([list(range(12))] * 2), study, sets_of(study))
    assert not {"cell_cycle", "pathways", "hazard_ratio"} & set(row)
    assert np.isnan(row["stability"])


def table_of(real, chance, **more):
    """A table of trials with these stabilities, and the same in every other column."""
    columns = {"auc": 0.7, "balanced_error_tuned": 0.3, "balanced_error": 0.3, "n_nonzero": 9, "hazard_ratio": np.nan}
    columns |= {"cell_cycle": np.nan, "cell_cycle_matched": np.nan, "pathways": 0, "pathways_matched": 0} | more
    rows = [(REAL, value) for value in real] + [(PERMUTED, value) for value in chance]
    return pd.DataFrame(rows, columns=["labels", "stability"]).assign(method="iht", **columns)


def test_summary_by_hand():
    table = table_of([0.6, 0.8], [0.2, 0.3, 0.7, 0.9, np.nan])
    summary = permuted_summary(table).set_index("statistic")
    row = summary.loc["stability"]
    assert (row["real"], row["trials"], row["repetitions"]) == (pytest.approx(0.7), 2, 5)
    assert row["permuted"] == pytest.approx(0.525)
    # Reached by .7, .9 and the one that has none.
    assert row["p"] == pytest.approx(4 / 6)
    assert "hazard_ratio" not in summary.index
    assert np.isnan(summary.loc["n_nonzero", "p"])
    # A lower error is better.
    table.loc[table["labels"] == PERMUTED, "balanced_error"] = [0.29, 0.31, 0.4, 0.5, 0.5]
    assert permuted_summary(table).set_index("statistic").loc["balanced_error", "p"] == pytest.approx(2 / 6)


def test_pathways_by_hand():
    study = study_of(np.zeros((6, 12)), [1, 0, 1, 0, 1, 0])
    study.entrez[:] = np.arange(1, 13)
    trials = {
        ("iht", REAL): {1: folds_of([[0, 1], [0, 1]]), 2: folds_of([[0, 7], [0, 7]])},
        ("iht", PERMUTED): {1: folds_of([[0, 1], [1, 2]]), 2: folds_of([[5], [6]]), 3: folds_of([[5], [6]])},
    }
    table = permuted_pathways(trials, study, sets_of(study)).set_index("pathway")
    assert table.loc["WP179", ["overlap", "permuted", "p", "repetitions"]].tolist() == [1.5, 1.0, 0.5, 3]
    assert table.loc["WP179", "matched"] == pytest.approx(2 * 5 / 12)
    assert table.loc["WP1", ["overlap", "permuted", "p"]].tolist() == [0.5, 0.0, 0.25]


def p_of(study, repetitions, method="iht"):
    folds = [{"method": method, "trial": 1, **fold} for fold in as_real(study, method)]
    results = [permuted_trial(method, study, SETTINGS, number) for number in range(2, repetitions + 2)]
    return permuted_tables(folds, results, study, no_sets())["evidence/permuted_summary"].set_index("statistic")["p"]


@pytest.mark.parametrize("studies", [12, pytest.param(60, marks=pytest.mark.long)])
def test_p_is_uniform_where_nothing_is_to_be_found(studies):
    """The real trial is then one of ten that are equally likely: p is .1, .2, ..., 1, each as often."""
    p = pd.DataFrame([p_of(noise(seed), 9) for seed in range(studies)])
    error = np.sqrt((10**2 - 1) / 12) / 10 / np.sqrt(len(p))
    for key in ("auc", "hazard_ratio", "stability"):
        assert p[key].between(0.1, 1).all()
        assert abs(p[key].mean() - 0.55) < 3.5 * error, key


@pytest.mark.parametrize("method", ["iht", "graph-iht"])
def test_a_real_signal_has_the_least_p(method):
    p = p_of(noise(1, n_patients=90, effect=4.0), 9, method)
    for key in ("auc", "balanced_error", "balanced_error_tuned", "hazard_ratio", "stability"):
        assert p[key] == pytest.approx(0.1), key


def test_genes_are_counted_over_all_folds_of_permuted_outcomes():
    study = noise(1)
    n = len(study.symbol)
    folds = {1: [[0, 1], [0]], 2: [[0, 2], [5]]}
    trials = {
        ("iht", REAL): {1: [{"genes": [7]}, {"genes": [7]}]},
        ("iht", PERMUTED): {number: [{"genes": genes} for genes in some] for number, some in folds.items()},
        ("ridge", PERMUTED): {1: [{"genes": list(range(n))}]},
    }
    table = permuted_genes(trials, study)
    found = dict(zip(table["symbol"], table["frequency"], strict=True))
    assert found == {study.symbol[0]: 0.75, study.symbol[1]: 0.25, study.symbol[2]: 0.25, study.symbol[5]: 0.25}
    assert set(table["method"]) == {"iht"}
    assert set(table["repetitions"]) == {2}
