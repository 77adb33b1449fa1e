"""Figures that the documentation quotes: from tables of results, and in every paragraph written with them."""

import json

import pytest

from study.run import findings
from study.errors import StudyError


def test_numbers_are_written_as_tables_have_them():
    assert [findings._decimals(value) for value in (0.7512, -0.02, 1.5, 10.0)] == [".751", "-.020", "1.500", "10.000"]
    assert [findings._signed(value, 2) for value in (0.1, -0.1, 0.0)] == ["+.10", "-.10", "+.00"]


def test_last_bits_do_not_change_the_file():
    one = findings.as_text({"a": 0.1 + 0.2, "b": [float("nan")], "c": {"d": True}})
    assert one == findings.as_text({"a": 0.3, "b": [float("nan")], "c": {"d": True}})
    assert json.loads(one) == {"a": 0.3, "b": [None], "c": {"d": True}}


def test_an_unfinished_study_is_named(tmp_path):
    with pytest.raises(StudyError, match="run `make study`"):
        findings.gather(tmp_path)


def test_paragraphs_change_with_the_figures(repository, tmp_path):
    """Another number in the file is another number in the text, and one that is missing is an error."""
    figures = json.loads((repository / findings.FIGURES).read_text())
    folder = tmp_path / findings.TEMPLATES
    folder.mkdir(parents=True)
    for template in (repository / findings.TEMPLATES).glob("*.j2"):
        (folder / template.name).write_text(template.read_text())
    figures["study"]["methods"]["graph-iht"]["auc"] = 0.12345
    (tmp_path / findings.FIGURES).write_text(json.dumps(figures))
    for name in ("findings", "short"):
        assert ".123" in findings.paragraphs(tmp_path, name)
        assert ".123" not in findings.paragraphs(repository, name)
    del figures["study"]["n_pairs"]
    (tmp_path / findings.FIGURES).write_text(json.dumps(figures))
    with pytest.raises(Exception, match="n_pairs"):
        findings.paragraphs(tmp_path, "findings")
