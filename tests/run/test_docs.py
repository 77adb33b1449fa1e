"""The tables of the documentation are those of the schema and the registries."""

import re

import pytest

from study.methods import METHODS
from study.run.docs import FILES, WRITERS, current
from study.tables import TABLES


@pytest.mark.parametrize("name", FILES)
def test_tables_are_current(repository, name):
    text = (repository / name).read_text()
    assert re.search("<!-- (table|findings): ", text)
    assert current(repository, text) == text, "run `make docs`"


def test_every_row_is_in_its_table(repository):
    keys = WRITERS["keys"](repository)
    for key in (
        "`cohort`",
        "`own: expression`",
        "`simulations: scaling_runs`",
        "`[10, 20, 30, 40, 50, 60, 70, 80, 90, 100]`",
    ):
        assert key in keys
    for name, row in METHODS.items():
        assert f"| `{name}` | {row.label} |" in WRITERS["methods"](repository)
    for name in TABLES:
        assert f"`{name}.csv`" in WRITERS["tables"](repository)


def test_a_stale_table_is_written_anew(repository):
    stale = "before\n<!-- table: cohorts -->\nstale\n<!-- end -->\nafter\n"
    new = current(repository, stale)
    assert "stale" not in new
    assert new.startswith("before\n<!-- table: cohorts -->\n| key | what |")
    assert new.endswith("<!-- end -->\nafter\n")
