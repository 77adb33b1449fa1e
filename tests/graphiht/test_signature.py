"""Signatures: their scores and their file."""

import numpy as np
import pytest

from graphiht.signature import Signature, SignatureError


def test_genes_are_found_by_entrez_id():
    signature = Signature("iht", ["TP53", "ESR1"], [7157, 0], [1.0, 2.0], [0.0, 0.0], [1.0, 1.0], 0.5, 0.0)
    scored = signature.score(np.array([[3.0, 1.5]]), ["ESR1", "7157"])
    assert scored.scores.tolist() == [0.5 + 1.5 + 6]
    assert (scored.missing, scored.notes) == ([], [])


def test_a_score_is_that_of_each_patient_alone():
    rng = np.random.default_rng(5)
    names, weights = [f"G{i}" for i in range(500)], rng.standard_normal(500).tolist()
    signature = Signature("ridge", names, [0] * 500, weights, [0.1] * 500, [3.0] * 500, 0.2, 0)
    X = rng.standard_normal((9, 500))
    together = signature.score(X, names).scores
    assert together.tolist() == [signature.score(X[i : i + 1], names).scores[0] for i in range(9)]


def test_a_signature_of_pooled_cohorts_is_scaled_within_the_new_patients():
    signature = Signature("iht", ["A", "B"], [0, 0], [1.0, -1.0], None, None, 0.0, 0.0)
    X = np.array([[1.0, 5.0], [3.0, 5.0], [5.0, 8.0]])
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    np.testing.assert_allclose(signature.score(X, ["A", "B"]).scores, Z[:, 0] - Z[:, 1], rtol=1e-14)
    with pytest.raises(SignatureError, match="Scale within"):
        signature.score(X, ["A", "B"], "training")
    with pytest.raises(SignatureError, match="at least 2 patients"):
        signature.score(X[:1], ["A", "B"])


def test_a_written_signature_comes_back(tmp_path):
    signature = Signature("iht", ["NA", "1"], [0, 1], [0.1, -1 / 3], [1e-300, 2.5], [1.0, 7.0], -0.2, 0.3)
    files = signature.write(tmp_path / "one.tsv")
    assert [file.name for file in files] == ["one.json", "one.tsv"]
    assert Signature.read(files[0]) == signature
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.json", "one.tsv"]
